// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The sending board: finds a fragment when its engine is idle, sets its header, starts the engine, and enters it in the
 * scoreboard while the engine runs. A wire pushes back while the other board has no buffer.
 */
final class Transmission
{
    private final ModelParameters parameters;
    private final StageCosts costs;
    private final Side side;
    private final Side farSide;
    private final Reception reception;
    private final boolean preparesAhead;
    private final Queue<Fragment> ready = new ArrayDeque<>();
    private boolean isBusy;

    Transmission(final ModelParameters parameters, final Assumptions assumptions, final StageCosts costs,
        final Side side, final Side farSide, final Reception reception)
    {
        this.parameters = parameters;
        this.costs = costs;
        this.side = side;
        this.farSide = farSide;
        this.reception = reception;
        preparesAhead = assumptions.is(Assumption.PREPARES_AHEAD);
    }

    /** A fragment stands in the board's memory, or with cut-through its first segment. */
    void onVisible(final Fragment fragment)
    {
        ready.add(fragment);
        look();
    }

    private void look()
    {
        if (isBusy || ready.isEmpty())
        {
            return;
        }
        isBusy = true;
        final Fragment fragment = ready.remove();
        final long prepareNs = costs.detectNs() + costs.setHeaderNs();
        if (preparesAhead)
        {
            side.processor.use(prepareNs, () -> side.sendEngine.acquire(() ->
            {
                isBusy = false;
                begin(fragment);
                look();
            }));
        }
        else
        {
            side.sendEngine.acquire(() -> side.processor.use(prepareNs, () -> begin(fragment)));
        }
    }

    private void begin(final Fragment fragment)
    {
        side.processor.use(costs.enterScoreboardNs(), () -> { });
        farSide.receiveBuffers.acquire(() -> transfer(fragment));
    }

    private void transfer(final Fragment fragment)
    {
        final Agenda agenda = side.agenda;
        final long nowNs = agenda.nowNs();
        final int length = parameters.mode().messageLength(fragment.payloadLength);
        final long endNs =
            fragment.injectEndNs <= nowNs ? nowNs + costs.sanNs(length) : segmentsEndNs(fragment, length);
        final long headerNs = nowNs + costs.sanNs(StageCosts.HEADER_LENGTH) + costs.wireNs() - costs.decodeHiddenNs();
        fragment.sendStartNs = nowNs;
        fragment.headerNs = Math.max(nowNs, headerNs);
        fragment.arrivedNs = endNs + costs.wireNs();
        agenda.at(fragment.headerNs, () -> reception.onHeader(fragment));
        agenda.at(fragment.arrivedNs, () -> reception.onArrived(fragment));
        agenda.at(endNs, () ->
        {
            side.sendEngine.release();
            if (!preparesAhead)
            {
                isBusy = false;
                look();
            }
        });
    }

    /** A transfer of its own for each segment, and the last one when the host is done. */
    private long segmentsEndNs(final Fragment fragment, final int length)
    {
        final int segmentLength = Math.min(length, parameters.forwarding().segmentLength());
        final int restLength = length % segmentLength;
        final int lastLength = restLength == 0 ? segmentLength : restLength;
        final long lastNs = costs.sanNs(lastLength);
        final long segmentsNs = (length - lastLength) / segmentLength * costs.sanNs(segmentLength);
        return Math.max(side.agenda.nowNs() + segmentsNs, fragment.injectEndNs) + lastNs;
    }
}
