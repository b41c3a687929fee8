// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

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
    private final Consumer<Fragment> board;
    private final Queue<Fragment> pending = new ArrayDeque<>();
    private int outstandingCount;
    private int queuedLength;
    private boolean isBusy;
    private boolean isStalled;
    private long doneNs;

    /**
     * A host at rest.
     *
     * @param parameters of the system.
     * @param costs      of its stages.
     * @param side       of the host.
     * @param board      gets each fragment as soon as the board finds it.
     */
    Injection(
        final ModelParameters parameters, final StageCosts costs, final Side side, final Consumer<Fragment> board)
    {
        this.parameters = parameters;
        this.costs = costs;
        this.side = side;
        this.board = board;
    }

    /**
     * Sends a message after those before; an active message of several fragments begins with a small message.
     *
     * @param payloadLength bytes.
     * @param target        board that gets it.
     */
    void send(final int payloadLength, final NextHop target)
    {
        final int fragmentLength = Math.min(payloadLength, parameters.forwarding().fragmentLength());
        final int segmentLength = parameters.forwarding().segmentLength();
        final boolean isReassembled = parameters.mode() == Mode.AM && fragmentLength < payloadLength;
        final boolean isCopied = isReassembled || parameters.mode() == Mode.SOCKETS;
        if (isReassembled)
        {
            add(new Fragment(EndToEndModel.SIZE_MIN, segmentLength, false, false), target);
        }
        for (int sentLength = 0; sentLength < payloadLength; sentLength += fragmentLength)
        {
            add(new Fragment(Math.min(fragmentLength, payloadLength - sentLength), segmentLength,
                sentLength + fragmentLength >= payloadLength, isCopied), target);
        }
        if (!isBusy)
        {
            isBusy = true;
            next();
        }
    }

    private void add(final Fragment fragment, final NextHop target)
    {
        fragment.target = target;
        fragment.onAnswer = () -> side.processor.use(costs.settleNs(), () -> onAnswered(fragment));
        pending.add(fragment);
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
        clock.at(fragment.visibleNs, () -> board.accept(fragment));
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
