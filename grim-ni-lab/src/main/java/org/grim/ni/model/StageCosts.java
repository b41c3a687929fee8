// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import org.grim.ni.board.Action;
import org.grim.ni.timing.LanaiTiming;
import org.grim.ni.timing.TransferCurve;

/**
 * Nanoseconds of each stage by itself: the rows of the table for a system, completed by assumptions. Costs of the
 * processor are for it alone; their overlap is computed by {@link Transmission} and {@link Reception}. Immutable.
 */
final class StageCosts
{
    /** Header that is decoded. */
    static final int HEADER_LENGTH = 32;
    /** An answer on the wire. */
    static final int ANSWER_LENGTH = 8;

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

    /** Whether DMA is better; bytes of a socket go straight from the caller's buffer, which is not pinned. */
    boolean isByDma(final int length)
    {
        return !(parameters.mode() == Mode.SOCKETS && assumptions.is(Assumption.SOCKET_PIO)) &&
            length >= parameters.host().dmaFromLength(parameters.pciBits());
    }

    /** The injection of a segment, by what is better for its size, with the write of the counter behind it. */
    long injectNs(final int length)
    {
        return counterNs() + (isByDma(length) ? dmaSetupNs() + dmaNs(length) : pioNs(length));
    }

    /** A burst of programmed I/O. */
    long pioNs(final int length)
    {
        return Math.round(length * pioNsPerByte);
    }

    /** A pull by the board's host engine, page by page. */
    long dmaNs(final int length)
    {
        return Math.round(length * dmaNsPerByte);
    }

    private long dmaSetupNs()
    {
        final double crossingNs =
            parameters.host().dmaFromLength(parameters.pciBits()) * (pioNsPerByte - dmaNsPerByte);
        return Math.round(assumptions.of(Assumption.DMA_SETUP) * Math.max(0, crossingNs));
    }

    /** The write that makes an injection known to the board. */
    long counterNs()
    {
        return Math.round(assumptions.of(Assumption.COUNTER_WRITE));
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

    /** From the start of a transfer to the link until all of it is in the other board, but for the switch. */
    long sanNs(final int length)
    {
        return Math.round(engines * san.ns(length));
    }

    /** Returns the time that a switch adds. */
    long switchNs()
    {
        return Math.round(assumptions.of(Assumption.SWITCH));
    }

    /** From the end of a host DMA until the program sees it. */
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

    /** Returns the time between decoding and the start of the host DMA. */
    long judgeNs(final int payloadLength)
    {
        final long ns = checksNs() - checksHiddenNs();
        if (parameters.mode() != Mode.RM_V)
        {
            return ns;
        }
        final long translateNs = processorNs(Action.TRANSLATE_HIT);
        return ns + translateNs - Math.round(
            assumptions.of(Assumption.TRANSLATION_HIDDEN) * Math.min(translateNs, arrivalNs(payloadLength)));
    }

    /** Returns the time in which the bytes behind the header arrive from the link. */
    long arrivalNs(final int payloadLength)
    {
        return sanNs(parameters.mode().messageLength(payloadLength)) - sanNs(HEADER_LENGTH);
    }

    /**
     * Puts a message into the board's multicast channel: sets the header's ticket and forwarding, and copies the
     * message within the card.
     *
     * @param messageLength bytes with the header.
     * @param arrivalNs     that they took to come behind the first ones.
     */
    long recycleNs(final int messageLength, final long arrivalNs)
    {
        final double copyNs = assumptions.of(Assumption.PROCESSOR) * assumptions.of(Assumption.RECYCLE_COPY) *
            timing.copyNs(messageLength);
        return setHeaderNs() +
            Math.round(copyNs - assumptions.of(Assumption.RECYCLE_HIDDEN) * Math.min(copyNs, (double)arrivalNs));
    }

    /** The part of the checks that overlaps the host DMA. */
    long checksHiddenNs()
    {
        return Math.round(assumptions.of(Assumption.CHECKS_HIDDEN) * checksNs());
    }

    /** Remote memory has no queue, so its capacity is not checked. */
    private long checksNs()
    {
        return processorNs(Action.VERIFY_SEQUENCE) +
            (parameters.mode().isMessage() ? processorNs(Action.CHECK_CAPACITY) : 0);
    }

    /** The host DMA of a fragment. */
    long deliverNs(final int payloadLength)
    {
        final int length = parameters.mode().deliveredLength(payloadLength);
        final long ns = parameters.mode().isMessage() ? timing.hostDmaNs(length) : timing.remoteDmaNs(length);
        final double slower = 1 / assumptions.of(Assumption.DELIVERY_RATE) - 1;
        final double startNs = (assumptions.of(Assumption.DELIVERY_START) - 1) * timing.pciDmaMinimumNs();
        final double slowerNs = slower * length * NS_PER_US / timing.pciCurve().bytesPerUs();
        return Math.round(engines * Math.max((double)timing.pciDmaMinimumNs(), ns + startNs + slowerNs));
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
        return parameters.mode().isMessage() && parameters.notification() == Notification.POINTER ?
            processorNs(Action.ADVANCE_POINTER) : 0;
    }

    /**
     * Returns the time of the transfer that notifies the host of a fragment; 0 for none. A notification word's has its
     * look-up in it.
     */
    long notifyNs(final boolean isLast)
    {
        if (parameters.notification() == Notification.TAIL_FLAG)
        {
            return 0;
        }
        return parameters.mode().isMessage() ? Math.round(assumptions.of(Assumption.POINTER_DMA)) :
            isLast ? timing.notificationDmaNs(true) : 0;
    }

    long settleNs()
    {
        return Math.round(assumptions.of(Assumption.SETTLE) * processorNs(Action.SETTLE));
    }

    /** Returns the time of the receiving host for a fragment: it sees it, and copies it for reassembly or a reader. */
    long hostNs(final Fragment fragment)
    {
        if (!parameters.mode().isMessage() && !fragment.isLast)
        {
            return 0;
        }
        final double copyNs =
            fragment.isCopied ? fragment.payloadLength * NS_PER_US / assumptions.of(Assumption.COPY_RATE) : 0;
        final double calls = parameters.mode() == Mode.SOCKETS && fragment.isLast ?
            assumptions.of(Assumption.SOCKET_CALL) : 0;
        return Math.round((1 + calls) * assumptions.of(Assumption.HOST_POLL) + copyNs);
    }

    /** The channel's queue in the board's memory. */
    int queueLength()
    {
        return (int)(assumptions.of(Assumption.QUEUE) * parameters.ni().sramLength());
    }

    private long processorNs(final Action action)
    {
        return Math.round(
            assumptions.of(Assumption.PROCESSOR) * timing.actionNs(action, parameters.channelCount()));
    }
}
