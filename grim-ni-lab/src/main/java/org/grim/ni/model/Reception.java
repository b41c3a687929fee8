// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;

/**
 * The receiving board and its host: decodes the header beside the arrival, judges, starts the host DMA (RM-V and
 * without cut-through: when all has arrived), advances the pointer beside it, then notifies the host and makes the
 * answer. The host copies the fragments of an active message that has several.
 */
final class Reception
{
    private final StageCosts costs;
    private final Side side;
    private final boolean isCutThrough;
    private final boolean answersEarly;
    private final Consumer<Fragment> onSeen;
    private final Consumer<Fragment> onAnswer;

    Reception(final ModelParameters parameters, final Assumptions assumptions, final StageCosts costs, final Side side,
        final Consumer<Fragment> onSeen, final Consumer<Fragment> onAnswer)
    {
        this.costs = costs;
        this.side = side;
        isCutThrough = parameters.forwarding().cutsAtReceiver() && parameters.mode() != Mode.RM_V;
        answersEarly = assumptions.is(Assumption.RM_ANSWER_EARLY);
        this.onSeen = onSeen;
        this.onAnswer = onAnswer;
    }

    void onHeader(final Fragment fragment)
    {
        side.processor.use(costs.decodeNs(), () ->
        {
            fragment.isDecoded = true;
            fragment.decodedNs = side.clock.nowNs();
            judge(fragment);
        });
    }

    void onArrived(final Fragment fragment)
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
            side.bus.acquire(() -> deliver(fragment));
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
            side.incomingBuffer.release();
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
        side.sendEngine.useNext(costs.sanNs(StageCosts.ANSWER_LENGTH),
            () -> side.clock.after(costs.switchNs(), () -> onAnswer.accept(fragment)));
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
