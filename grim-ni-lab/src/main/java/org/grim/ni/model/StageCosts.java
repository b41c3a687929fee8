// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import org.grim.ni.board.Action;
import org.grim.ni.timing.LanaiTiming;
import org.grim.ni.timing.TransferCurve;

/**
 * What each stage takes in nanoseconds, by itself: the rows of the table for a system, completed by assumptions. Costs
 * of the processor are for it alone; what they overlap with is the matter of {@link Transmission} and
 * {@link Reception}. Immutable.
 */
final class StageCosts
{
    /** Header that is decoded. */
    static final int HEADER_LENGTH = 32;
    /** An answer on the wire. */
    static final int ANSWER_LENGTH = 8;
    /** Bytes that an entry of the translation cache stands for. */
    static final int PAGE_LENGTH = 4096;

    private static final double NS_PER_US = 1_000;

    private final ModelParameters parameters;
    private final Assumptions assumptions;
    private final LanaiTiming timing;
    private final TransferCurve san;
    private final double engines;
    private final double pioNsPerByte;
    private final double dmaNsPerByte;

    StageCosts(final ModelParameters parameters, final Assumptions assumptions)
    {
        this.parameters = parameters;
        this.assumptions = assumptions;
        timing = parameters.ni().timing().withPciBits(parameters.pciBits());
        san = new TransferCurve(assumptions.of(Assumption.SAN_LEAST), timing.sanCurve().bytesPerUs(),
            assumptions.of(Assumption.SAN_HALF_LENGTH));
        engines = assumptions.of(Assumption.ENGINES);
        pioNsPerByte = engines * NS_PER_US / assumptions.of(Assumption.PIO_RATE);
        dmaNsPerByte = engines * NS_PER_US / parameters.host().dmaBytesPerUs(parameters.pciBits());
    }

    boolean isByDma(final int payloadLength)
    {
        return payloadLength >= parameters.host().dmaFromLength(parameters.pciBits());
    }

    /** A burst of programmed I/O. */
    long pioNs(final int length)
    {
        return Math.round(length * pioNsPerByte);
    }

    /** A pull by the board's host engine, with everything that each fragment needs. */
    long dmaNs(final int length)
    {
        return Math.round(length * dmaNsPerByte);
    }

    /** What a DMA injection costs once: so much that both ways take the same time where the table says they cross. */
    long dmaSetupNs()
    {
        final double crossingNs =
            parameters.host().dmaFromLength(parameters.pciBits()) * (pioNsPerByte - dmaNsPerByte);
        return Math.round(assumptions.of(Assumption.DMA_SETUP) * Math.max(0, crossingNs));
    }

    /** What a DMA injection needs before its first byte moves. */
    long dmaPrepareNs(final boolean isFirst)
    {
        return isFirst || assumptions.is(Assumption.DMA_SETUP_REPEATS) ? dmaSetupNs() + controlNs() : 0;
    }

    /** The writes that make an injection known to the board. */
    long controlNs()
    {
        return Math.round(assumptions.of(Assumption.PIO_WRITE) * assumptions.of(Assumption.CONTROL_WRITES));
    }

    long pioReadNs()
    {
        return parameters.host().pioReadNs();
    }

    long detectNs()
    {
        return processorNs(Action.DETECT);
    }

    long setHeaderNs()
    {
        return processorNs(Action.SET_HEADER);
    }

    long enterScoreboardNs()
    {
        return processorNs(Action.ENTER_SCOREBOARD);
    }

    /** From the start of a transfer to the link until all of it is in the other board, but for the wire. */
    long sanNs(final int length)
    {
        return Math.round(engines * san.ns(length));
    }

    /** From the end of a transfer to the link until the other board has it. */
    long wireNs()
    {
        return Math.round(assumptions.of(Assumption.WIRE) +
            assumptions.of(Assumption.RECEIVE_DMA) * assumptions.of(Assumption.SAN_LEAST));
    }

    long noticeNs()
    {
        final long scanNs = timing.actionNs(Action.DETECT, parameters.channelCount());
        return Math.round(assumptions.of(Assumption.NOTICE) * scanNs);
    }

    long decodeNs()
    {
        return processorNs(Action.DECODE_HEADER);
    }

    /** By how much decoding begins before the header is complete. */
    long decodeHiddenNs()
    {
        return Math.round(assumptions.of(Assumption.DECODE_HIDDEN) * decodeNs());
    }

    /** What comes between decoding and the start of the host DMA. */
    long judgeNs()
    {
        final long checkNs = processorNs(Action.VERIFY_SEQUENCE);
        return switch (parameters.mode())
        {
            case AM -> checkNs + processorNs(Action.CHECK_CAPACITY);
            case RM_V -> checkNs + remoteCapacityNs() + processorNs(Action.TRANSLATE_HIT);
            case RM_P -> checkNs + remoteCapacityNs();
        };
    }

    /** Look-ups that overlap the host DMA: those of all pages but the first. */
    long lookUpRestNs(final int payloadLength)
    {
        if (parameters.mode() != Mode.RM_V || !assumptions.is(Assumption.PAGE_LOOKUPS))
        {
            return 0;
        }
        return (payloadLength - 1) / PAGE_LENGTH * processorNs(Action.TRANSLATE_HIT);
    }

    /** The host DMA of a fragment. */
    long deliverNs(final int payloadLength)
    {
        final int length = parameters.mode().deliveredLength(payloadLength);
        final long ns = parameters.mode() == Mode.AM ? timing.hostDmaNs(length) : timing.remoteDmaNs(length);
        final double slower = 1 / assumptions.of(Assumption.DELIVERY_RATE) - 1;
        return Math.round(engines * (ns + slower * length * NS_PER_US / timing.pciCurve().bytesPerUs()));
    }

    /** The rest of a host DMA that goes on while its message arrives, after the last byte has come. */
    long deliverTailNs()
    {
        return timing.pciDmaMinimumNs();
    }

    long answerNs()
    {
        return processorNs(Action.MAKE_ANSWER);
    }

    /** Advancing the queue's pointer; remote memory and tail flags have none. */
    long advanceNs()
    {
        return parameters.mode() == Mode.AM && parameters.notification() == Notification.POINTER ?
            processorNs(Action.ADVANCE_POINTER) : 0;
    }

    /** The transfer that tells the host, for a fragment; 0 for none. */
    long tellNs(final boolean isLast)
    {
        if (parameters.notification() == Notification.TAIL_FLAG)
        {
            return 0;
        }
        return switch (parameters.mode())
        {
            case AM -> timing.pointerDmaNs();
            case RM_V -> isLast ? timing.notificationDmaNs(true) : 0;
            case RM_P -> isLast ? timing.notificationDmaNs(true) - unneededLookUpNs() : 0;
        };
    }

    long settleNs()
    {
        return Math.round(assumptions.of(Assumption.SETTLE) * processorNs(Action.SETTLE));
    }

    long hostPollNs()
    {
        return Math.round(assumptions.of(Assumption.HOST_POLL));
    }

    int receiveBufferCount()
    {
        return (int)Math.round(assumptions.of(Assumption.RECEIVE_BUFFERS));
    }

    /** The channel's queue in the board's memory. */
    int queueLength()
    {
        return (int)(assumptions.of(Assumption.QUEUE) * parameters.ni().sramLength());
    }

    private long remoteCapacityNs()
    {
        return Math.round(
            assumptions.of(Assumption.RM_CAPACITY_CHECK) * processorNs(Action.CHECK_CAPACITY));
    }

    private long unneededLookUpNs()
    {
        return assumptions.is(Assumption.NOTIFICATION_LOOKUP) ? 0 :
            timing.actionNs(Action.TRANSLATE_HIT, parameters.channelCount());
    }

    private long processorNs(final Action action)
    {
        return Math.round(
            assumptions.of(Assumption.PROCESSOR) * timing.actionNs(action, parameters.channelCount()));
    }
}
