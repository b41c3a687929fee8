// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

/**
 * A node's part in joining its host to the cluster's other hosts: it runs the host's agent, or follows when that dies.
 * <p>Thread: any, one at a time. Owns: its thread and connections, until {@link #leave}.
 */
public interface HostNetwork
{
    /**
     * Begins, before the node asks for its number; under the join lock. Another process may run the agent. May begin
     * again after {@link #leave}.
     *
     * @param directory of the host, mapped until {@link #leave} has returned.
     * @throws org.grim.GrimException if this process is to run the agent and cannot; nothing is left behind.
     */
    void start(HostDirectory directory);

    /** {@return how long a node waits for its number; nanoseconds} */
    long joinTimeoutNs();

    /**
     * From now on an agent does not begin in this process because another one has ended. Waits for one that begins at
     * the moment, so without the join lock.
     */
    void stopFollowing();

    /**
     * Ends the node's part in the network. An agent of this process reports this to the other hosts, and gives its role
     * up. Does nothing the second time.
     *
     * @param isLast whether the host has no other node: then the host leaves the cluster.
     */
    void leave(boolean isLast);
}
