// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

/**
 * Types of the records that a member's history consists of, besides {@link org.grim.death.History}'s own. The node of a
 * record is the membership: 0 for the process's first one in the group, 1 after it has left and joined again.
 */
final class MemberRecord
{
    /** first: number of the call, second: {@link Call}. It has begun. */
    static final int CALL = 60;
    /** first: number of the call, second: 1 if it timed out, 2 if it threw something else. */
    static final int CALL_ENDED = 61;
    /** The process is a member. first: epoch. */
    static final int ENTERED = 62;
    /** The member goes on with an epoch. first: epoch, second: members, third: its rank. */
    static final int EPOCH = 63;
    /** first: epoch, second: rank, third: number of that node. */
    static final int ROSTER = 64;
    /** The member is about to leave the group. */
    static final int LEAVES = 65;
    /** first: sequence as {@link #sequence} has it, second: epoch, third: one of the SEND constants. */
    static final int ACCEPTED = 66;
    /** first: key of the sending membership, second: its sequence. The payload was as it should be. */
    static final int DELIVERED = 67;
    /** As {@link #DELIVERED}, of a payload that is not as it should be. */
    static final int CORRUPT = 68;
    /** first: epoch, second: number in the epoch, third: {@link OperationPlan.Flaw}. It has begun. */
    static final int OPERATION = 69;
    /** first: epoch, second: number in the epoch, third: {@link org.grim.group.Group.Status}. */
    static final int OPERATION_ENDED = 70;
    /** first: epoch, second: number in the epoch, third: kind, of an operation whose result is wrong. */
    static final int WRONG = 71;
    /** first: {@link Call} that threw what its page does not name; the log has the exception. */
    static final int THREW = 72;
    /** The error handler got something unexpected; the log has it. */
    static final int ERROR = 73;
    /** A claim on a link has begun. */
    static final int CLAIM = 74;
    /** The member's thread goes on. first: multicasts that the process has counted as perhaps lost. */
    static final int TICK = 75;
    /** The group has as many members as it should, and does operations. first: epoch. */
    static final int SETTLED = 76;
    /** The same of a group that all have created at once. */
    static final int CREATED = 77;
    /** Sends nothing more. */
    static final int QUIET = 78;
    /** A multicast was refused. first: {@link org.grim.SendStatus}. */
    static final int NOT_SENT = 79;

    /** Accepted. */
    static final int SEND_SENT = 0;
    /** Accepted, and waits at the sender. */
    static final int SEND_QUEUED = 1;
    /** The call threw: nobody knows. */
    static final int SEND_UNKNOWN = 2;

    /** More memberships than a process has. */
    static final int MEMBERSHIPS_MAX = 64;

    private MemberRecord()
    {
    }

    /** Calls that have to return. */
    enum Call
    {
        /** {@link org.grim.group.Groups#join} with a time-out that is meant to pass. */
        JOIN_SHORT,
        /** {@link org.grim.group.Groups#join}. */
        JOIN,
        /** {@link org.grim.group.Group#renew}. */
        RENEW,
        /** {@link org.grim.group.Group#awaitSize}. */
        AWAIT_SIZE,
        /** {@link org.grim.group.Group#close}. */
        CLOSE,
        /** {@link org.grim.Grim#close}. */
        CLOSE_CLUSTER,
        /** {@link org.grim.Endpoint#poll()}. */
        POLL,
        /** {@link org.grim.group.Group#multicast}. */
        MULTICAST,
        /** {@link org.grim.group.Group#multicastInTotalOrder}. */
        MULTICAST_IN_TOTAL_ORDER,
        /** An operation's beginning. */
        OPERATION,
        /** Something on a link. */
        LINK
    }

    /** Writer and reader run the same code. */
    @SuppressWarnings("EnumOrdinal")
    static int code(final Enum<?> value)
    {
        return value.ordinal();
    }

    static <E> E of(final E[] values, final int code)
    {
        return values[code];
    }

    /** One number for a sequence of plain multicasts, or of those in total order. */
    static int sequence(final int number, final boolean isOrdered)
    {
        return number << 1 | (isOrdered ? 1 : 0);
    }

    static boolean isOrdered(final int sequence)
    {
        return (sequence & 1) == 1;
    }

    static String text(final int sequence)
    {
        return (isOrdered(sequence) ? "ordered " : "plain ") + (sequence >> 1);
    }
}
