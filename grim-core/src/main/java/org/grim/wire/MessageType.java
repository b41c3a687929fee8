// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

/** What a message is: the 6-bit type of the message format. The values are listed here and nowhere else. */
public enum MessageType
{
    /** The receiver runs the handler that the message names. */
    ACTIVE_MESSAGE(1),
    /** Remote memory: write to a virtual address (RM-V). */
    REMOTE_WRITE_VIRTUAL(2),
    /** Remote memory: write to a physical address (RM-P). */
    REMOTE_WRITE_PHYSICAL(3),
    /** Remote memory: read from a virtual address (RM-RV). */
    REMOTE_READ(4),
    /** Remote memory: the bytes that a read asked for. */
    REMOTE_READ_REPLY(5),
    /** Multicast: data along a tree. */
    MULTICAST_DATA(6),
    /** Multicast: a change of a tree. */
    MULTICAST_TREE_UPDATE(7),
    /** Control: accepted. */
    ACK(8),
    /** Control: refused, roll back. */
    NACK(9),
    /** Control: a network interface announces its reset and epoch. */
    SYNCHRONISE(10),
    /** Control: accepted, and not executed, because an address or destination is wrong. */
    REFUSED(11);

    /** Largest code that six bits can carry. */
    static final int CODE_MAX = (1 << 6) - 1;

    private static final MessageType[] BY_CODE = new MessageType[CODE_MAX + 1];

    static
    {
        for (final MessageType type : values())
        {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    MessageType(final int code)
    {
        this.code = code;
    }

    /** {@return the number on the wire; 1 to 63} */
    public int code()
    {
        return code;
    }

    /**
     * The type of a number from the wire.
     *
     * @param code 0 to 63.
     * @return the type, or null for a number that means nothing.
     */
    public static MessageType ofCode(final int code)
    {
        return BY_CODE[code & CODE_MAX];
    }
}
