// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Two nodes for the contract suite: the near one belongs to the test thread, the far one obeys the commands of
 * {@link FarNode}, in any process. Closing it ends both.
 */
public interface TransportCluster extends AutoCloseable
{
    /** The node of the test thread. */
    Grim near();

    /** Runs a command on the far side and waits for its answer. */
    String far(String command);

    /** False if near and far are one node, which can only talk to itself. */
    boolean hasPeer();

    /** Polls the near node once, unless it is the far one too and was asked to stop. */
    int pollNear();

    /** Lets the far node advance: polls it once if it is in this JVM and polls at all. */
    int stepFar();

    /** Kills the process of the far node; returns false if it is this process, which goes on. */
    default boolean tryKillFar()
    {
        return false;
    }

    @Override
    void close();
}
