// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.util.function.BooleanSupplier;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.RemoteRead;
import org.grim.bench.process.BoundedSpin;
import org.grim.buffer.Buffers;

/**
 * Remote memory. A ping writes the payload into the server's region, whose owner writes it back into ours; each is
 * noticed by its notification word, and no handler runs. A read copies from the server's region into ours; its time
 * runs from the call to the moment when its handle says that it is complete.
 */
final class MemoryClient implements PingClient
{
    private static final int READ_DEPTH = 4;
    private static final int BURST_LENGTH = 1 << 22;
    private static final int BURST_MAX = 64;

    private final Grim grim;
    private final Mode mode;
    private final boolean isPhysical;
    private final int sizeMax;
    private final Requester requester;
    private final MemorySide side;
    private final BooleanSupplier server;
    private final AtomicBuffer payload;
    private final Checksum sentChecksum = new Checksum();
    private final Checksum arrivedChecksum = new Checksum();
    private final int[] windowChecksums = new int[Pattern.WINDOW_COUNT];
    private final RemoteRead[] reads = new RemoteRead[READ_DEPTH];

    private int echoHandler;
    private int fillHandler;
    private int checkHandler;
    private int reachHandler;
    private int sequence;
    private long verifiedCount;

    /**
     * A client that is not connected.
     *
     * @param isStepped whether operations move only while this thread polls.
     * @param server    a step of the server where it is in the same thread; else returns false.
     */
    MemoryClient(
        final Grim grim, final BoundedSpin spin, final Mode mode, final int sizeMax, final boolean isStepped,
        final BooleanSupplier server)
    {
        this.grim = grim;
        this.mode = mode;
        this.sizeMax = sizeMax;
        this.server = server;
        isPhysical = mode == Mode.RM_P;
        requester = new Requester(grim, spin);
        side = new MemorySide(grim, spin, isStepped);
        payload = Buffers.allocate(sizeMax + Pattern.WINDOWS_LENGTH);
    }

    @Override
    public void connect(final EndpointId newServer)
    {
        requester.connect(newServer);
        echoHandler = grim.handlers().resolve(MemoryServer.ECHO);
        fillHandler = grim.handlers().resolve(MemoryServer.FILL);
        checkHandler = grim.handlers().resolve(MemoryServer.CHECK);
        reachHandler = grim.handlers().resolve(MemoryServer.REACH);
        side.open(sizeMax);
        final AtomicBuffer addresses = Buffers.allocate(MemorySide.ADDRESSES_LENGTH);
        side.describe(addresses);
        requester.ask(grim.handlers().resolve(MemoryServer.OPEN), sizeMax, addresses, MemorySide.ADDRESSES_LENGTH);
        side.connect(newServer, Buffers.wrap(requester.answer()), 0);
        for (int i = 0; i < READ_DEPTH; i++)
        {
            reads[i] = grim.memory().newRead();
        }
    }

    @Override
    public long takeVerifiedCount()
    {
        final long count = verifiedCount;
        verifiedCount = 0;
        return count;
    }

    @Override
    public void measure(final int size, final long durationNs, final Histogram times)
    {
        if (mode == Mode.READ)
        {
            fillServer(size);
        }
        else
        {
            requester.ask(echoHandler, size, isPhysical ? 1 : 0, 0);
        }
        final long endNs = System.nanoTime() + durationNs;
        do
        {
            final long timeNs = mode == Mode.READ ? readOnce(size) : pingOnce(size);
            times.recordValue(Math.min(timeNs, times.getHighestTrackableValue()));
        }
        while (System.nanoTime() - endNs < 0);
        if (mode != Mode.READ)
        {
            nextSequence();
            side.notify(isPhysical, -sequence);
            awaitWord(-sequence);
        }
    }

    @Override
    public double stream(final int size, final long durationNs)
    {
        return mode == Mode.READ ? streamReads(size, durationNs) : streamWrites(size, durationNs);
    }

    @Override
    public void requestRaw()
    {
        requester.requestRaw();
    }

    @Override
    public void requestSwitch()
    {
        requester.requestSwitch();
    }

    private long pingOnce(final int size)
    {
        nextSequence();
        Pattern.write(payload, 0, sequence, size);
        final int expectedChecksum = sentChecksum.of(payload, 0, size);
        final long startNs = System.nanoTime();
        side.writeAndNotify(isPhysical, payload, 0, size, sequence);
        awaitWord(sequence);
        final long arrivalNs = System.nanoTime();
        verify(MemorySide.dataOffset(size), size, expectedChecksum);
        return arrivalNs - startNs;
    }

    private long readOnce(final int size)
    {
        final long startNs = System.nanoTime();
        side.read(MemorySide.DATA_OFFSET + Pattern.windowOffset(sequence), MemorySide.DATA_OFFSET, size, reads[0]);
        awaitRead(reads[0]);
        final long arrivalNs = System.nanoTime();
        verify(MemorySide.DATA_OFFSET, size, windowChecksums[sequence % Pattern.WINDOW_COUNT]);
        nextSequence();
        return arrivalNs - startNs;
    }

    /** Writes overwrite one another; what stands there at the end is compared. */
    private double streamWrites(final int size, final long durationNs)
    {
        writeWindows(size);
        final int slotCount = Math.min(Pattern.WINDOW_COUNT, MemorySide.slotCount(size));
        final int burst = Math.max(1, Math.min(BURST_MAX, BURST_LENGTH / size));
        int count = 0;
        final long startNs = System.nanoTime();
        do
        {
            for (int i = 0; i < burst; i++)
            {
                side.write(isPhysical, MemorySide.slotOffset(count % slotCount, size), payload,
                    Pattern.windowOffset(count), size);
                count++;
            }
        }
        while (System.nanoTime() - startNs < durationNs);
        requester.ask(reachHandler, 0, 0, 0);
        final double perSecond = count * 1e9 / (requester.answerNs() - startNs);
        for (int last = Math.max(0, count - slotCount); last < count; last++)
        {
            requester.ask(checkHandler, MemorySide.slotOffset(last % slotCount, size), size,
                windowChecksums[last % Pattern.WINDOW_COUNT]);
            requireMatch(requester.firstArgument() == 1, size, windowChecksums[last % Pattern.WINDOW_COUNT]);
            verifiedCount++;
        }
        return perSecond;
    }

    /** Several at a time, each compared when it is complete. */
    private double streamReads(final int size, final long durationNs)
    {
        fillServer(size);
        final int depth = Math.min(READ_DEPTH, MemorySide.slotCount(size));
        int issuedCount = 0;
        int completeCount = 0;
        boolean isOver = false;
        final long startNs = System.nanoTime();
        while (!isOver || completeCount < issuedCount)
        {
            if (!isOver && issuedCount - completeCount < depth)
            {
                side.read(MemorySide.DATA_OFFSET + Pattern.windowOffset(issuedCount),
                    MemorySide.slotOffset(issuedCount % depth, size), size, reads[issuedCount % depth]);
                issuedCount++;
            }
            else
            {
                awaitRead(reads[completeCount % depth]);
                verify(MemorySide.slotOffset(completeCount % depth, size), size,
                    windowChecksums[completeCount % Pattern.WINDOW_COUNT]);
                completeCount++;
                isOver = System.nanoTime() - startNs >= durationNs;
            }
        }
        return completeCount * 1e9 / (System.nanoTime() - startNs);
    }

    /** Pattern and checksums of its windows, here and at the server. */
    private void fillServer(final int size)
    {
        writeWindows(size);
        requester.ask(fillHandler, sequence, size + Pattern.WINDOWS_LENGTH, 0);
    }

    private void writeWindows(final int size)
    {
        nextSequence();
        Pattern.write(payload, 0, sequence, size + Pattern.WINDOWS_LENGTH);
        for (int window = 0; window < Pattern.WINDOW_COUNT; window++)
        {
            windowChecksums[window] = sentChecksum.of(payload, Pattern.windowOffset(window), size);
        }
    }

    /** Never 0, which is what words are at first, nor negative, which ends a ping-pong. */
    private void nextSequence()
    {
        sequence = sequence == Integer.MAX_VALUE ? 1 : sequence + 1;
    }

    private void awaitWord(final int word)
    {
        while (side.word() != word)
        {
            if (!server.getAsBoolean())
            {
                side.pass();
            }
        }
        side.arrived();
    }

    private void awaitRead(final RemoteRead read)
    {
        while (!read.isComplete())
        {
            side.pass();
        }
        side.arrived();
        if (read.refusal() != null)
        {
            throw new GrimException("remote memory refused a read: " + read.refusal());
        }
    }

    private void verify(final int offset, final int size, final int expectedChecksum)
    {
        requireMatch(arrivedChecksum.of(side.buffer(), offset, size) == expectedChecksum, size, expectedChecksum);
        verifiedCount++;
    }

    private void requireMatch(final boolean isMatch, final int size, final int expectedChecksum)
    {
        if (!isMatch)
        {
            throw new GrimException("payload arrived changed: mode=" + mode + " size=" + size + " bytes sequence=" +
                sequence + " CRC32C=0x" + Integer.toHexString(expectedChecksum));
        }
    }
}
