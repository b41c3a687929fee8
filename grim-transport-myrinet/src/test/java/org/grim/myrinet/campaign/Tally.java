// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.campaign;

import org.grim.campaign.history.Ledger;

/** Coverage of one or several rounds. Thread: the test's. */
final class Tally
{
    int processCount;
    int nodeCount;
    int killCount;
    int stopCount;
    int leaveCount;
    int rejoinCount;

    private long acceptedCount;
    private long acceptedLength;
    private long deliveredCount;

    void end(final Ledger ledger)
    {
        acceptedCount += ledger.acceptedCount();
        acceptedLength += ledger.acceptedLength();
        deliveredCount += ledger.deliveredCount();
    }

    void add(final Tally other)
    {
        processCount += other.processCount;
        nodeCount += other.nodeCount;
        killCount += other.killCount;
        stopCount += other.stopCount;
        leaveCount += other.leaveCount;
        rejoinCount += other.rejoinCount;
        acceptedCount += other.acceptedCount;
        acceptedLength += other.acceptedLength;
        deliveredCount += other.deliveredCount;
    }

    @Override
    public String toString()
    {
        return "processes=" + processCount + " nodes joined=" + nodeCount + " kills=" + killCount + " stops=" +
            stopCount + " leaves=" + leaveCount + " restarts in place=" + rejoinCount + " accepted=" + acceptedCount +
            " (" + acceptedLength / 1_000_000 + " MB) delivered=" + deliveredCount;
    }
}
