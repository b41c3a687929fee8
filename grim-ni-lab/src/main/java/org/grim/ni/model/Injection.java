// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The sending host: brings one fragment after the other into its board's memory, by programmed I/O or DMA, whichever
 * the original took for the message's size. Without room it waits for an answer, and reads from the board that there
 * is room again.
 */
final class Injection
{
    private final ModelParameters parameters;
    private final Assumptions assumptions;
    private final StageCosts costs;
    private final Side side;
    private final Transmission transmission;
    private final Queue<Fragment> pending = new ArrayDeque<>();
    private int outstandingCount;
    private int queuedLength;
    private boolean isBusy;
    private boolean isStalled;
    private long doneNs;

    Injection(final ModelParameters parameters, final Assumptions assumptions, final StageCosts costs, final Side side,
        final Transmission transmission)
    {
        this.parameters = parameters;
        this.assumptions = assumptions;
        this.costs = costs;
        this.side = side;
        this.transmission = transmission;
    }

    /** Sends a message after those before. */
    void send(final int payloadLength)
    {
        final int fragmentLength = Math.min(payloadLength, parameters.forwarding().fragmentLength());
        final boolean isByDma = costs.isByDma(payloadLength);
        for (int sentLength = 0; sentLength < payloadLength; sentLength += fragmentLength)
        {
            pending.add(new Fragment(Math.min(fragmentLength, payloadLength - sentLength), sentLength == 0,
                sentLength + fragmentLength >= payloadLength, isByDma));
        }
        if (!isBusy)
        {
            isBusy = true;
            next();
        }
    }

    /** When the host was last done with all that it had to send. */
    long doneNs()
    {
        return doneNs;
    }

    void onAnswered(final Fragment fragment)
    {
        outstandingCount--;
        queuedLength -= lengthOf(fragment);
        if (isStalled && hasRoom(pending.element()))
        {
            isStalled = false;
            side.agenda.after(costs.pioReadNs(), this::next);
        }
    }

    private void next()
    {
        final Fragment fragment = pending.peek();
        if (fragment == null)
        {
            isBusy = false;
            doneNs = side.agenda.nowNs();
            return;
        }
        if (!hasRoom(fragment))
        {
            isStalled = true;
            return;
        }
        pending.remove();
        outstandingCount++;
        queuedLength += lengthOf(fragment);
        fragment.injectStartNs = side.agenda.nowNs();
        if (fragment.isByDma)
        {
            side.agenda.after(
                costs.dmaPrepareNs(fragment.isFirst), () -> side.bus.acquire(() -> pull(fragment)));
        }
        else
        {
            side.bus.acquire(() -> push(fragment));
        }
    }

    private void push(final Fragment fragment)
    {
        final int length = lengthOf(fragment);
        final int segmentLength = segmentLength(length);
        final int segmentCount = (length + segmentLength - 1) / segmentLength;
        transfer(fragment, costs.pioNs(segmentLength) + costs.controlNs(),
            costs.pioNs(length) + segmentCount * costs.controlNs(), true);
    }

    private void pull(final Fragment fragment)
    {
        final int length = lengthOf(fragment);
        transfer(fragment, costs.dmaNs(segmentLength(length)), costs.dmaNs(length),
            assumptions.is(Assumption.HOST_WAITS));
    }

    private void transfer(final Fragment fragment, final long visibleNs, final long durationNs, final boolean isAwaited)
    {
        final Agenda agenda = side.agenda;
        fragment.visibleNs = agenda.nowNs() + visibleNs;
        fragment.injectEndNs = agenda.nowNs() + durationNs;
        agenda.at(fragment.visibleNs, () -> transmission.onVisible(fragment));
        agenda.at(fragment.injectEndNs, () ->
        {
            side.bus.release();
            if (isAwaited)
            {
                next();
            }
        });
        if (!isAwaited)
        {
            next();
        }
    }

    private int segmentLength(final int length)
    {
        return parameters.forwarding().cutsAtSender() ? Math.min(length, parameters.forwarding().segmentLength()) :
            length;
    }

    private boolean hasRoom(final Fragment fragment)
    {
        return outstandingCount < parameters.outstandingLimit() &&
            queuedLength + lengthOf(fragment) <= costs.queueLength();
    }

    private int lengthOf(final Fragment fragment)
    {
        return parameters.mode().messageLength(fragment.payloadLength);
    }
}
