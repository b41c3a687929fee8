// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;

/**
 * A cluster of this host, seen from outside: {@link Grim#view}. Its files are mapped read-only, nothing is written, and
 * no node notices; also those of processes that hang or have died, as long as they are there.
 * <p>Thread: one at a time.
 */
public interface ClusterView extends AutoCloseable
{
    /** {@return all nodes that are or were there; by number, as the directory has them now} */
    List<NodeInfo> nodes();

    /**
     * Asks the kernel whether the process of a node exists; of a node of another host, whether that host's agent says
     * so.
     *
     * @param node its number.
     * @return true also for a process that is stopped.
     */
    boolean isAlive(int node);

    /**
     * Returns what a node counts.
     *
     * @param node as {@link #nodes()} has it.
     * @return all counters, as its owners last published them; none if it is on another host, has left, or has {@code
     *     grim.counters.file=false}.
     * @throws GrimException if the file is corrupt, or of another version.
     */
    List<Counter> counters(NodeInfo node);

    /** Ends the view. Nodes do not notice it. */
    @Override
    void close();

    /**
     * One counter.
     *
     * @param name  such as {@code messages-sent}; the page of the command line explains each.
     * @param key   channel, -1 for all shared links; or number of a reason; or 0 for the node.
     * @param label name and key in words, such as {@code messages-sent channel=0}.
     * @param value now.
     */
    record Counter(String name, int key, String label, long value)
    {
    }
}
