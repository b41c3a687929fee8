// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.host.ChannelAppender;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.Event;
import org.grim.ni.simulation.check.DeliveryLedger;
import org.grim.ni.simulation.check.MessageKind;
import org.grim.ni.simulation.check.MessagePattern;
import org.grim.ni.simulation.check.PairLedger;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.board.ChannelRegisters.PULLED_COUNT;

/**
 * A host's sending half of one channel: writes messages into SRAM in bursts, as the workload says, whole or segment by
 * segment.
 * <p>Thread: the simulation's.
 */
final class HostSender extends Event
{
    private static final long[] NO_SUBSCRIBERS = {};
    private static final int EXTENSION_LENGTH = 2 * SIZE_OF_INT;
    private static final int NODE_SHIFT = 4;
    private static final int BAD_KIND_COUNT = 8;
    private static final int BAD_READ = 7;
    private static final int BAD_OFFSET_MASK = 0xFF;
    private static final int CHURN_WORD_OFFSET = 3072;
    private static final int SEGMENT_WORDS_MAX = 64;
    private static final int SEGMENTS_OF_GAP = 8;
    private static final long BACK_OFF_NS_MAX = 1_000_000;
    private static final long PAGE_MASK = -4096L;

    private final SimulatedHost host;
    private final int channel;
    private final int contextCount;
    private final Run run;
    private final HostLayout layout;
    private final AtomicBuffer sram;
    private final BoardGeometry geometry;
    private final Workload workload;
    private final Runnable wakeBoard;
    private final ChannelRegisters pulls;
    private final Doorbell doorbell;
    private final MessageHeader header = new MessageHeader();
    private ChannelAppender appender;
    private int segmentsLength;             // Of the message that is being written segment by segment; 0 for none.
    private int writtenLength;
    private int pullCount;
    private boolean isPulling;              // A message is claimed, and the board fetches its payload.
    private int endPosition;
    private KnownTree fragmentedTree;       // Of a multicast that has more fragments; null for none.
    private int fragmentedEpoch;
    private int fragmentOffset;
    private int totalLength;
    private int incarnation = 1;
    private boolean isStopped;
    private long backOffNs;

    HostSender(
        final SimulatedHost host, final int channel, final BoardMemory memory, final Run run,
        final Runnable wakeBoard)
    {
        this.host = host;
        this.channel = channel;
        this.run = run;
        layout = run.layout();
        workload = run.workload();
        sram = memory.sram();
        geometry = memory.geometry();
        this.wakeBoard = wakeBoard;
        contextCount = geometry.contextCount();
        appender = new ChannelAppender(sram, geometry, channel);
        pulls = new ChannelRegisters(sram, geometry, channel);
        doorbell = new Doorbell(sram, geometry);
    }

    void start()
    {
        if (!isScheduled() && !isStopped)
        {
            run.clock().schedule(this, run.clock().nowNs() + workload.gapNs());
        }
    }

    /** The board is dead: nobody takes what is appended. */
    void stop()
    {
        isStopped = true;
        run.clock().cancel(this);
    }

    /** A new process takes the channel over, unless a message is half written. */
    void restart()
    {
        if (isIdle())
        {
            appender = new ChannelAppender(sram, geometry, channel);
            fragmentedTree = null;
            incarnation++;
        }
    }

    @Override
    protected void run()
    {
        if (segmentsLength != 0)
        {
            fillSegment();
        }
        else if (isPulling)
        {
            awaitPull();
        }
        else
        {
            sendBurst();
        }
        if (appender.isCorrupt())
        {
            throw new ViolationException("front corrupt", "NI " + host.ni + " channel " + channel);
        }
        if (workload.hasMore() || !isIdle())
        {
            run.clock().schedule(this, run.clock().nowNs() +
                (isIdle() ? backOffNs + workload.gapNs() : 1 + workload.gapNs() / SEGMENTS_OF_GAP));
        }
    }

    /** A host that finds no room looks again later and later. */
    private void sendBurst()
    {
        for (int i = workload.burstCount(); i > 0 && isIdle() && workload.hasMore(); i--)
        {
            if (!trySend())
            {
                backOffNs = Math.min(BACK_OFF_NS_MAX, 2 * backOffNs + 1);
                return;
            }
            backOffNs = 0;
            workload.take();
        }
    }

    /**
     * Sends a small active message outside the workload, to check that a path is open. Returns false if the queue is
     * full.
     */
    boolean tryProbe(final int destinationNi, final int destinationChannel)
    {
        return isIdle() &&
            send(run.ledger().pair(host.ni, channel, destinationNi, destinationChannel), MessageKind.ACTIVE, 0, false);
    }

    private boolean trySend()
    {
        final KnownTree tree = fragmentedTree == null ? workload.openTree() : fragmentedTree;
        if (tree != null)
        {
            return trySendFragment(tree);
        }
        final int destinationNi = workload.destinationNi(host.ni);
        MessageKind kind = workload.kind();
        if (kind == MessageKind.LOST)
        {
            return send(
                run.ledger().pair(host.ni, channel, host.unknownNi(), 0), kind, workload.payloadLength(), false);
        }
        if (kind != MessageKind.ACTIVE && !layout.hasSlot(host.ni, destinationNi))
        {
            kind = MessageKind.ACTIVE;
        }
        if (kind == MessageKind.ACTIVE)
        {
            return send(run.ledger().pair(host.ni, channel, destinationNi, workload.destinationChannel(channel)), kind,
                workload.payloadLength(), workload.isInSegments());
        }
        final PairLedger pair = run.ledger().pair(host.ni, channel, destinationNi, channel);
        return kind == MessageKind.CHURN ? sendToChurn(pair) : sendOperation(pair, kind);
    }

    /**
     * Sends the next fragment of a multicast; a message that does not fit into one has several, in a row. Its rest is
     * not sent when the tree changes.
     */
    private boolean trySendFragment(final KnownTree tree)
    {
        if (fragmentedTree == null)
        {
            totalLength = workload.multicastLength(layout.multicastLengthMax);
            fragmentOffset = 0;
            fragmentedEpoch = tree.epoch;
        }
        fragmentedTree = tree.isOpen && tree.epoch == fragmentedEpoch ? tree : null;
        if (fragmentedTree == null)
        {
            return true;
        }
        final int length = Math.min(totalLength - fragmentOffset, layout.multicastLengthMax);
        if (!trySendMulticast(
            tree.number, tree.rootNi, tree.epoch, MulticastFormat.DATA, length, NO_SUBSCRIBERS, false))
        {
            return false;
        }
        fragmentOffset += length;
        fragmentedTree = fragmentOffset == totalLength ? null : tree;
        return true;
    }

    /** A multicast or an update; false if there is no room. The subscribers are those of an update. */
    boolean trySendMulticast(
        final int tree, final int rootNi, final int epoch, final int kind, final int dataLength,
        final long[] subscribers, final boolean isUpdate)
    {
        final int payloadLength = MulticastFormat.EXTENSION_LENGTH + dataLength;
        final int index = isIdle() ? appender.claim(MessageHeader.LENGTH + payloadLength) : ChannelAppender.NO_ROOM;
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        final PairLedger pair = run.ledger().pair(host.ni, channel, rootNi, MulticastFormat.INJECTION_CHANNEL);
        final int number = pair.nextNumber();
        final long arguments01 = MessageHeader.pair(
            DeliveryLedger.sender(host.ni, channel, tree), DeliveryLedger.receiver(rootNi, incarnation));
        final int seed = DeliveryLedger.seed(arguments01, number);
        header.wrap(sram, index).identity(0, 0).put(
            MulticastFormat.typeWord(isUpdate ? MessageType.MULTICAST_TREE_UPDATE : MessageType.MULTICAST_DATA,
                host.address(), tree), host.nodeOf(rootNi) << NODE_SHIFT,
            MessageHeader.routeWord(channel, MulticastFormat.INJECTION_CHANNEL), 0, payloadLength, arguments01,
            MessageHeader.pair(number, seed));
        final boolean isFragment = fragmentedTree != null && !isUpdate;
        MulticastFormat.putExtension(
            sram, index, kind, epoch, isFragment ? totalLength : dataLength, isFragment ? fragmentOffset : 0);
        for (int i = 0; i < subscribers.length; i++)
        {
            sram.putLong(index + MulticastFormat.DATA_OFFSET + i * SIZE_OF_LONG, subscribers[i], BIG_ENDIAN);
        }
        if (!isUpdate)
        {
            MessagePattern.fill(sram, index + MulticastFormat.DATA_OFFSET, dataLength, seed);
        }
        accept(pair, MessageKind.MULTICAST, MessageHeader.LENGTH + payloadLength);
        publish();
        return true;
    }

    private boolean send(
        final PairLedger pair, final MessageKind kind, final int payloadLength, final boolean isInSegments)
    {
        final int length = MessageHeader.LENGTH + payloadLength;
        final boolean hasSegments = isInSegments && payloadLength > SEGMENT_WORDS_MAX * SIZE_OF_INT / 2;
        final int index = hasSegments ? appender.beginSegments(length) : appender.claim(length);
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        final int number = pair.nextNumber();
        final long arguments01 = DeliveryLedger.arguments01(pair, incarnation);
        final int seed = DeliveryLedger.seed(arguments01, number);
        putHeader(index, MessageType.ACTIVE_MESSAGE, pair, payloadLength, arguments01,
            MessageHeader.pair(number, seed));
        final boolean isPulled = !hasSegments && kind == MessageKind.ACTIVE && payloadLength > 0 && workload.isPulled();
        MessagePattern.fill(isPulled ? host.region(channel) : sram,
            isPulled ? layout.pullOffset(channel) : index + MessageHeader.LENGTH, payloadLength, seed);
        accept(pair, kind, length);
        if (isPulled)
        {
            pull(payloadLength);
        }
        else if (hasSegments)
        {
            segmentsLength = length;
            writtenLength = 0;
            fillSegment();
        }
        else
        {
            publish();
        }
        return true;
    }

    private boolean isIdle()
    {
        return segmentsLength == 0 && !isPulling;
    }

    private void pull(final int payloadLength)
    {
        isPulling = true;
        pulls.askPull(pullCount++, HostMemory.address(channel % contextCount, layout.pullOffset(channel)),
            appender.position() + MessageHeader.LENGTH, payloadLength);
        doorbell.ring(channel);
        wakeBoard.run();
    }

    private void awaitPull()
    {
        if (pulls.getAcquire(PULLED_COUNT) == pullCount)
        {
            isPulling = false;
            run.trace().reach(Probe.MESSAGE_PULLED);
            publish();
        }
    }

    /** Fills a segment: the bytes stand there already; only the notification of the board counts. */
    private void fillSegment()
    {
        final int words = 1 + workload.draws().below(SEGMENT_WORDS_MAX);
        writtenLength = Math.max(writtenLength, MessageHeader.LENGTH) + words * SIZE_OF_INT;
        if (writtenLength >= segmentsLength)
        {
            segmentsLength = 0;
            publish();
        }
        else
        {
            appender.fill(writtenLength);
            wakeBoard.run();
        }
    }

    private boolean sendOperation(final PairLedger pair, final MessageKind kind)
    {
        final int number = pair.nextNumber();
        final int seed = RemoteOperation.seed(pair.sourceNi, channel, number);
        final int offset = RemoteOperation.offset(seed);
        final int dataLength = RemoteOperation.length(seed, layout.operationLengthMax);
        final int bad = kind == MessageKind.MISGUIDED ? workload.draws().below(BAD_KIND_COUNT) : -1;
        final boolean isRead = kind == MessageKind.READ || bad == BAD_READ;
        final int payloadLength = EXTENSION_LENGTH + (isRead ? SIZE_OF_LONG : dataLength);
        final int index = appender.claim(MessageHeader.LENGTH + payloadLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        final int slot = isRead ? layout.slotCount() + layout.slot(host.ni, pair.destinationNi, channel) :
            layout.slot(host.ni, pair.destinationNi, channel);
        final int slotOffset = layout.slotOffset(slot);
        final boolean isPhysical = !isRead && (seed & 1) == 0;
        final long base = isPhysical ? layout.peersAddress(0, number) : HostLayout.VIRTUAL_START;
        long address = base + (isRead ? layout.readSourceOffset + RemoteOperation.sourceOffset(seed) :
            slotOffset + HostLayout.DATA_OFFSET + offset);
        long notification = base + slotOffset + HostLayout.NOTIFICATION_OFFSET;
        int count = dataLength;
        switch (bad)
        {
            case 0 -> address = badAddress(isPhysical, address, number);
            case 1 ->
            {
                address = -1;
                count = Math.max(2, count);
            }
            case 2 -> notification++;
            case 3 -> count = 0;
            case 4 -> count = isRead ? -1 : payloadLength;
            case 5 -> address = isPhysical ? badAddress(true, address, number) : base + layout.readOnlyOffset;
            case 6 -> notification =
                isPhysical ? badAddress(true, address, number) & -SIZE_OF_INT : base + layout.readOnlyOffset;
            case BAD_READ -> address = base + layout.writeOnlyOffset();
            default ->
            {
                // All of it is right.
            }
        }
        final MessageType type = isRead ? MessageType.REMOTE_READ :
            isPhysical ? MessageType.REMOTE_WRITE_PHYSICAL : MessageType.REMOTE_WRITE_VIRTUAL;
        putHeader(index, type, pair, payloadLength, address, notification);
        final int payload = index + MessageHeader.LENGTH;
        sram.putInt(payload, RemoteOperation.value(number), BIG_ENDIAN);
        sram.putInt(payload + SIZE_OF_INT, count, BIG_ENDIAN);
        if (isRead)
        {
            sram.putLong(payload + EXTENSION_LENGTH,
                HostLayout.VIRTUAL_START + slotOffset + HostLayout.DATA_OFFSET + offset, BIG_ENDIAN);
        }
        else
        {
            MessagePattern.fill(sram, payload + EXTENSION_LENGTH, dataLength, seed);
        }
        accept(pair, kind, MessageHeader.LENGTH + payloadLength);
        publish();
        return true;
    }

    /** A write to memory that may be registered, or may have been. False if the queue is full. */
    private boolean sendToChurn(final PairLedger pair)
    {
        final ChurnArea area = workload.churnArea(pair.destinationNi, channel % contextCount);
        final long start = area.someAddress(workload.draws());
        if (start == 0)
        {
            return sendOperation(pair, MessageKind.WRITE);
        }
        final int seed = RemoteOperation.seed(pair.sourceNi, channel, pair.nextNumber());
        final int count = RemoteOperation.length(seed, layout.operationLengthMax);
        final long address = start + RemoteOperation.offset(seed);
        final long notification = (seed & 1) == 0 ? 0 : start + CHURN_WORD_OFFSET;
        final int payloadLength = EXTENSION_LENGTH + count;
        final int index = appender.claim(MessageHeader.LENGTH + payloadLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            return false;
        }
        putHeader(index, MessageType.REMOTE_WRITE_VIRTUAL, pair, payloadLength, address, notification);
        final int payload = index + MessageHeader.LENGTH;
        sram.putInt(payload, area.word(sram, payload, start + CHURN_WORD_OFFSET), BIG_ENDIAN);
        sram.putInt(payload + SIZE_OF_INT, count, BIG_ENDIAN);
        area.fill(sram, payload + EXTENSION_LENGTH, count, address);
        accept(pair, MessageKind.CHURN, MessageHeader.LENGTH + payloadLength);
        publish();
        return true;
    }

    /** Behind what is registered, or behind the memory of a context that lies about that; or a page that nobody has. */
    private long badAddress(final boolean isPhysical, final long address, final int number)
    {
        final int beyond = channel % contextCount == 1 ? layout.regionLength : layout.guardOffset;
        return isPhysical ? layout.peersAddress(beyond + (int)(address & BAD_OFFSET_MASK), number) :
            (address - HostLayout.VIRTUAL_START) & ~PAGE_MASK;
    }

    private void putHeader(
        final int index, final MessageType type, final PairLedger pair, final int payloadLength,
        final long arguments01, final long arguments23)
    {
        header.wrap(sram, index).identity(0, 0).put(
            MessageHeader.typeWord(type, host.address()), host.nodeOf(pair.destinationNi) << NODE_SHIFT,
            MessageHeader.routeWord(channel, pair.destinationChannel), 0, payloadLength, arguments01, arguments23);
    }

    private void accept(final PairLedger pair, final MessageKind kind, final int length)
    {
        if (appender.position() != endPosition)
        {
            run.trace().reach(Probe.FILLER_WRITTEN);
        }
        endPosition = appender.position() + BitUtil.align(length, SIZE_OF_INT);
        run.ledger().accepted(pair, appender.position(), kind, length);
    }

    private void publish()
    {
        appender.publish();
        wakeBoard.run();
    }
}
