// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;

import org.grim.ni.clock.VirtualClock;

/**
 * The sending host: brings one fragment after the other into its board's memory. Each segment is an injection of its
 * own, by programmed I/O or DMA, whichever is better for its size; a counter's write follows it. Without room it waits
 * for an answer, and reads from the board that there is room again.
 */
final class Injection
{
    private final ModelParameters parameters;
    private final StageCosts costs;
    private final Side side;
    private final Transmission transmission;
    private final Queue<Fragment> pending = new ArrayDeque<>();
    private int outstandingCount;
    private int queuedLength;
    private boolean isBusy;
    private boolean isStalled;
    private long doneNs;

    Injection(final ModelParameters parameters, final StageCosts costs, final Side side,
        final Transmission transmission)
    {
        this.parameters = parameters;
        this.costs = costs;
        this.side = side;
        this.transmission = transmission;
    }

    /** Sends a message after those before; an active message of several fragments begins with a small message. */
    void send(final int payloadLength)
    {
        final int fragmentLength = Math.min(payloadLength, parameters.forwarding().fragmentLength());
        final int segmentLength = parameters.forwarding().segmentLength();
        final boolean isReassembled = parameters.mode() == Mode.AM && fragmentLength < payloadLength;
        if (isReassembled)
        {
            pending.add(new Fragment(EndToEndModel.SIZE_MIN, segmentLength, false, false));
        }
        for (int sentLength = 0; sentLength < payloadLength; sentLength += fragmentLength)
        {
            pending.add(new Fragment(Math.min(fragmentLength, payloadLength - sentLength), segmentLength,
                sentLength + fragmentLength >= payloadLength, isReassembled));
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
            side.clock.after(costs.pioReadNs(), this::next);
        }
    }

    private void next()
    {
        final Fragment fragment = pending.peek();
        if (fragment == null)
        {
            isBusy = false;
            doneNs = side.clock.nowNs();
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
        fragment.injectStartNs = side.clock.nowNs();
        side.bus.acquire(() -> inject(fragment));
    }

    private void inject(final Fragment fragment)
    {
        final VirtualClock clock = side.clock;
        final long[] segmentNs = fragment.segmentNs;
        long endNs = clock.nowNs();
        for (int i = 0; i < segmentNs.length; i++)
        {
            endNs += costs.injectNs(fragment.lengthOf(i, i + 1, parameters.mode()));
            segmentNs[i] = endNs;
        }
        fragment.visibleNs = parameters.forwarding().cutsAtSender() ? segmentNs[0] : endNs;
        clock.at(fragment.visibleNs, () -> transmission.onVisible(fragment));
        clock.at(endNs, () ->
        {
            side.bus.release();
            next();
        });
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
