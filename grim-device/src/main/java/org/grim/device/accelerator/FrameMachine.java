// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The frame of an accelerator: takes items, runs their kernels, and forwards the results as the directory says. Each
 * channel is in order. Has no clock and no thread.
 * <p>Thread: the runner's.
 * <p>Bounds: a channel takes {@code itemCountMax} items of all connections together, which entries reserve; twice as
 * many pause it.
 */
final class FrameMachine
{
    private static final int ADVANCE_LIMIT = 16;
    private static final int REASON_LENGTH_MAX = 256;

    private final FrameDirectory directory;
    private final FunctionFaults faults;
    private final PageFrames frames;
    private final PageSpaces spaces;
    private final ItemRunner runner;
    private final Port port;
    private final int itemCountMax;
    private final long memoryMax;
    private final List<Channel> channels = new ArrayList<>();
    private final Map<Long, Reservation> reservations = new HashMap<>();
    private final Reservation[] ofEntry = new Reservation[ItemFormat.ENTRY_COUNT];
    private final PageOperands[] operands = new PageOperands[ItemFormat.ENTRY_COUNT];
    private final PageLog[] logs = new PageLog[ItemFormat.ENTRY_COUNT];
    private final ArrayDeque<StreamItem> pool = new ArrayDeque<>();
    private long memory;
    private long itemCount;
    private long failedCount;
    private long staleCount;
    private long undeliveredCount;

    /** Paths out of the machine. */
    interface Port
    {
        /** Sends a message; never in a handler. */
        SendStatus send(
            int endpoint, int handler, int a0, int a1, int a2, DirectBuffer buffer, int length);

        /** Reads no further message of a channel. */
        void pause(int channel);

        /** Reads a channel again. */
        void resume(int channel);

        /** Runs a blocking kernel. */
        default void execute(final KernelRun run)
        {
            run.run();
        }

        /** Has the device do a step soon. Thread: any. */
        default void wake()
        {
            // The next step comes anyhow.
        }

        /** Notes that an item's kernel is about to run. */
        default void onRun(final StreamItem item)
        {
            // Nobody records.
        }

        /** Finds a kernel of this device; null if it has none of this handler. */
        KernelReference kernel(int handler);
    }

    /** Items of a channel, in order. */
    private static final class Channel
    {
        private final Deque<StreamItem> items = new ArrayDeque<>();
        private final KernelRun run;
        private boolean isFaulting;
        private boolean isPaused;
        private int reservedCount;

        private Channel(final Runnable onRunDone)
        {
            run = new KernelRun(onRunDone);
        }
    }

    /** Room of a connection. */
    private static final class Reservation
    {
        private final long key;
        private final int channel;
        private final int window;
        private final int itemLengthMax;
        private int entryCount;

        private Reservation(final long key, final int channel, final int window, final int itemLengthMax)
        {
            this.key = key;
            this.channel = channel;
            this.window = window;
            this.itemLengthMax = itemLengthMax;
        }

        private long memory()
        {
            return (long)window * itemLengthMax;
        }
    }

    /** Parts of the machine that decide. */
    record Parts(
        FrameDirectory directory, FunctionFaults faults, PageFrames frames, PageSpaces spaces, ItemRunner runner)
    {
    }

    FrameMachine(
        final Parts parts, final Port port, final int channelCount, final int itemCountMax, final long memoryMax)
    {
        directory = parts.directory;
        faults = parts.faults;
        frames = parts.frames;
        spaces = parts.spaces;
        runner = parts.runner;
        this.port = port;
        this.itemCountMax = itemCountMax;
        this.memoryMax = memoryMax;
        for (int i = 0; i < channelCount; i++)
        {
            channels.add(new Channel(port::wake));
        }
    }

    /** Sets an entry. Returns slot (low 16 bits) and channel (next 8 bits). */
    int set(final FrameEntry entry)
    {
        final KernelReference kernel = port.kernel(entry.kernel());
        if (kernel == null)
        {
            throw new DeviceException(DeviceCode.NOT_FOUND, "stream.no-kernel: device has none of handler=" +
                entry.kernel());
        }
        if (entry.window() < 1 || entry.window() > itemCountMax || entry.itemLengthMax() < 0)
        {
            throw new IllegalArgumentException("window=" + entry.window() + " is outside 1 to channel-items=" +
                itemCountMax + ", or item length=" + entry.itemLengthMax() + " is negative");
        }
        if ((entry.flags() & FrameEntry.RECYCLE) != 0)
        {
            requireTarget(entry);
        }
        requireOperands(entry.operands());
        final Reservation reservation = reserve(entry);
        final PageLog log;
        try
        {
            log = spaces.enter(entry.owner(), entry.incarnation(), entry.operands().space(), entry.stream());
        }
        catch (final IllegalArgumentException | DeviceException ex)
        {
            release(reservation);
            throw ex;
        }
        final int slot = directory.set(entry);
        if (slot < 0)
        {
            release(reservation);
            spaces.leave(entry.owner(), entry.incarnation(), entry.operands().space());
            throw new DeviceException(
                DeviceCode.NO_ROOM, "directory has no free entry: entries=" + ItemFormat.ENTRY_COUNT);
        }
        logs[ItemFormat.entry(slot)] = log;
        ofEntry[ItemFormat.entry(slot)] = reservation;
        operands[ItemFormat.entry(slot)] = entry.operands();
        faults.prefetch(kernel.slot());
        return slot | (reservation.channel << 16);
    }

    /** A recycled result goes to an entry that is there: as no entry changes its target, there is no circle. */
    private void requireTarget(final FrameEntry entry)
    {
        final int target = directory.index(entry.nextA0());
        if (target < 0 || directory.owner(target) != entry.owner() ||
            directory.incarnation(target) != entry.incarnation() || port.kernel(entry.nextHandler()) == null)
        {
            throw new IllegalArgumentException("recycling into slot=" + ItemFormat.slot(entry.nextA0()) +
                " is a circle, or no entry of this owner: set entries from the last to the first");
        }
    }

    private void requireOperands(final PageOperands entry)
    {
        final int pageLength = frames.memory().pageLength();
        if (entry.length() < 0 || entry.length() > pageLength)
        {
            throw new IllegalArgumentException(
                "operands of length=" + entry.length() + " are outside 0 to page=" + pageLength);
        }
        for (final int address : new int[] {entry.a(), entry.b(), entry.c()})
        {
            spaces.requireNumber(PageOperands.page(address));
            if (PageOperands.offset(address) >= pageLength)
            {
                throw new IllegalArgumentException(
                    "operand at offset=" + PageOperands.offset(address) + " exceeds page=" + pageLength);
            }
        }
    }

    private Reservation reserve(final FrameEntry entry)
    {
        final long key =
            ((long)entry.incarnation() << 48) ^ ((long)entry.owner() << 16) ^ (entry.stream() & 0xFFFF);
        Reservation reservation = reservations.get(key);
        if (reservation == null)
        {
            int channel = channels.size() > 1 ? 1 : 0;      // The first one is for requests, if there are several.
            for (int i = channel + 1; i < channels.size(); i++)
            {
                channel = channels.get(i).reservedCount < channels.get(channel).reservedCount ? i : channel;
            }
            reservation = new Reservation(key, channel, entry.window(), entry.itemLengthMax());
            final int reserved = channels.get(channel).reservedCount + entry.window();
            if (reserved > itemCountMax || memory + reservation.memory() > memoryMax)
            {
                throw new DeviceException(DeviceCode.NO_ROOM, "window=" + entry.window() + " of item length=" +
                    entry.itemLengthMax() + " exceeds what is free: items=" + (itemCountMax - reserved +
                    entry.window()) + " of channel-items=" + itemCountMax + ", bytes=" + (memoryMax - memory) +
                    " of memory=" + memoryMax);
            }
            channels.get(channel).reservedCount = reserved;
            memory += reservation.memory();
            reservations.put(key, reservation);
        }
        else if (reservation.window < entry.window() || reservation.itemLengthMax < entry.itemLengthMax())
        {
            throw new IllegalArgumentException("window=" + entry.window() + " or item length=" +
                entry.itemLengthMax() + " exceeds that of the connection's other entries");
        }
        reservation.entryCount++;
        return reservation;
    }

    private void release(final Reservation reservation)
    {
        reservation.entryCount--;
        if (reservation.entryCount == 0)
        {
            channels.get(reservation.channel).reservedCount -= reservation.window;
            memory -= reservation.memory();
            reservations.remove(reservation.key);
        }
    }

    /** Frees an entry at its owner's request. */
    void clear(final int owner, final int slot)
    {
        final int index = directory.index(slot);
        if (index >= 0 && directory.owner(index) == owner)
        {
            free(index);
        }
    }

    /** Frees the entries of a stream and an attempt at their owner's request: it does not know their slots. */
    void clear(final int owner, final int stream, final int attempt)
    {
        for (int i = 0; i < ItemFormat.ENTRY_COUNT; i++)
        {
            if (directory.state(i) != FrameDirectory.FREE && directory.owner(i) == owner &&
                directory.stream(i) == (stream & 0xFFFF) && directory.attempt(i) == attempt)
            {
                free(i);
            }
        }
    }

    /** Frees entries and pages of a node that is gone; its items are dropped, as nobody keeps accounts of them. */
    void freeOwner(final int node, final int incarnation)
    {
        for (int i = 0; i < ItemFormat.ENTRY_COUNT; i++)
        {
            if (directory.state(i) != FrameDirectory.FREE && EndpointId.ofKey(directory.owner(i)).node() == node &&
                directory.incarnation(i) <= incarnation)
            {
                free(i);
            }
        }
        spaces.freeOwner(node, incarnation);
    }

    /** Frees entries that use a space which is about to be restored: their path has ended for the owner. */
    void freeSpace(final int owner, final int incarnation, final int space)
    {
        for (int i = 0; i < ItemFormat.ENTRY_COUNT; i++)
        {
            if (logs[i] != null && directory.owner(i) == owner && directory.incarnation(i) == incarnation &&
                operands[i].space() == space)
            {
                free(i);
            }
        }
    }

    private void free(final int index)
    {
        directory.state(index, FrameDirectory.FREE);
        release(ofEntry[index]);
        ofEntry[index] = null;
        logs[index] = null;
        spaces.leave(directory.owner(index), directory.incarnation(index), operands[index].space());
    }

    /** Takes a message of a channel. */
    void onItem(
        final int channel, final KernelReference kernel, final int a0, final int sequence, final int constant,
        final DirectBuffer buffer, final int offset, final int length)
    {
        final StreamItem item = pool.isEmpty() ? new StreamItem() : pool.poll();
        item.set(kernel, a0, sequence, constant, buffer, offset, length);
        channels.get(channel).items.add(item);
        pauseIfNeeded(channel);
    }

    /** Does one duty cycle. */
    int step(final long nowNs)
    {
        int workCount = 0;
        for (int i = 0; i < channels.size(); i++)
        {
            workCount += stepChannel(i, nowNs);
        }
        return workCount + frames.step() + faults.step(nowNs, this::isWanted);
    }

    private int stepChannel(final int index, final long nowNs)
    {
        final Channel channel = channels.get(index);
        int workCount = 0;
        channel.isFaulting = false;
        while (workCount < ADVANCE_LIMIT && !channel.items.isEmpty() && advance(channel, channel.items.peek(), nowNs))
        {
            final StreamItem item = channel.items.poll();
            item.release();
            pool.push(item);
            workCount++;
        }
        pauseIfNeeded(index);
        return workCount;
    }

    private void pauseIfNeeded(final int index)
    {
        final Channel channel = channels.get(index);
        final boolean isFull = channel.isFaulting || channel.items.size() >= 2 * itemCountMax;
        if (isFull != channel.isPaused)
        {
            channel.isPaused = isFull;
            if (isFull)
            {
                port.pause(index);
            }
            else
            {
                port.resume(index);
            }
        }
    }

    /** Brings an item as far as it goes. Returns whether it is done: it has left, or has nowhere to go. */
    private boolean advance(final Channel channel, final StreamItem item, final long nowNs)
    {
        while (!item.isReady)
        {
            if (channel.run.isUnderWay())
            {
                return false;
            }
            final int index = directory.index(item.a0, item.kernel.id().number());
            if (index < 0)
            {
                channel.run.end();
                staleCount++;
                runner.release(item);
                return true;
            }
            if (!isRun(channel, item, index, nowNs))
            {
                return false;
            }
            next(item, index);
        }
        return isSent(item);
    }

    /** Runs the kernel, if the item needs it. Returns false if it or a page is not loaded, or it runs on the worker. */
    private boolean isRun(final Channel channel, final StreamItem item, final int index, final long nowNs)
    {
        if (channel.run.isStarted())
        {
            finish(channel.run, item, index);
            return true;
        }
        if (ItemFormat.isMarker(item.a0) || ItemFormat.isFailed(item.a0))
        {
            return true;
        }
        final ImageSlot slot = item.kernel.slot();
        if (directory.state(index) == FrameDirectory.DRAINING)
        {
            fail(item, index, "the connection has stopped at an earlier item");
        }
        else if (item.length > ofEntry[index].itemLengthMax)
        {
            fail(item, index, "item of length=" + item.length + " exceeds max=" + ofEntry[index].itemLengthMax);
        }
        else if (slot.isLoaded())
        {
            return isRunWithPages(channel, item, index, nowNs);
        }
        else if (slot.failure() != null)
        {
            fail(item, index, "stream.no-kernel: " + slot.failure());
        }
        else
        {
            runner.onFunctionFault(item);
            channel.isFaulting = true;
            faults.request(slot);
            return false;
        }
        return true;
    }

    private boolean isRunWithPages(final Channel channel, final StreamItem item, final int index, final long nowNs)
    {
        try
        {
            if (!runner.isReady(item, directory.owner(index), directory.incarnation(index), operands[index]))
            {
                return false;
            }
        }
        catch (final IllegalArgumentException | DeviceException ex)     // An address without a page.
        {
            fail(item, index, ex.getMessage());
            return true;
        }
        try
        {
            final Kernel kernel = item.kernel.slot().use(item.kernel.index(), nowNs);
            final int lengthMax = ofEntry[index].itemLengthMax;
            port.onRun(item);
            if (kernel.isBlocking())
            {
                runner.start(channel.run, item, kernel, operands[index], lengthMax);
                port.execute(channel.run);
                return false;
            }
            accept(item, index, runner.run(item, kernel, operands[index], lengthMax));
        }
        catch (final Exception ex)          // Of the image, or its result does not fit: this item fails.
        {
            fail(item, index, reason(item, ex));
        }
        return true;
    }

    /** The name of a kernel that the worker has been running longer than a limit; null if there is none. */
    String findLongRun(final long limitNs)
    {
        for (final Channel channel : channels)
        {
            if (channel.run.isLongerThan(limitNs))
            {
                return channel.items.peek().kernel.name();
            }
        }
        return null;
    }

    /** Takes what the worker has done. */
    private void finish(final KernelRun run, final StreamItem item, final int index)
    {
        try
        {
            accept(item, index, runner.finish(run, item));
        }
        catch (final Exception ex)
        {
            fail(item, index, reason(item, ex));
        }
        run.end();
    }

    private static String reason(final StreamItem item, final Exception failure)
    {
        final String kernel = "kernel " + item.kernel.name() + ": ";
        try
        {
            return kernel + (failure instanceof ExecutionException ? failure.getCause() : failure);
        }
        catch (final RuntimeException | Error ex)       // The text of an exception is code of the image, too.
        {
            return kernel + failure.getClass().getName();
        }
    }

    /** Counts an item that has its result. */
    private void accept(final StreamItem item, final int index, final int resultLength)
    {
        runner.release(item);
        itemCount++;
        directory.count(index, resultLength);
        if (logs[index] != null)
        {
            logs[index].ran();
        }
    }

    private void fail(final StreamItem item, final int index, final String reason)
    {
        runner.release(item);
        putReason(item, reason);
        if ((directory.flags(index) & FrameEntry.STOP) != 0)
        {
            directory.state(index, FrameDirectory.DRAINING);
        }
    }

    private void putReason(final StreamItem item, final String reason)
    {
        failedCount++;
        final byte[] bytes = reason.getBytes(UTF_8);
        item.length = Math.min(REASON_LENGTH_MAX, bytes.length);
        item.data = StreamItem.roomIn(item.data, item.length);
        item.data.putBytes(0, bytes, 0, item.length);
        item.a0 = ItemFormat.failed(item.a0);
    }

    /** Makes an item the message that the entry says. A marker ends the entry. */
    private void next(final StreamItem item, final int index)
    {
        final boolean isMarker = ItemFormat.isMarker(item.a0);
        if (logs[index] != null && !isMarker)
        {
            logs[index].passed(item.sequence);
        }
        item.a0 = directory.nextA0(index) | ItemFormat.passed(item.a0);
        item.constant = directory.nextConstant(index);
        item.nextEndpoint = directory.nextEndpoint(index);
        item.nextHandler = directory.nextHandler(index);
        if ((directory.flags(index) & FrameEntry.RECYCLE) == 0)
        {
            item.isReady = true;
        }
        else
        {
            item.kernel = port.kernel(item.nextHandler);
        }
        if (isMarker)
        {
            free(index);
        }
    }

    /** An item that no message can carry, such as a result that is too long, fails; what is behind it goes on. */
    private boolean isSent(final StreamItem item)
    {
        final SendStatus status;
        try
        {
            status = port.send(item.nextEndpoint, item.nextHandler, item.a0, item.sequence, item.constant, item.data,
                item.length);
        }
        catch (final IllegalArgumentException ex)
        {
            if (!ItemFormat.isFailed(item.a0))
            {
                putReason(item, "result cannot be sent: " + ex.getMessage());
                return false;
            }
            undeliveredCount++;
            return true;
        }
        final boolean isWaiting = status == SendStatus.BACK_PRESSURED || status == SendStatus.BUSY;
        undeliveredCount += isWaiting || status.isAccepted() ? 0 : 1;
        return !isWaiting;
    }

    private boolean isWanted(final ImageSlot slot)
    {
        for (final Channel channel : channels)
        {
            final StreamItem head = channel.items.peek();
            if (head != null && !head.isReady && head.kernel.slot() == slot)
            {
                return true;
            }
        }
        return false;
    }

    /** Says whether the items of a handler can run without a load. */
    boolean isLoaded(final int handler)
    {
        return port.kernel(handler).slot().isLoaded();
    }

    /** Returns items of an entry, also of one that an owner had if that has ended; -1 if there is no such entry. */
    long items(final int owner, final int slot, final boolean isAlsoEnded)
    {
        final int index = ItemFormat.entry(slot);
        final boolean isThere = directory.index(slot) >= 0 ||
            (isAlsoEnded && directory.owner(index) == owner && directory.isCurrent(index, slot));
        return isThere ? directory.items(index) : -1;
    }

    /** Returns entries that are not free. */
    int entryCount()
    {
        int count = 0;
        for (final Reservation reservation : ofEntry)
        {
            count += reservation == null ? 0 : 1;
        }
        return count;
    }

    /** Says what the first item of each channel waits for: the answer of {@link ItemWait#NAME}. */
    String waits(final long nowNs)
    {
        final ItemWaits waits = new ItemWaits(directory, faults, frames);
        for (int i = 0; i < channels.size(); i++)
        {
            waits.add(i, channels.get(i).items, channels.get(i).run.isUnderWay(), nowNs);
        }
        return waits.text();
    }

    /** Returns items that wait. */
    int waitingCount()
    {
        return channels.stream().mapToInt(channel -> channel.items.size()).sum();
    }

    long itemCount()
    {
        return itemCount;
    }

    long failedCount()
    {
        return failedCount;
    }

    /** Returns items without an entry: of an epoch that has ended. */
    long staleCount()
    {
        return staleCount;
    }

    /** Returns items whose next stage was gone. */
    long undeliveredCount()
    {
        return undeliveredCount;
    }
}
