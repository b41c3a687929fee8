// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.grim.ni.clock.Event;
import org.grim.ni.event.Outcome;
import org.grim.ni.simulation.check.PairLedger;

/**
 * After all faults have ceased every living NI must reach every other one again: each sends small messages to others
 * until one of each pair is acknowledged.
 * <p>Thread: the simulation's.
 */
final class ConnectivityCheck
{
    private static final long PAUSE_NS = 200_000;
    private static final int ALL_PAIRS_MAX = 8;
    private static final int FEW = 2;

    private final Cluster cluster;

    ConnectivityCheck(final Cluster cluster)
    {
        this.cluster = cluster;
    }

    void begin()
    {
        final int count = cluster.boards.length;
        for (int ni = 0; ni < count; ni++)
        {
            for (int distance = 0; distance < (count <= ALL_PAIRS_MAX ? count : FEW); distance++)
            {
                final int peer = (ni + distance) % count;
                if (!cluster.boards[ni].isDead() && !cluster.boards[peer].isDead())
                {
                    cluster.clock.schedule(new Attempt(ni, peer), cluster.clock.nowNs() + 1);
                    cluster.awaitReunion(1);
                }
            }
        }
    }

    /** Sends, looks later what became of it, and sends again. */
    private final class Attempt extends Event
    {
        private final int ni;
        private final PairLedger pair;
        private int number = -1;

        Attempt(final int ni, final int peer)
        {
            this.ni = ni;
            pair = cluster.ledger.pair(ni, 0, peer, 0);
        }

        @Override
        protected void run()
        {
            final Outcome outcome = number < 0 ? null : pair.outcome(number);
            if (outcome == Outcome.ACKNOWLEDGED)
            {
                cluster.awaitReunion(-1);
                return;
            }
            if (number < 0 || outcome != null)
            {
                final int next = pair.nextNumber();
                number = cluster.hosts[ni].senders[0].tryProbe(pair.destinationNi, 0) ? next : -1;
            }
            cluster.clock.schedule(this, cluster.clock.nowNs() + PAUSE_NS);
        }
    }
}
