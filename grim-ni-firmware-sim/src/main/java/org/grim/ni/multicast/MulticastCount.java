// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.multicast;

/** Counters of an NI's multicasts. Each message that was forwarded to a child ends as acknowledged or lost. */
public enum MulticastCount
{
    /** Tickets that were assigned, as root. */
    TICKETS,
    /** Messages that were handed to a local subscriber. */
    DELIVERED,
    /** Messages that a local subscriber did not get, because its channel is closed or cannot hold them. */
    UNDELIVERED,
    /** Messages that were put into the multicast channel. */
    RECYCLED,
    /** Steps to children that were begun. */
    FORWARDED,
    /** Steps that a child has acknowledged. */
    ACKNOWLEDGED,
    /** Steps that a child did not acknowledge, or that were not begun because the child was cut out meanwhile. */
    LOST,
    /** Children that were cut out. */
    CUT,
    /** Messages of an epoch that is over for this NI: dropped. */
    LATE
}
