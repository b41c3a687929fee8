// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;

/**
 * The receiving board and its host: decodes the header beside the arrival, judges, starts the host DMA (RM-V and
 * without cut-through: when all has arrived), advances the pointer beside it, then notifies the host and makes the
 * answer. The host copies the fragments of an active message that has several. A board with children in a tree first
 * recycles what has arrived, and delivers it from its queue.
 */
final class Reception implements NextHop
{
    private final StageCosts costs;
    private final Side side;
    private final boolean isCutThrough;
    private final boolean answersEarly;
    private final FanOut fanOut;                // Null without children.
    private final Consumer<Fragment> onSeen;

    /**
     * A board at rest.
     *
     * @param parameters  of the system.
     * @param assumptions of it.
     * @param costs       of its stages.
     * @param side        of the board.
     * @param fanOut      to the board's children in a tree; null if it has none.
     * @param onSeen      gets what the host has seen.
     */
    Reception(final ModelParameters parameters, final Assumptions assumptions, final StageCosts costs, final Side side,
        final FanOut fanOut, final Consumer<Fragment> onSeen)
    {
        this.costs = costs;
        this.side = side;
        this.fanOut = fanOut;
        isCutThrough =
            parameters.forwarding().cutsAtReceiver() && parameters.mode() != Mode.RM_V && fanOut == null;
        answersEarly = assumptions.is(Assumption.RM_ANSWER_EARLY);
        this.onSeen = onSeen;
    }

    @Override
    public Side side()
    {
        return side;
    }

    @Override
    public void onHeader(final Fragment fragment)
    {
        side.processor.use(costs.decodeNs(), () ->
        {
            fragment.isDecoded = true;
            fragment.decodedNs = side.clock.nowNs();
            judge(fragment);
        });
    }

    @Override
    public void onArrived(final Fragment fragment)
    {
        fragment.isArrived = true;
        judge(fragment);
    }

    private void judge(final Fragment fragment)
    {
        if (fragment.isJudging || !fragment.isDecoded || !(fragment.isArrived || isCutThrough))
        {
            return;
        }
        fragment.isJudging = true;
        side.processor.use(costs.judgeNs(fragment.payloadLength), () ->
        {
            fragment.judgedNs = side.clock.nowNs();
            if (fanOut == null)
            {
                side.bus.acquire(() -> deliver(fragment));
            }
            else
            {
                fanOut.take(fragment, costs.arrivalNs(fragment.payloadLength), () ->
                {
                    side.incomingBuffer.release();
                    side.bus.acquire(() -> deliver(fragment));
                });
            }
        });
    }

    private void deliver(final Fragment fragment)
    {
        final VirtualClock clock = side.clock;
        final long wholeNs = clock.nowNs() + costs.deliverNs(fragment.payloadLength);
        clock.at(isCutThrough ? Math.max(wholeNs, fragment.arrivedNs + costs.deliverTailNs()) : wholeNs, () ->
        {
            fragment.deliveredNs = clock.nowNs();
            side.bus.release();
            if (fanOut == null)
            {
                side.incomingBuffer.release();
            }
            clock.after(costs.noticeNs(), () ->
            {
                fragment.isDelivered = true;
                tell(fragment);
                answer(fragment);
            });
        });
        if (costs.checksHiddenNs() > 0)
        {
            side.processor.use(costs.checksHiddenNs(), () -> { });
        }
        advance(fragment);
        if (answersEarly)
        {
            makeAnswer(fragment);
        }
    }

    private void makeAnswer(final Fragment fragment)
    {
        side.processor.use(costs.answerNs(), () ->
        {
            fragment.isAnswerMade = true;
            if (fragment.isDelivered)
            {
                sendAnswer(fragment);
            }
        });
    }

    private void answer(final Fragment fragment)
    {
        if (fragment.isAnswerMade)
        {
            sendAnswer(fragment);
        }
        else if (!answersEarly)
        {
            makeAnswer(fragment);
        }
    }

    private void sendAnswer(final Fragment fragment)
    {
        side.sendEngine.useNext(
            costs.sanNs(StageCosts.ANSWER_LENGTH), () -> side.clock.after(costs.switchNs(), fragment.onAnswer));
    }

    private void advance(final Fragment fragment)
    {
        if (costs.advanceNs() == 0)
        {
            fragment.isAdvanced = true;
            return;
        }
        side.processor.use(costs.advanceNs(), () ->
        {
            fragment.isAdvanced = true;
            tell(fragment);
        });
    }

    private void tell(final Fragment fragment)
    {
        if (!fragment.isAdvanced || !fragment.isDelivered)
        {
            return;
        }
        final long notifyNs = costs.notifyNs(fragment.isLast);
        if (notifyNs == 0)
        {
            onNotified(fragment);
        }
        else
        {
            side.bus.use(notifyNs, () -> onNotified(fragment));
        }
    }

    private void onNotified(final Fragment fragment)
    {
        fragment.notifiedNs = side.clock.nowNs();
        side.host.use(costs.hostNs(fragment), () ->
        {
            fragment.seenNs = side.clock.nowNs();
            onSeen.accept(fragment);
        });
    }
}
