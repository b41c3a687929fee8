// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import java.util.Objects;

import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;

/** Type of a message: the 6-bit type of the message format. The values are listed here and nowhere else. */
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
    /** Control: a hop announces its reset and epoch. */
    SYNCHRONISE(10),
    /** Control: accepted, and not executed, because an address or destination is wrong. */
    REFUSED(11),
    /** Remote memory: write to a virtual address, and then add to a signal of 32 bits. */
    REMOTE_WRITE_SIGNAL(12, SignalOperation.ADD_INT),
    /** Remote memory: add to a word; answered as a read. */
    REMOTE_FETCH_ADD(13, AtomicOperation.FETCH_ADD),
    /** Remote memory: set a word if it holds a value; answered as a read. */
    REMOTE_COMPARE_AND_SET(14, AtomicOperation.COMPARE_AND_SET),
    /** Remote memory: set a word; answered as a read. */
    REMOTE_GET_AND_SET(15, AtomicOperation.GET_AND_SET),
    /** Remote memory: clear bits of a word; answered as a read. */
    REMOTE_FETCH_AND(16, AtomicOperation.FETCH_AND),
    /** Remote memory: set bits of a word; answered as a read. */
    REMOTE_FETCH_OR(17, AtomicOperation.FETCH_OR),
    /** Remote memory: invert bits of a word; answered as a read. */
    REMOTE_FETCH_XOR(18, AtomicOperation.FETCH_XOR),
    /** Remote memory: write to a virtual address, and then add to a signal of 64 bits. */
    REMOTE_WRITE_ADD_LONG(19, SignalOperation.ADD_LONG),
    /** Remote memory: write to a virtual address, and then set a signal of 64 bits. */
    REMOTE_WRITE_SET_LONG(20, SignalOperation.SET_LONG);

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
    private final AtomicOperation atomic;           // null for all but atomic operations
    private final SignalOperation signal;           // null for all but writes with a signal

    MessageType(final int code)
    {
        this(code, null, null);
    }

    MessageType(final int code, final AtomicOperation atomic)
    {
        this(code, atomic, null);
    }

    MessageType(final int code, final SignalOperation signal)
    {
        this(code, null, signal);
    }

    MessageType(final int code, final AtomicOperation atomic, final SignalOperation signal)
    {
        this.code = code;
        this.atomic = atomic;
        this.signal = signal;
    }

    /**
     * Returns whether a message goes to an endpoint, and is no control message between hops.
     *
     * @param code 0 to 63.
     * @return true for active messages, remote memory and multicasts.
     */
    public static boolean isData(final int code)
    {
        return (code >= ACTIVE_MESSAGE.code && code <= MULTICAST_TREE_UPDATE.code) || isOperation(code);
    }

    /**
     * Whether a message asks for an operation on remote memory.
     *
     * @param code 0 to 63.
     * @return true for writes, reads and atomic operations; false for replies.
     */
    public static boolean isOperation(final int code)
    {
        return (code >= REMOTE_WRITE_VIRTUAL.code && code <= REMOTE_READ.code) ||
            (code >= REMOTE_WRITE_SIGNAL.code && code <= REMOTE_WRITE_SET_LONG.code);
    }

    /** The type of the messages that ask for an atomic operation. */
    public static MessageType of(final AtomicOperation operation)
    {
        return switch (Objects.requireNonNull(operation, "operation"))
        {
            case FETCH_ADD -> REMOTE_FETCH_ADD;
            case COMPARE_AND_SET -> REMOTE_COMPARE_AND_SET;
            case GET_AND_SET -> REMOTE_GET_AND_SET;
            case FETCH_AND -> REMOTE_FETCH_AND;
            case FETCH_OR -> REMOTE_FETCH_OR;
            case FETCH_XOR -> REMOTE_FETCH_XOR;
        };
    }

    /** The type of the messages that ask for a write with a signal; one of 32 bits that is set is a notification. */
    public static MessageType of(final SignalOperation operation)
    {
        return switch (Objects.requireNonNull(operation, "operation"))
        {
            case ADD_INT -> REMOTE_WRITE_SIGNAL;
            case SET_INT -> REMOTE_WRITE_VIRTUAL;
            case ADD_LONG -> REMOTE_WRITE_ADD_LONG;
            case SET_LONG -> REMOTE_WRITE_SET_LONG;
        };
    }

    /**
     * The atomic operation that a message asks for.
     *
     * @param code 0 to 63.
     * @return the operation, or null if it asks for none.
     */
    public static AtomicOperation atomicOf(final int code)
    {
        final MessageType type = ofCode(code);
        return type == null ? null : type.atomic;
    }

    /**
     * The operation on a write's notification word.
     *
     * @param code 0 to 63.
     * @return the operation of a signal, or null for a word that is stored, or none.
     */
    public static SignalOperation signalOf(final int code)
    {
        final MessageType type = ofCode(code);
        return type == null ? null : type.signal;
    }

    /**
     * Bytes of a notification word.
     *
     * @param code of the message, 0 to 63.
     * @return 4, or 8 for a signal of 64 bits.
     */
    public static int notificationLength(final int code)
    {
        final SignalOperation signal = signalOf(code);
        return signal == null ? Integer.BYTES : signal.length();
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
