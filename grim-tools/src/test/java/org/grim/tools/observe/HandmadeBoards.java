// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.NodeInfo;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.DmaRegionHeader;
import org.grim.board.NiRoute;
import org.grim.board.PhysicalAddress;
import org.grim.board.counters.NiCounterKind;
import org.grim.board.counters.NiCounters;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.cluster.ClusterFiles;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * Boards, regions and counters of a cluster whose nodes do not exist: files written by hand, as a driver and a firmware
 * would leave them.
 * <p>Thread: one. Owns: the files.
 */
public final class HandmadeBoards implements AutoCloseable
{
    /** When the first look is. */
    public static final long EPOCH_MS = 1_000_000;
    /** Frames of each arrival queue. */
    public static final int FRAME_COUNT = 4;
    /** Bytes of each queue in SRAM. */
    public static final int QUEUE_LENGTH = 1024;

    private static final int FRAME_LENGTH = 128;
    private static final int ARRIVAL_LENGTH = FRAME_LENGTH * FRAME_COUNT;
    private static final int ARRIVALS_OFFSET = 4096;
    private static final int CHANNEL_COUNT = 9;
    private static final int CONTEXT_COUNT = 4;
    private static final long STOPPED_PID = 4711;

    private final ClusterFiles files;
    private final int incarnation;
    private final Map<Integer, SeenNode> nodes = new HashMap<>();
    private final Map<Integer, MappedFile> boards = new HashMap<>();
    private final Map<Integer, MappedFile> regions = new HashMap<>();
    private final Map<Integer, NiCounters> counters = new HashMap<>();
    private final Map<Integer, BoardGeometry> geometries = new HashMap<>();
    private final Map<Integer, Long> steps = new HashMap<>();

    /** Nothing yet. */
    public HandmadeBoards(final Path directory)
    {
        this(directory, 1);
    }

    /** Nothing yet, of nodes of one incarnation. */
    public HandmadeBoards(final Path directory, final int incarnation)
    {
        files = new ClusterFiles(directory);
        this.incarnation = incarnation;
    }

    /** Where the files are. */
    public ClusterFiles files()
    {
        return files;
    }

    /** A live node that polls and has no board. */
    public HandmadeBoards node(final int number, final String name)
    {
        return put(number, name, true, SeenNode.ProcessState.RUNNING, NiRoute.NONE);
    }

    /** A node's board. */
    public HandmadeBoards board(final int node)
    {
        final BoardGeometry geometry =
            new BoardGeometry(9, node, 64 << 10, CHANNEL_COUNT, QUEUE_LENGTH, CONTEXT_COUNT, 0, 0);
        final MappedFile file = MappedFile.create(files.ofNode(node, incarnation, "board"), geometry.sramLength());
        BoardDescriptor.epoch(file.buffer(), 1);
        geometry.write(file.buffer());
        file.publish();
        boards.put(node, file);
        geometries.put(node, geometry);
        counters.put(node, NiCounters.create(
            files.ofNode(node, incarnation, "ni"), CHANNEL_COUNT, List.of("NO_ROOM", "EARLY")));
        steps.put(node, 1L);
        return this;
    }

    /** A node that uses a board, its own or another's, with so many channels from an NI channel on. */
    public HandmadeBoards attach(
        final int node, final int board, final int context, final int firstChannel, final int channelCount,
        final int arrivalMode)
    {
        final MappedFile region =
            MappedFile.create(files.ofNode(node, incarnation, DmaRegionHeader.fileKind(1)), ARRIVALS_OFFSET * 2);
        SegmentHeader.complete(region.buffer(), DmaRegionHeader.MAGIC);
        region.publish();
        regions.put(node, region);
        final ContextRegisters registers = new ContextRegisters(sram(board), geometries.get(board), context);
        registers.tryOwn((long)node << Integer.SIZE | incarnation);
        registers.requestAttach(channelCount, 1);
        registers.attached(firstChannel);
        for (int channel = 0; channel < channelCount; channel++)
        {
            channel(board, firstChannel + channel).put(CONTEXT, context).put(WEIGHT, 1).put(OWNER_ADDRESS, node << 4)
                .put(ARRIVAL_MODE, arrivalMode).put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH)
                .put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
                .put(ARRIVAL_ADDRESS, PhysicalAddress.of(context, arrivalsIndex(channel))).enableRelease();
        }
        final SeenNode seen = nodes.get(node);
        return put(node, seen.info().name(), seen.isAlive(), seen.process(), NiRoute.of(board, firstChannel, 0));
    }

    /** As with tail flags. */
    public HandmadeBoards attach(
        final int node, final int board, final int context, final int firstChannel, final int channelCount)
    {
        return attach(node, board, context, firstChannel, channelCount, ChannelRegisters.ARRIVAL_TAIL_FLAG);
    }

    /** The node's process is stopped. */
    public void stop(final int node)
    {
        final SeenNode seen = nodes.get(node);
        nodes.put(node, new SeenNode(seen.info(), true, SeenNode.ProcessState.STOPPED, seen.niRoute()));
    }

    /** A device of the node has paused a channel. */
    public void pause(final int node, final int channel)
    {
        final SeenNode seen = nodes.get(node);
        nodes.put(node,
            new SeenNode(seen.info(), seen.isAlive(), seen.process(), seen.niRoute(), Set.of(channel)));
    }

    /** The node's process is dead. */
    public void kill(final int node)
    {
        final SeenNode seen = nodes.get(node);
        nodes.put(node, new SeenNode(seen.info(), false, SeenNode.ProcessState.UNKNOWN, seen.niRoute()));
    }

    /** Messages of 32 bytes stand in an NI channel's queue. */
    public void send(final int board, final int channel, final int destination, final int niChannel, final int count)
    {
        final ChannelAppender appender = new ChannelAppender(sram(board), geometries.get(board), channel);
        final int source = channel(board, channel).get(OWNER_ADDRESS);
        for (int i = 0; i < count; i++)
        {
            write(sram(board), appender.claim(MessageHeader.LENGTH), source, channel, destination, niChannel, 0);
            appender.publish();
        }
    }

    /** A message stands in an arrival queue. */
    public void arrive(final int board, final int channel, final int node, final int source)
    {
        final ChannelRegisters registers = channel(board, channel);
        final int back = registers.get(ARRIVAL_BACK);
        final int offset = (int)PhysicalAddress.offset(registers.get(ARRIVAL_ADDRESS));
        final boolean isFrames = registers.get(ARRIVAL_MODE) == ChannelRegisters.ARRIVAL_TAIL_FLAG;
        final int index = isFrames ? tail(board, channel, back) - MessageHeader.LENGTH :
            offset + (back & (ARRIVAL_LENGTH - 1));
        write(regions.get(node).buffer(), index, source << 4, 0, node, channel, 0);
        if (isFrames)
        {
            regions.get(node).buffer().putInt(tail(board, channel, back), MessageHeader.LENGTH, ByteOrder.BIG_ENDIAN);
        }
        registers.put(ARRIVAL_BACK, back + (isFrames ? 1 : MessageHeader.LENGTH));
    }

    /** The first arrival of a channel is no message. */
    public void spoil(final int board, final int channel, final int node)
    {
        regions.get(node).buffer().putInt(tail(board, channel, 0), 13, ByteOrder.BIG_ENDIAN);
    }

    /** Writes a message's header anywhere. */
    static void write(
        final AtomicBuffer buffer, final int index, final int sourceAddress, final int sourceChannel,
        final int destination, final int niChannel, final int payloadLength)
    {
        new MessageHeader().wrap(buffer, index).put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, sourceAddress),
            destination << 4, MessageHeader.routeWord(sourceChannel, niChannel), 77, payloadLength, 0, 0);
        buffer.putInt(index, MessageHeader.identityWord(0));
    }

    /** Memory of a board. */
    public AtomicBuffer sram(final int board)
    {
        return boards.get(board).buffer();
    }

    /** Sizes of a board. */
    public BoardGeometry geometry(final int board)
    {
        return geometries.get(board);
    }

    /** Registers of a channel. */
    public ChannelRegisters channel(final int board, final int channel)
    {
        return new ChannelRegisters(sram(board), geometries.get(board), channel);
    }

    /** Counters of a board. */
    public NiCounters counters(final int board)
    {
        return counters.get(board);
    }

    /** A board makes steps, as far as its counters tell. */
    public void step(final int board)
    {
        counters.get(board).set(NiCounterKind.STEPS, 0, steps.merge(board, 1L, Long::sum));
    }

    /** The nodes. */
    public List<SeenNode> nodes()
    {
        return new ArrayList<>(nodes.values());
    }

    /** The first look, or a later one. */
    public NiSample look(final long afterMs)
    {
        return NiSample.of(files, EPOCH_MS + afterMs, nodes());
    }

    @Override
    public void close()
    {
        counters.values().forEach(NiCounters::close);
        boards.values().forEach(MappedFile::closeAndDelete);
        regions.values().forEach(MappedFile::closeAndDelete);
    }

    private HandmadeBoards put(
        final int number, final String name, final boolean isAlive, final SeenNode.ProcessState process,
        final int niRoute)
    {
        final NodeInfo info = new NodeInfo(
            number, name, NodeInfo.State.UP, incarnation, STOPPED_PID + number, 4, List.of("myrinet"),
            List.of(), EPOCH_MS - 100, "local", NodeInfo.GoneReason.NONE);
        nodes.put(number, new SeenNode(info, isAlive, process, niRoute));
        return this;
    }

    private int tail(final int board, final int channel, final int frame)
    {
        return (int)PhysicalAddress.offset(channel(board, channel).get(ARRIVAL_ADDRESS)) +
            (frame & (FRAME_COUNT - 1)) * FRAME_LENGTH + FRAME_LENGTH - Integer.BYTES;
    }

    private static long arrivalsIndex(final int channel)
    {
        return ARRIVALS_OFFSET + (long)channel * ARRIVAL_LENGTH;
    }
}
