// SPDX-License-Identifier: Apache-2.0
package org.grim;

/** Why bytes from a peer were refused. Each reason has a counter; each is logged once per source. */
public enum RejectReason
{
    /** Fewer bytes than a header. */
    TRUNCATED(0),
    /** Word 0 does not carry the GRIM id. */
    NOT_GRIM(1),
    /** The type is unknown, or one that this receiver does not serve. */
    UNKNOWN_TYPE(2),
    /** The payload length exceeds the maximum, or what is there, or is not a length (correction without words). */
    BAD_LENGTH(3),
    /** The payload does not lie inside the memory that payloads of its queue lie in. */
    BAD_PAYLOAD_LOCATION(4),
    /** The message names another node or device than the one that it reached. */
    WRONG_DESTINATION(5),
    /** The message came through the queue of one node and names another as its source. */
    WRONG_SOURCE(6),
    /** The message came through a queue of one channel and names another. */
    WRONG_CHANNEL(7),
    /** The host's CPU has no handler of this id. */
    UNKNOWN_HANDLER(8),
    /** Bits that must be zero are not. */
    RESERVED_BITS(9),
    /** The word that shows whether a slot is published holds a value that no sender writes: the queue is stopped. */
    CORRUPT_STATE(10),
    /** The queue's owner word names a node or channel that cannot be. */
    CORRUPT_OWNER(11),
    /** The message was sent to an earlier incarnation of this node. */
    OLD_INCARNATION(12),
    /** Part of a long message whose words are wrong by themselves, or do not fit its transfer. */
    BAD_PART(13),
    /** Part of a long message, or an answer to one, of a transfer that is not under way. */
    UNKNOWN_TRANSFER(14),
    /** A message that stands in its sender's memory, where this node cannot look at it. */
    NOT_IN_PLACE(15),
    /** The device that the message is for has no handler of this id; the host's CPU, and other devices, may have. */
    NO_DEVICE_HANDLER(16),
    /** It is sealed with another key than this node's, if that has one, or was changed, or sent at another place. */
    BAD_SEAL(17),
    /** It is not sealed, and this node has a key. */
    NO_SEAL(18);

    private static final RejectReason[] VALUES = values();

    private final int code;

    RejectReason(final int code)
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
