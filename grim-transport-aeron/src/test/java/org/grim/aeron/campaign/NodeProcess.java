// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import org.grim.campaign.history.HistoryRecord;
import org.grim.campaign.history.Incarnation;
import org.grim.campaign.history.Worker;

/** A process of one node on a host. Thread: the campaign's. */
final class NodeProcess implements AutoCloseable
{
    final int host;
    final String name;
    final long startNs;
    final Worker worker;

    NodeProcess(final int host, final String name, final long startNs, final Worker worker)
    {
        this.host = host;
        this.name = name;
        this.startNs = startNs;
        this.worker = worker;
    }

    /** {@return number and incarnation; empty while it is not in the cluster} */
    String identity()
    {
        final Incarnation current = worker.current();
        return current == null ? "" : HistoryRecord.text(current.packed);
    }

    /** {@return whether it sends nothing any more} */
    boolean isQuiet()
    {
        return worker.isQuiet();
    }

    /** After it was to leave: {@return whether it did, in an orderly manner} */
    boolean hasLeft(final long timeoutNs)
    {
        if (!worker.jvm.hasEnded(timeoutNs))
        {
            return false;
        }
        worker.awaitHistory();
        return worker.jvm.process().exitValue() == 0 && worker.current() == null;
    }

    @Override
    public void close()
    {
        worker.close();
    }

    @Override
    public String toString()
    {
        return name + " " + identity() + " sees " + worker.sight() + " was " + worker.incarnations;
    }
}
