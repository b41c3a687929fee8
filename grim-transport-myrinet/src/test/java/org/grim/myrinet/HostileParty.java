// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;
import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.Doorbell;
import org.grim.board.PhysicalAddress;
import org.grim.board.StaticTranslation;
import org.grim.board.host.ChannelAppender;
import org.grim.myrinet.memory.MappedBoard;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.grim.board.ContextRegisters.FIRST_CHANNEL;
import static org.grim.board.ContextRegisters.OWNER;
import static org.grim.board.ContextRegisters.REGISTERED_LENGTH;

/**
 * A process that maps a board and writes what it likes, though only where a board in a machine would let it: in its own
 * last channel, that channel's queue, its own context and its own static entries.
 * <p>Thread: the test's.
 */
final class HostileParty implements AutoCloseable
{
    static final int PAYLOAD_LENGTH = 64;

    private static final int LANAI_MODEL = 9;
    private static final int NOTIFICATION_VALUE = 0x0BAD_0BAD;

    final AtomicBuffer sram;
    final BoardGeometry geometry;
    final int context;
    final int honestContext;
    final int channel;
    final int honestChannel;
    final int address;
    final int honestAddress;
    final int boardAddress;
    final int boardChannel;
    final ContextRegisters contextRegisters;
    final ChannelRegisters registers;
    private final MappedBoard board;
    private final ChannelAppender appender;
    private final long honestOffset;

    /**
     * Finds its own and the victim's parts.
     *
     * @param channelCount channels of each node.
     * @param honestOffset of bytes of the honest node's region that nobody else may touch.
     */
    HostileParty(
        final Path boardFile, final NodeInfo hostile, final NodeInfo honest, final NodeInfo boardNode,
        final int channelCount, final long honestOffset)
    {
        board = MappedBoard.open(boardFile, LANAI_MODEL);
        this.honestOffset = honestOffset;
        sram = board.sram();
        geometry = board.geometry();
        context = contextOf(hostile.number());
        honestContext = contextOf(honest.number());
        contextRegisters = new ContextRegisters(sram, geometry, context);
        channel = contextRegisters.get(FIRST_CHANNEL) + channelCount - 1;
        honestChannel = new ContextRegisters(sram, geometry, honestContext).get(FIRST_CHANNEL);
        address = addressOf(hostile);
        honestAddress = addressOf(honest);
        boardAddress = addressOf(boardNode);
        boardChannel = new ContextRegisters(sram, geometry, contextOf(boardNode.number())).get(FIRST_CHANNEL);
        registers = new ChannelRegisters(sram, geometry, channel);
        appender = new ChannelAppender(sram, geometry, channel);
    }

    /** Physical address of what is the honest node's. */
    long honest()
    {
        return PhysicalAddress.of(honestContext, honestOffset);
    }

    /** Physical address of something of its own. */
    long own()
    {
        return PhysicalAddress.of(context, honestOffset);
    }

    /** Bytes that each node has registered memory for. */
    long registeredLength()
    {
        return new ContextRegisters(sram, geometry, honestContext).getAcquire(REGISTERED_LENGTH);
    }

    /** Sends an active message that is in order, to itself. */
    void sendToItself()
    {
        send(address, channel, address, channel);
    }

    void send(
        final int sourceAddress, final int sourceChannel, final int destinationAddress, final int destinationChannel)
    {
        claim(MessageType.ACTIVE_MESSAGE, sourceAddress, sourceChannel, destinationAddress, destinationChannel,
            PAYLOAD_LENGTH, 0, 0);
        appender.publish();
    }

    /** Sends itself an active message that announces more than it has. */
    void sendLength(final int payloadLength)
    {
        claim(MessageType.ACTIVE_MESSAGE, address, channel, address, channel, payloadLength, 0, 0);
        appender.publish();
    }

    /** Publishes a header, and then says that more than all of its message stands there. */
    void sendFilled(final int filledLength)
    {
        claim(MessageType.ACTIVE_MESSAGE, address, channel, address, channel, PAYLOAD_LENGTH, 0, 0);
        registers.backAndFilledRelease(appender.position(), filledLength);
        ring();
    }

    /** Asks for an operation on the memory of a channel's owner. */
    void remote(
        final MessageType type, final int destinationAddress, final int destinationChannel, final long remoteAddress,
        final long notification, final int count)
    {
        final int index = claim(type, address, channel, destinationAddress, destinationChannel, PAYLOAD_LENGTH,
            remoteAddress, notification);
        sram.putInt(index + MessageHeader.LENGTH, NOTIFICATION_VALUE, ByteOrder.BIG_ENDIAN);
        sram.putInt(index + MessageHeader.LENGTH + Integer.BYTES, count, ByteOrder.BIG_ENDIAN);
        appender.publish();
    }

    /** Asks the board to bring bytes into its queue. */
    void pull(final long source, final int offset, final int length)
    {
        registers.askPull(registers.getAcquire(PULL_COUNT), source, registers.getAcquire(FRONT) + offset, length);
        ring();
    }

    void back(final int beyond)
    {
        registers.backAndFilledRelease(registers.getAcquire(FRONT) + beyond, 0);
        ring();
    }

    /** Sets its channel up again, and lets a message come there. */
    void setUpAgain(final Runnable change)
    {
        registers.disableRelease();
        change.run();
        registers.enableRelease();
        sendToItself();
    }

    /** Says in one of its own entries that the honest node's memory lies at a virtual address of its own. */
    void staticEntry(final long virtualAddress, final long physicalAddress)
    {
        final int entry = geometry.staticEntryCount() * context / geometry.contextCount();
        new StaticTranslation(sram, geometry).put(entry, context, virtualAddress, 1 << 16, physicalAddress,
            MemoryRegion.Rights.READ_WRITE.bits());
    }

    void ring()
    {
        new Doorbell(sram, geometry).ring(channel);
    }

    /** Whether bytes of a value that only the honest node's memory has stand in its queue. */
    boolean hasStolen(final byte value)
    {
        final int start = geometry.queueOffset(channel);
        int inRow = 0;
        for (int i = start; i < start + geometry.queueLength() && inRow < PAYLOAD_LENGTH; i++)
        {
            inRow = sram.getByte(i) == value ? inRow + 1 : 0;
        }
        return inRow == PAYLOAD_LENGTH;
    }

    @Override
    public void close()
    {
        board.close();
    }

    private int claim(
        final MessageType type, final int sourceAddress, final int sourceChannel, final int destinationAddress,
        final int destinationChannel, final int payloadLength, final long arguments01, final long arguments23)
    {
        final int index = appender.claim(MessageHeader.LENGTH + PAYLOAD_LENGTH);
        sram.setMemory(index, MessageHeader.LENGTH + PAYLOAD_LENGTH, (byte)0);
        new MessageHeader().wrap(sram, index).identity(0, 0).put(MessageHeader.typeWord(type, sourceAddress),
            destinationAddress, MessageHeader.routeWord(sourceChannel, destinationChannel), 0, payloadLength,
            arguments01, arguments23);
        return index;
    }

    private int contextOf(final int node)
    {
        for (int i = 0; i < geometry.contextCount(); i++)
        {
            final ContextRegisters candidate = new ContextRegisters(sram, geometry, i);
            if ((int)(candidate.getAcquire(OWNER) >>> Integer.SIZE) == node &&
                candidate.getAcquire(OWNER) != ContextRegisters.OWNER_NONE)
            {
                return i;
            }
        }
        throw new IllegalStateException("node=" + node + " has no context of " + board.path());
    }

    private static int addressOf(final NodeInfo node)
    {
        return EndpointId.of(node.number(), 0, 0).address();
    }
}
