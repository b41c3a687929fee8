// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Messages of a board in an arrival queue, as the message loop gets them. */
final class ChannelArrivalsTest implements MessageSink
{
    private static final int SRAM_LENGTH = 1 << 20;
    private static final int FRAME_LENGTH = 128;
    private static final int TREE = 0xA5;
    private static final int NODE_COUNT_MAX = 2;
    private static final int SOURCE_CHANNEL = 201;
    private static final int NI_SOURCE_CHANNEL = 3;

    @TempDir
    private Path cluster;
    private final AtomicBuffer region = Buffers.allocate(FRAME_LENGTH);
    private final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
    private final List<Integer> lengths = new ArrayList<>();
    private final List<Integer> trees = new ArrayList<>();
    private final List<Integer> sourceChannels = new ArrayList<>();
    private final List<RejectReason> reasons = new ArrayList<>();
    private int sourceNode;
    private ClusterDirectory directory;
    private ChannelArrivals arrivals;
    private ChannelRegisters registers;

    @BeforeEach
    void join()
    {
        directory = ClusterDirectory.join(new ClusterFiles(cluster), NODE_COUNT_MAX,
            new NodeDescription("local", "alone", 1, List.of("myrinet")));
        final BoardGeometry geometry = new BoardGeometry(9, 0, SRAM_LENGTH, 1, 4096, 1, 0, 0);
        geometry.write(sram);
        registers = new ChannelRegisters(sram, geometry, 0);
        registers.put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_TAIL_FLAG)
            .put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH).put(FRAME_COUNT, 1)
            .put(ARRIVAL_ADDRESS, PhysicalAddress.of(0, 0));
        sourceNode = directory.self();
        arrivals = new ChannelArrivals(region, registers, directory, 0);
    }

    @AfterEach
    void leave()
    {
        directory.close();
    }

    @Test
    void shouldHandOverWhatIsForThisIncarnation()
    {
        arrive(directory.incarnation(), 8);

        assertEquals(List.of(8), lengths);
        assertEquals(List.of(), reasons);
    }

    /** Its source has no route any more: its next incarnation joins, or has other channels of its board. */
    @Test
    void shouldNameTheSourcesOwnChannel()
    {
        arrive(directory.incarnation(), 0);

        assertEquals(List.of(SOURCE_CHANNEL), sourceChannels);
    }

    @Test
    void shouldRefuseASourceThatTheClusterHasNoRoomFor()
    {
        sourceNode = NODE_COUNT_MAX;

        arrive(directory.incarnation(), 0);

        assertEquals(List.of(RejectReason.WRONG_SOURCE), reasons);
    }

    /** Also a message that differs only in the incarnation's upper bits, with any tree in the header. */
    @Test
    void shouldRefuseWhatIsForAnyOther()
    {
        arrive(directory.incarnation() - 1, 8);
        arrive(directory.incarnation() + 0x100, 8);
        arrive(directory.incarnation() ^ 1 << 23, 8);

        assertEquals(List.of(), lengths);
        assertEquals(
            List.of(RejectReason.OLD_INCARNATION, RejectReason.OLD_INCARNATION, RejectReason.OLD_INCARNATION), reasons);
    }

    @Test
    void shouldLeaveTheTreeToMulticast()
    {
        arrive(directory.incarnation(), 0);

        assertEquals(List.of(TREE), trees);
    }

    @Test
    void shouldRefuseWhatHasNoRoomForAnIncarnation()
    {
        arrive(directory.incarnation(), -Integer.BYTES);

        assertEquals(List.of(RejectReason.BAD_LENGTH), reasons);
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        assertEquals(payloadLength, MessageHeader.payloadLength(first, second));
        trees.add((int)first >>> 16 & 0xFF);
        sourceChannels.add(MessageHeader.sourceChannel(second));
        for (int i = 0; i < payloadLength; i++)
        {
            assertEquals(i, buffer.getByte(payloadOffset + i));
        }
        lengths.add(payloadLength);
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        reasons.add(reason);
    }

    /** A message as the board would deliver it: its end meets the tail word. */
    private void arrive(final int incarnation, final int payloadLength)
    {
        final int length = NiHeader.LENGTH + payloadLength;
        final int index = FRAME_LENGTH - Integer.BYTES - length;
        final int address = directory.self() << 4;
        new MessageHeader().wrap(region, index).identity(7, 9).put(
            MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, sourceNode << 4) | TREE << 16, address,
            MessageHeader.routeWord(NI_SOURCE_CHANNEL, 0), 20, length - MessageHeader.LENGTH, 1, 2);
        if (payloadLength >= 0)
        {
            NiHeader.putIncarnationWord(region, index, NiHeader.incarnationWord(incarnation, SOURCE_CHANNEL));
        }
        for (int i = 0; i < payloadLength; i++)
        {
            region.putByte(index + NiHeader.LENGTH + i, (byte)i);
        }
        region.putInt(FRAME_LENGTH - Integer.BYTES, length, ByteOrder.BIG_ENDIAN);
        arrivals.drain(this, 1);
    }
}
