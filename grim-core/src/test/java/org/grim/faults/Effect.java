// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

/** What happened to a datagram on its way. */
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
