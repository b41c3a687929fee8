// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.control;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Flyweight over the message with which NIs tell each other their epochs. Big endian; the announcing NI writes, the
 * other reads.
 * <pre>
 * words 0 to 3  header of type SYNCHRONISE, channels and handler 0
 * words 4 and 5 own epoch (64):  epoch of the NI (32) | how often it gave up this peer (32)
 * words 6 and 7 known epoch (64): the peer's own epoch as far as it is known, or 0
 * word  8       layout version (32)
 * word  9       flags (32): bit 0 an answer is wanted
 * word  10      probe (32): number of the sender's last question
 * word  11      echo (32): number of the peer's last question that has come, or 0
 * </pre>
 * <p>Thread: the one that wraps it. Owns nothing.
 */
public final class SynchroniseMessage
{
    /** Version of the layout of all that NIs exchange. */
    public static final int VERSION = 2;

    private static final int VERSION_OFFSET = MessageHeader.LENGTH;                          // u32
    private static final int FLAGS_OFFSET = VERSION_OFFSET + SIZE_OF_INT;                    // u32
    private static final int PROBE_OFFSET = FLAGS_OFFSET + SIZE_OF_INT;                      // u32
    private static final int ECHO_OFFSET = PROBE_OFFSET + SIZE_OF_INT;                       // u32
    /** Bytes of the message. */
    public static final int LENGTH = ECHO_OFFSET + SIZE_OF_INT;

    private static final int ANSWER_WANTED = 1;

    private final MessageHeader header = new MessageHeader();
    private MutableDirectBuffer buffer;
    private int offset;

    /** Looks at nothing yet. */
    public SynchroniseMessage()
    {
        // See wrap().
    }

    /** Looks at a message. */
    public SynchroniseMessage wrap(final MutableDirectBuffer newBuffer, final int newOffset)
    {
        buffer = newBuffer;
        offset = newOffset;
        header.wrap(newBuffer, newOffset);
        return this;
    }

    /**
     * Writes all of it.
     *
     * @param sourceAddress      node and device that announce.
     * @param destinationAddress node and device of the receiver.
     * @param ownEpoch           of the announcing NI towards this peer.
     * @param knownEpoch         of the peer, or 0.
     * @param isAnswerWanted     whether the peer must answer.
     * @param probe              number of the sender's last question.
     * @param echo               number of the peer's last question that has come, or 0.
     */
    public void put(
        final int sourceAddress, final int destinationAddress, final long ownEpoch, final long knownEpoch,
        final boolean isAnswerWanted, final int probe, final int echo)
    {
        header.identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.SYNCHRONISE, sourceAddress), destinationAddress, 0, 0,
            LENGTH - MessageHeader.LENGTH, ownEpoch, knownEpoch);
        buffer.putInt(offset + VERSION_OFFSET, VERSION, BIG_ENDIAN);
        buffer.putInt(offset + FLAGS_OFFSET, isAnswerWanted ? ANSWER_WANTED : 0, BIG_ENDIAN);
        buffer.putInt(offset + PROBE_OFFSET, probe, BIG_ENDIAN);
        buffer.putInt(offset + ECHO_OFFSET, echo, BIG_ENDIAN);
    }

    /**
     * Epoch of the NI that announces itself. Returns the epoch in the upper half, how often it gave this NI up in the
     * lower.
     */
    public static long ownEpoch(final DirectBuffer packet, final int packetOffset)
    {
        return MessageHeader.arguments01(packet, packetOffset);
    }

    /**
     * Epoch of this NI as the announcing one knows it.
     *
     * @param packet       that holds the message.
     * @param packetOffset of its first byte.
     * @return as {@link #ownEpoch}; 0 for unknown.
     */
    public static long knownEpoch(final DirectBuffer packet, final int packetOffset)
    {
        return MessageHeader.arguments23(packet, packetOffset);
    }

    /** Returns the version of the layout; {@link #VERSION} if the message is valid. */
    public static int version(final DirectBuffer packet, final int packetOffset)
    {
        return packet.getInt(packetOffset + VERSION_OFFSET, BIG_ENDIAN);
    }

    /** Whether an announcement is wanted in return. True for a question. */
    public static boolean isAnswerWanted(final DirectBuffer packet, final int packetOffset)
    {
        return (packet.getInt(packetOffset + FLAGS_OFFSET, BIG_ENDIAN) & ANSWER_WANTED) != 0;
    }

    /**
     * Number of the sender's last question.
     *
     * @param packet       that holds the message.
     * @param packetOffset of its first byte.
     * @return free-running.
     */
    public static int probe(final DirectBuffer packet, final int packetOffset)
    {
        return packet.getInt(packetOffset + PROBE_OFFSET, BIG_ENDIAN);
    }

    /**
     * Number of this NI's last question that has come there.
     *
     * @param packet       that holds the message.
     * @param packetOffset of its first byte.
     * @return free-running; 0 for none.
     */
    public static int echo(final DirectBuffer packet, final int packetOffset)
    {
        return packet.getInt(packetOffset + ECHO_OFFSET, BIG_ENDIAN);
    }
}
