// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

/** Kind of disturbance of a cluster from outside, besides faults of single packets. */
public enum DisturbanceKind
{
    /** The link into an NI stalls for a while. */
    LINK_STALL,
    /** An NI is cut off for a while. */
    PARTITION,
    /** Packets from an NI are lost for a while. */
    PARTITION_OUTWARD,
    /** Packets to an NI are lost for a while. */
    PARTITION_INWARD,
    /** A channel's receiver stops for a while. */
    RECEIVER_STOP,
    /** A host's processes end, and new ones take over. */
    HOST_RESTART,
    /** An NI is reset, and its firmware starts again after a while. */
    NI_RESTART,
    /** An NI stands still for a while. */
    NI_PAUSE,
    /** An NI is dead from now on. */
    NI_KILL
}
