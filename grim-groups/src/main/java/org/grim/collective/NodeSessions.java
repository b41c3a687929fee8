// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

/**
 * Numbers that all groups of one node share, so that they rise also when a group was forgotten.
 * <p>Thread: the host endpoint's owner.
 */
final class NodeSessions
{
    /** Bit of a session: the member has its multicasts handled by another endpoint of its node. */
    static final int RECEIVER = 1;

    private int session;
    private int clock;
    private int epochFloor;

    /** Begins an attempt to join a group; later ones have greater numbers. */
    int nextSession(final boolean hasReceiver)
    {
        session = ((session >> 1) + 1) << 1 | (hasReceiver ? RECEIVER : 0);
        return session;
    }

    /** The time of a question: after all that this node has asked or heard. */
    int nextTime()
    {
        return ++clock;
    }

    /** This node has heard a question of a time. */
    void hear(final int time)
    {
        clock = Math.max(clock, time);
    }

    /** A group is forgotten: epochs of a later one of the name begin above its latest one. */
    void forget(final int epoch)
    {
        epochFloor = Math.max(epochFloor, epoch);
    }

    /** The highest epoch of groups that were forgotten. */
    int epochFloor()
    {
        return epochFloor;
    }
}
