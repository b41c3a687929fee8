// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A board's multicast channel: takes a fragment when there is room, which costs a label and a copy within the card, and
 * sends it to each child, one after the other. A fragment leaves the channel when all children have answered. Where the
 * control program refuses what it has no room for, and its sender repeats it, the fragment waits here.
 */
final class FanOut
{
    private final StageCosts costs;
    private final Side side;
    private final Transmission transmission;
    private final List<NextHop> children;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int queuedLength;

    /** A fragment that there is no room for yet. */
    private record Waiting(Fragment fragment, long arrivalNs, Runnable taken)
    {
    }

    FanOut(final StageCosts costs, final Side side, final Transmission transmission, final List<NextHop> children)
    {
        this.costs = costs;
        this.side = side;
        this.transmission = transmission;
        this.children = children;
    }

    /**
     * Takes a fragment that stands whole in the board's memory.
     *
     * @param fragment  to send on.
     * @param arrivalNs that its bytes took to come behind the first ones.
     * @param taken     is called when the place that it came to is free.
     */
    void take(final Fragment fragment, final long arrivalNs, final Runnable taken)
    {
        waiting.add(new Waiting(fragment, arrivalNs, taken));
        recycle();
    }

    private void recycle()
    {
        while (!waiting.isEmpty() && queuedLength + lengthOf(waiting.element().fragment) <= costs.queueLength())
        {
            final Waiting next = waiting.remove();
            final int length = lengthOf(next.fragment);
            queuedLength += length;
            side.processor.use(costs.recycleNs(length, next.arrivalNs), () ->
            {
                next.taken.run();
                forward(next.fragment, length);
            });
        }
    }

    private void forward(final Fragment fragment, final int length)
    {
        final int[] unanswered = {children.size()};
        for (final NextHop child : children)
        {
            final Fragment copy = new Fragment(
                fragment.payloadLength, fragment.payloadLength, fragment.isLast, fragment.isCopied);
            copy.target = child;
            copy.injectStartNs = fragment.injectStartNs;
            copy.segmentNs[0] = side.clock.nowNs();
            copy.onAnswer = () -> side.processor.use(costs.settleNs(), () ->
            {
                if (--unanswered[0] == 0)
                {
                    queuedLength -= length;
                    recycle();
                }
            });
            transmission.onVisible(copy);
        }
    }

    private static int lengthOf(final Fragment fragment)
    {
        return Mode.AM.messageLength(fragment.payloadLength);
    }
}
