// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** What became of a message that a channel's queue held. */
public enum Fate
{
    /** The destination's NI accepted it. */
    ACKNOWLEDGED,
    /** The destination's NI accepted it and did not execute it: its address or destination is wrong. */
    REFUSED,
    /** It never left, or cannot have been delivered. */
    UNDELIVERED,
    /** It left and was not answered before the peer went: it may have been delivered. */
    UNKNOWN
}
