// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.function.Consumer;

/**
 * The receiving board and its host: decodes the header when it is there, judges, starts the host DMA when the fragment
 * has arrived (with cut-through, at once), makes the answer while that runs, tells the host. Unlike our control
 * program, the original answers before its host has the bytes.
 */
final class Reception
{
    private final StageCosts costs;
    private final Side side;
    private final boolean isCutThrough;
    private final boolean answersFirst;
    private final Consumer<Fragment> onSeen;
    private final Consumer<Fragment> onAnswer;

    Reception(final ModelParameters parameters, final Assumptions assumptions, final StageCosts costs, final Side side,
        final Consumer<Fragment> onSeen, final Consumer<Fragment> onAnswer)
    {
        this.costs = costs;
        this.side = side;
        isCutThrough = parameters.forwarding().cutsAtReceiver();
        answersFirst = assumptions.is(Assumption.ANSWER_FIRST);
        this.onSeen = onSeen;
        this.onAnswer = onAnswer;
    }

    void onHeader(final Fragment fragment)
    {
        side.agenda.after(costs.noticeNs(), () -> side.processor.use(costs.decodeNs(), () ->
        {
            fragment.isDecoded = true;
            fragment.decodedNs = side.agenda.nowNs();
            judge(fragment);
        }));
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
        side.processor.use(costs.judgeNs(), () ->
        {
            fragment.judgedNs = side.agenda.nowNs();
            side.bus.acquire(() -> deliver(fragment));
        });
    }

    private void deliver(final Fragment fragment)
    {
        final Agenda agenda = side.agenda;
        final long wholeNs = agenda.nowNs() + costs.deliverNs(fragment.payloadLength);
        agenda.at(isCutThrough ? Math.max(wholeNs, fragment.arrivedNs + costs.deliverTailNs()) : wholeNs, () ->
        {
            fragment.deliveredNs = agenda.nowNs();
            side.bus.release();
            side.receiveBuffers.release();
            agenda.after(costs.noticeNs(), () ->
            {
                fragment.isDelivered = true;
                tell(fragment);
            });
        });
        if (answersFirst)
        {
            answer(fragment);
            advance(fragment);
        }
        else
        {
            advance(fragment);
            answer(fragment);
        }
        final long lookUpNs = costs.lookUpRestNs(fragment.payloadLength);
        if (lookUpNs > 0)
        {
            side.processor.use(lookUpNs, () -> { });
        }
    }

    private void answer(final Fragment fragment)
    {
        side.processor.use(costs.answerNs(), () -> side.sendEngine.use(costs.sanNs(StageCosts.ANSWER_LENGTH), () ->
            side.agenda.after(costs.wireNs(), () -> onAnswer.accept(fragment))));
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
        final long tellNs = costs.tellNs(fragment.isLast);
        if (tellNs == 0)
        {
            onTold(fragment);
        }
        else
        {
            side.bus.use(tellNs, () -> onTold(fragment));
        }
    }

    private void onTold(final Fragment fragment)
    {
        fragment.toldNs = side.agenda.nowNs();
        side.agenda.after(costs.hostPollNs(), () ->
        {
            fragment.seenNs = side.agenda.nowNs();
            onSeen.accept(fragment);
        });
    }
}
