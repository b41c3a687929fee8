// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ni.board.Action;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.SendEngine;
import org.grim.ni.control.ControlQueue;
import org.grim.ni.delivery.MessageRecord;
import org.grim.ni.delivery.PartialMessages;
import org.grim.ni.delivery.ReliableSender;

/**
 * Moves messages from the channels to the wire, one at a time. A message that its host still writes may be begun, and
 * is fed as its bytes come; meanwhile nothing else leaves, so that a message whose host does not go on is cut after a
 * time, and sent from its start when it is complete.
 * <p>Thread: the board's stepper.
 */
final class Transmitter
{
    private static final int VISIT_LIMIT = 16;

    private final AtomicBuffer sram;
    private final SendEngine engine;
    private final ActionMeter meter;
    private final ControlQueue controls;
    private final ChannelScheduler scheduler;
    private final ReliableSender sender;
    private final PartialMessages partials;
    private final long injectionTimeOutNs;
    private MessageRecord current;
    private int fedLength;
    private long deadlineNs;

    Transmitter(
        final AtomicBuffer sram, final SendEngine engine, final ActionMeter meter, final ControlQueue controls,
        final ChannelScheduler scheduler, final ReliableSender sender, final long injectionTimeOutNs)
    {
        this.sram = sram;
        this.engine = engine;
        this.meter = meter;
        this.controls = controls;
        this.scheduler = scheduler;
        this.sender = sender;
        partials = sender.partials();
        this.injectionTimeOutNs = injectionTimeOutNs;
    }

    int transmit(final long nowNs)
    {
        final int rungCount = scheduler.takeDoorbells();
        if (current != null)
        {
            return rungCount + feed(nowNs);
        }
        if (!engine.isIdle() || controls.hasPrecedence())
        {
            return rungCount;
        }
        final int waitingCount = controls.endRow();
        return rungCount + waitingCount + (sender.canSend() ? begin(nowNs) : repeat(nowNs));
    }

    private int begin(final long nowNs)
    {
        for (int i = 0; i < VISIT_LIMIT; i++)
        {
            final int channel = scheduler.current();
            if (channel == ChannelScheduler.NONE)
            {
                return i;
            }
            final MessageRecord record = sender.next(channel, nowNs);
            if (record == null)
            {
                leave();
            }
            else if (scheduler.affords(record.length()))
            {
                scheduler.charge(record.length());
                begin(record, nowNs);
                return 1;
            }
            else
            {
                scheduler.turn();
            }
        }
        return 1;
    }

    /**
     * No token is free, but messages that have one may have to be sent again: without that, their tokens would never
     * come back. Channels that cannot do so stay ready, and get no credit. Looks at each once.
     */
    private int repeat(final long nowNs)
    {
        final int firstChannel = scheduler.current();
        int channel = firstChannel;
        while (channel != ChannelScheduler.NONE)
        {
            final MessageRecord record = sender.next(channel, nowNs);
            if (record != null)
            {
                scheduler.charge(record.length());
                begin(record, nowNs);
                return 1;
            }
            channel = scheduler.skip();
            if (channel == firstChannel)
            {
                return 0;
            }
        }
        return 0;
    }

    /** When a message that was begun will be given up. */
    long nextDeadlineNs()
    {
        return current == null ? Long.MAX_VALUE : deadlineNs;
    }

    private void leave()
    {
        if (sender.hasMore())
        {
            scheduler.turn();
            return;
        }
        scheduler.idle();
    }

    private void begin(final MessageRecord record, final long nowNs)
    {
        meter.spend(Action.DETECT);
        meter.spend(Action.SET_HEADER);
        sender.begin(record, nowNs);
        engine.begin(record.destinationNi(), record.length());
        current = record;
        fedLength = 0;
        deadlineNs = nowNs + injectionTimeOutNs;
        feed(nowNs);
        meter.spend(Action.ENTER_SCOREBOARD);
    }

    private int feed(final long nowNs)
    {
        if (current.isSettled())
        {
            engine.abort();             // Its peer went meanwhile.
            current = null;
            return 1;
        }
        final int arrivedLength = partials.arrivedLength(current);
        if (arrivedLength > fedLength)
        {
            engine.feed(sram, current.index() + fedLength, arrivedLength - fedLength);
            fedLength = arrivedLength;
            if (fedLength == current.length())
            {
                current = null;
            }
            return 1;
        }
        if (arrivedLength < fedLength || deadlineNs - nowNs <= 0)
        {
            engine.abort();
            if (arrivedLength < fedLength)
            {
                partials.giveUp(current);
            }
            else
            {
                partials.hold(current, nowNs);
            }
            current = null;
            return 1;
        }
        return 0;
    }
}
