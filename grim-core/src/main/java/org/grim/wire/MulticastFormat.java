// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Where the words of a multicast message or a tree update lie. Big endian; offsets in bytes from the message's first
 * byte. The tree's number stands in the header's tree byte.
 * <pre>
 *  32  origin: endpoint (16) | channel (8) | kind (8)
 *  36  epoch of the tree (32): which of its updates the message belongs to
 *  40  ticket (32): number of the message within the epoch, given by the tree's root
 *  44  forwarding (32): two numbers of nodes, for the node that holds the message; of no meaning on the wire
 *  48  length of the whole message (32) | offset of this fragment in it (32)
 *  56  data; in an update that opens an epoch its subscribers:
 *      forwarder (16) | flags (8) | channel (8) | endpoint (16) | 0 (16)
 * </pre>
 * A subscriber's forwarder is the node that passes the tree's messages on for it. A host sends to the tree's root, on
 * channel {@value #INJECTION_CHANNEL}; there origin and ticket are written. From then on the destination channel is the
 * tree's number, so that each tree has its own sequences.
 * <p>Thread: any; no state.
 */
public final class MulticastFormat
{
    /** Destination channel of what a host sends to a tree's root. */
    public static final int INJECTION_CHANNEL = 255;
    /** Smallest number of a tree: 0 means none. */
    public static final int TREE_MIN = 1;
    /** Largest number of a tree. */
    public static final int TREE_MAX = 254;
    /** No child. */
    public static final int NO_FORWARDER = 0xFFFF;
    /** Kind of a message with data. */
    public static final int DATA = 0;
    /** Kind of the update that is the last message of an epoch. */
    public static final int CLOSE = 1;
    /** Kind of the update that is the first message of an epoch, and names its subscribers. */
    public static final int OPEN = 2;
    /** Flag of a subscriber: its forwarder does not wait for the end of the epoch before, which will not come. */
    public static final int JUMP = 1;

    /** Origin and kind: u32, the root; kind: the sender. */
    public static final int ORIGIN_OFFSET = MessageHeader.LENGTH;
    /** Epoch: u32, sender. */
    public static final int EPOCH_OFFSET = ORIGIN_OFFSET + SIZE_OF_INT;
    /** Ticket: u32, the root. */
    public static final int TICKET_OFFSET = EPOCH_OFFSET + SIZE_OF_INT;
    /** Forwarding: 2 x u16, each forwarder for itself. */
    public static final int FORWARDING_OFFSET = TICKET_OFFSET + SIZE_OF_INT;
    /** Length of the whole message: u32, sender. */
    public static final int TOTAL_OFFSET = FORWARDING_OFFSET + SIZE_OF_INT;
    /** Offset of this fragment: u32, sender. */
    public static final int FRAGMENT_OFFSET = TOTAL_OFFSET + SIZE_OF_INT;
    /** Data, or subscribers. */
    public static final int DATA_OFFSET = FRAGMENT_OFFSET + SIZE_OF_INT;
    /** Payload bytes before the data. */
    public static final int EXTENSION_LENGTH = DATA_OFFSET - MessageHeader.LENGTH;
    /** Bytes of a subscriber. */
    public static final int SUBSCRIBER_LENGTH = SIZE_OF_LONG;

    private static final int NODE_AND_DEVICE_OFFSET = MessageHeader.TYPE_OFFSET + Short.BYTES;
    private static final int DESTINATION_OFFSET = MessageHeader.EXTENT_OFFSET + Short.BYTES;
    private static final int CHANNELS_OFFSET = MessageHeader.EXTENT_OFFSET + SIZE_OF_INT;
    private static final int TREE_OFFSET = MessageHeader.TYPE_OFFSET + 1;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int BYTE_MASK = 0xFF;
    private static final int TREE_SHIFT = 16;
    private static final int FORWARDER_SHIFT = 48;
    private static final int FLAGS_SHIFT = 40;
    private static final int CHANNEL_SHIFT = 32;

    private MulticastFormat()
    {
    }

    /**
     * Word 1 of a multicast, for {@link MessageHeader#put}.
     *
     * @param type          {@link MessageType#MULTICAST_DATA} or {@link MessageType#MULTICAST_TREE_UPDATE}.
     * @param sourceAddress node and device of the sender.
     * @param tree          {@value #TREE_MIN} to {@value #TREE_MAX}.
     * @return the word without the correction.
     */
    public static int typeWord(final MessageType type, final int sourceAddress, final int tree)
    {
        return MessageHeader.typeWord(type, sourceAddress) | tree << TREE_SHIFT;
    }

    /** Whether a type is one of the two. True for data and for updates. */
    public static boolean isMulticast(final int typeCode)
    {
        return typeCode == MessageType.MULTICAST_DATA.code() || typeCode == MessageType.MULTICAST_TREE_UPDATE.code();
    }

    /**
     * The tree that a message belongs to.
     *
     * @param first words 0 and 1 of its header.
     * @return 0 to 255.
     */
    public static int tree(final long first)
    {
        return (int)first >>> TREE_SHIFT & BYTE_MASK;
    }

    /**
     * The tree of a message in memory.
     *
     * @param buffer that holds it.
     * @param index  of its header.
     * @return 0 to 255.
     */
    public static int tree(final DirectBuffer buffer, final int index)
    {
        return buffer.getByte(index + TREE_OFFSET) & BYTE_MASK;
    }

    /**
     * Writes the words behind the header, as a sender does.
     *
     * @param buffer         that holds the message.
     * @param index          of its header.
     * @param kind           {@link #DATA}, {@link #CLOSE} or {@link #OPEN}.
     * @param epoch          of the tree, as the sender knows it.
     * @param totalLength    bytes of the whole message.
     * @param fragmentOffset of this fragment in it.
     */
    public static void putExtension(
        final MutableDirectBuffer buffer, final int index, final int kind, final int epoch, final int totalLength,
        final int fragmentOffset)
    {
        buffer.putInt(index + ORIGIN_OFFSET, kind, BIG_ENDIAN);
        buffer.putInt(index + EPOCH_OFFSET, epoch, BIG_ENDIAN);
        buffer.putInt(index + TICKET_OFFSET, 0, BIG_ENDIAN);
        putForwarding(buffer, index, NO_FORWARDER, NO_FORWARDER);
        buffer.putInt(index + TOTAL_OFFSET, totalLength, BIG_ENDIAN);
        buffer.putInt(index + FRAGMENT_OFFSET, fragmentOffset, BIG_ENDIAN);
    }

    /**
     * Writes where the message goes from the forwarder that holds it.
     *
     * @param buffer that holds the message.
     * @param index  of its header.
     * @param first  number of a node, or {@value #NO_FORWARDER}.
     * @param second number of a node, or {@value #NO_FORWARDER}.
     */
    public static void putForwarding(
        final MutableDirectBuffer buffer, final int index, final int first, final int second)
    {
        buffer.putInt(index + FORWARDING_OFFSET, first << Short.SIZE | (second & SHORT_MASK), BIG_ENDIAN);
    }

    /**
     * Where the message goes.
     *
     * @param buffer that holds the message.
     * @param index  of its header.
     * @param child  0 or 1.
     * @return number of a node, or {@value #NO_FORWARDER}.
     */
    public static int forwarding(final DirectBuffer buffer, final int index, final int child)
    {
        return buffer.getShort(index + FORWARDING_OFFSET + child * Short.BYTES, BIG_ENDIAN) & SHORT_MASK;
    }

    /**
     * Writes what the root says of a message.
     *
     * @param buffer  that holds the message.
     * @param index   of its header.
     * @param address of the endpoint that sent it.
     * @param channel that it came from.
     * @param ticket  that it gets.
     */
    public static void putLabel(
        final MutableDirectBuffer buffer, final int index, final int address, final int channel, final int ticket)
    {
        final int kind = kind(buffer, index);
        buffer.putInt(index + ORIGIN_OFFSET, address << Short.SIZE | channel << Byte.SIZE | kind, BIG_ENDIAN);
        buffer.putInt(index + TICKET_OFFSET, ticket, BIG_ENDIAN);
    }

    /**
     * Writes whom the message is from and goes to in its next step.
     *
     * @param buffer        that holds the message.
     * @param index         of its header.
     * @param sourceAddress node and device of the sending forwarder.
     * @param sourceChannel of that forwarder.
     * @param tree          that it belongs to.
     */
    public static void putStep(
        final MutableDirectBuffer buffer, final int index, final int sourceAddress, final int sourceChannel,
        final int tree)
    {
        buffer.putShort(index + NODE_AND_DEVICE_OFFSET, (short)sourceAddress, BIG_ENDIAN);
        buffer.putShort(index + CHANNELS_OFFSET, (short)(sourceChannel << Byte.SIZE | tree), BIG_ENDIAN);
    }

    /**
     * Writes whom the message goes to in its next step.
     *
     * @param buffer             that holds the message.
     * @param index              of its header.
     * @param destinationAddress of a node of the receiving forwarder.
     */
    public static void putDestination(final MutableDirectBuffer buffer, final int index, final int destinationAddress)
    {
        buffer.putShort(index + DESTINATION_OFFSET, (short)destinationAddress, BIG_ENDIAN);
    }

    /** Node and device of who sent the message to the root. Returns 16 bits. */
    public static int originAddress(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index + ORIGIN_OFFSET, BIG_ENDIAN) & SHORT_MASK;
    }

    /**
     * Channel of who sent the message to the root.
     *
     * @param buffer that holds the message.
     * @param index  of its header.
     * @return 0 to 255.
     */
    public static int originChannel(final DirectBuffer buffer, final int index)
    {
        return buffer.getByte(index + ORIGIN_OFFSET + Short.BYTES) & BYTE_MASK;
    }

    /** Returns the kind of the message: {@link #DATA}, {@link #CLOSE}, {@link #OPEN}, or an invalid value. */
    public static int kind(final DirectBuffer buffer, final int index)
    {
        return buffer.getByte(index + ORIGIN_OFFSET + Short.BYTES + 1) & BYTE_MASK;
    }

    /**
     * The epoch of the tree.
     *
     * @param buffer that holds the message.
     * @param index  of its header.
     * @return any number; compared by difference.
     */
    public static int epoch(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index + EPOCH_OFFSET, BIG_ENDIAN);
    }

    /** The number of the message in its epoch. Returns 0 for the first; of no meaning before the root. */
    public static int ticket(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index + TICKET_OFFSET, BIG_ENDIAN);
    }

    /**
     * Bytes of the whole message, of which this is a fragment.
     *
     * @param buffer that holds the message.
     * @param index  of its header.
     * @return as the sender wrote it.
     */
    public static int totalLength(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index + TOTAL_OFFSET, BIG_ENDIAN);
    }

    /**
     * Where this fragment begins in the whole message.
     *
     * @param buffer that holds the message.
     * @param index  of its header.
     * @return as the sender wrote it.
     */
    public static int fragmentOffset(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index + FRAGMENT_OFFSET, BIG_ENDIAN);
    }

    /**
     * Writes a subscriber into an update.
     *
     * @param buffer    that holds the message.
     * @param index     of its header.
     * @param position  0 for the first subscriber.
     * @param forwarder of it.
     * @param flags     {@link #JUMP} or 0.
     * @param channel   that takes its multicasts; channel of that forwarder.
     * @param address   node and device.
     */
    public static void putSubscriber(
        final MutableDirectBuffer buffer, final int index, final int position, final int forwarder,
        final int flags, final int channel, final int address)
    {
        buffer.putLong(index + DATA_OFFSET + position * SUBSCRIBER_LENGTH,
            subscriberWord(forwarder, flags, channel, address), BIG_ENDIAN);
    }

    /**
     * A subscriber as an update names it.
     *
     * @param forwarder of it.
     * @param flags     {@link #JUMP} or 0.
     * @param channel   that takes its multicasts; channel of that forwarder.
     * @param address   node and device.
     * @return all of it.
     */
    public static long subscriberWord(final int forwarder, final int flags, final int channel, final int address)
    {
        return (long)forwarder << FORWARDER_SHIFT | (long)flags << FLAGS_SHIFT | (long)channel << CHANNEL_SHIFT |
            (long)address << Short.SIZE;
    }

    /**
     * A subscriber of an update.
     *
     * @param buffer   that holds the message.
     * @param index    of its header.
     * @param position 0 for the first subscriber.
     * @return for {@link #subscriberForwarder} and the like.
     */
    public static long subscriber(final DirectBuffer buffer, final int index, final int position)
    {
        return buffer.getLong(index + DATA_OFFSET + position * SUBSCRIBER_LENGTH, BIG_ENDIAN);
    }

    /** {@return the forwarder of a subscriber} */
    public static int subscriberForwarder(final long subscriber)
    {
        return (int)(subscriber >>> FORWARDER_SHIFT);
    }

    /** Whether a subscriber's forwarder does not wait for the end of the epoch before. True if it has the flag. */
    public static boolean isJump(final long subscriber)
    {
        return (subscriber >>> FLAGS_SHIFT & JUMP) != 0;
    }

    /**
     * The channel of a subscriber.
     *
     * @param subscriber from an update.
     * @return 0 to 255.
     */
    public static int subscriberChannel(final long subscriber)
    {
        return (int)(subscriber >>> CHANNEL_SHIFT) & BYTE_MASK;
    }

    /** Node and device of a subscriber. Returns 16 bits. */
    public static int subscriberAddress(final long subscriber)
    {
        return (int)(subscriber >>> Short.SIZE) & SHORT_MASK;
    }
}
