// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

/** Effect of the network on a datagram. */
public enum Effect
{
    /** Came. */
    RECEIVED,
    /** Left; a repeated one twice. */
    SENT,
    /** Was lost. */
    LOST,
    /** Left twice. */
    DUPLICATED,
    /** Was overtaken. */
    REORDERED,
    /** Had a bit flipped. */
    CORRUPTED,
    /** Found no room. */
    DROPPED
}
