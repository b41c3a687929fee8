// SPDX-License-Identifier: Apache-2.0
package org.grim;

/** Why a remote-memory operation was not executed. Nothing was written. Each reason has a counter. */
public enum RemoteRefusal
{
    /** The bytes are not all in one region of the target, or in its registered memory (RM-P). */
    OUT_OF_RANGE(0),
    /** The region does not grant the right. */
    NO_RIGHT(1),
    /** The region was freed, or the address belongs to an earlier registration of the same memory. */
    FREED(2),
    /** The range goes on at address 0. */
    WRAP_AROUND(3),
    /** The address of the notification word is not a multiple of 4. */
    MISALIGNED_NOTIFICATION(4),
    /** The notification word is not in a region that may be written. */
    NOTIFICATION_OUT_OF_RANGE(5),
    /** There is nothing to write or read. */
    ZERO_LENGTH(6),
    /** The hop at the target refused it, and counts why. */
    BY_NETWORK_INTERFACE(7),
    /** The target has no registered memory that this node can reach. */
    NO_MEMORY(8),
    /** The target, or a hop on the path, went before the operation was complete: nobody knows if it was executed. */
    PEER_GONE(9),
    /** The address of an atomic operation's word is not a multiple of its length. */
    MISALIGNED_WORD(10);

    private static final RemoteRefusal[] VALUES = values();

    private final int code;

    RemoteRefusal(final int code)
    {
        this.code = code;
    }

    /** {@return key of the reason's counter; 0 to {@link #count()} - 1} */
    public int code()
    {
        return code;
    }

    /** {@return how many reasons there are} */
    public static int count()
    {
        return VALUES.length;
    }
}
