// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

/** Faults and changes that a campaign of hosts makes. */
enum HostEvent
{
    /** A cable is unplugged. */
    CUT,
    /** Of two hosts one does not hear the other. */
    CUT_ONE_WAY,
    /** A cable is unplugged, and a node of that host dies and begins again meanwhile. */
    RESTART_WHILE_CUT,
    /** The oldest process of a host, which runs the agent and the media driver, is killed. */
    KILL_AGENT,
    /** Another process of a host is killed. */
    KILL_NODE,
    /** All processes of a host are killed at once. */
    KILL_HOST,
    /** All processes of the oldest host, which has the coordinator, are killed at once. */
    KILL_COORDINATOR,
    /** All processes of a host are stopped for a while. */
    STOP_HOST,
    /** A host's agent is stopped for a while. */
    STOP_AGENT,
    /** Another process of a host is stopped for a while. */
    STOP_NODE,
    /** A further node joins, and leaves. */
    JOIN,
    /** A node leaves. */
    LEAVE,
    /** All nodes of a host leave at once. */
    LEAVE_HOST,
    /** A host loses its power and everything that it knew, and returns, once or some times in a row. */
    LOSE_POWER,
    /** The same up to 20 times in a row; hosts fail to join in between. */
    LOSE_POWER_AGAIN_AND_AGAIN,
    /** The same of two of the three hosts at a time. */
    LOSE_POWER_OF_TWO,
    /** All hosts lose their power and everything that they knew, and start at the same moment. */
    START_ALL_WITHOUT_FILES,
    /** All processes are killed, and all hosts start at the same moment with their directories. */
    START_ALL_WITH_FILES,
    /** Joins of another host fail for each possible reason; then it joins, and leaves or loses its power. */
    FAILED_JOINS,
    /** All processes of a host are stopped for 3 s. */
    STOP_HOST_3_S,
    /** All processes of a host are stopped for 10 s. */
    STOP_HOST_10_S,
    /** All processes of a host are stopped for a minute. */
    STOP_HOST_60_S,
    /** No file can be made where a host's directory is for a while, in which nodes of this and another host restart. */
    FULL_DISK
}
