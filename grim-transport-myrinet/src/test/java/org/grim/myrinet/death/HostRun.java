// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.grim.death.Faults;
import org.grim.death.History;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;

/** One life of a host's process, and what its history says. Its maps are complete when {@link #awaitEnd} is over. */
final class HostRun implements AutoCloseable
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    final int key;
    final PeerJvm jvm;
    /** Last sequence accepted, by stream. */
    final Map<Integer, Integer> accepted = new HashMap<>();
    /** Last sequence and number of messages delivered here, by key of the sender and stream. */
    final Map<Long, int[]> delivered = new HashMap<>();
    volatile long acceptedCount;
    volatile long deliveredCount;
    volatile long undelivered;
    volatile long unknown;
    volatile int lossReportCount;
    volatile int nodeGoneCount;
    volatile long peerGoneNs;
    volatile boolean hasJoined;

    private final Faults faults;
    private final Path log;
    private final Thread reader;
    private volatile boolean isReady;
    private volatile int doneCount;

    HostRun(final Faults faults, final Path log, final int key, final String settings, final String name,
        final String peer)
    {
        this.faults = faults;
        this.log = log;
        this.key = key;
        jvm = new PeerJvm(log, HostMain.class, settings, name, peer, Integer.toString(key));
        reader = new Thread(this::read, "history");
        reader.setDaemon(true);
        reader.start();
    }

    void go()
    {
        awaitOrTell(() -> isReady, "start");
        jvm.tell("go " + key);
    }

    void awaitJoined()
    {
        awaitOrTell(() -> hasJoined, "join");
    }

    void command(final String line)
    {
        final int before = doneCount;
        jvm.tell(line);
        awaitOrTell(() -> doneCount > before, "answer to " + line);
    }

    void kill()
    {
        jvm.kill();
        awaitEnd();
    }

    void awaitEnd()
    {
        await(() -> !reader.isAlive(), "end of the history");
    }

    @Override
    public void close()
    {
        jvm.close();
    }

    static void await(final BooleanSupplier isSo, final String what)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isSo.getAsBoolean())
        {
            LockSupport.parkNanos(500_000);
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("waited 60 s in vain: " + what);
            }
        }
    }

    /** Not beyond the end of the process; what it and the others logged says why. */
    private void awaitOrTell(final BooleanSupplier isSo, final String what)
    {
        try
        {
            await(() -> isSo.getAsBoolean() || !reader.isAlive() || faults.total() > 0, what);
        }
        catch (final IllegalStateException ex)
        {
            throw new IllegalStateException(ex.getMessage() + "\n" + ShmDirectory.text(log), ex);
        }
        if (!isSo.getAsBoolean())
        {
            throw new IllegalStateException("no " + what + ", faults: " + faults + "\n" + ShmDirectory.text(log));
        }
    }

    private void read()
    {
        try
        {
            History.read(jvm.process().getInputStream(), this::onRecord);
        }
        catch (final IOException ex)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "history cannot be read: " + ex);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")            // One thread writes.
    private void onRecord(final int type, final int node, final int first, final int second, final int third)
    {
        switch (type)
        {
            case History.READY -> isReady = true;
            case History.JOINED -> hasJoined = true;
            case HostRecord.ACCEPTED -> onAccepted(first, second);
            case HostRecord.DELIVERED -> onDelivered(first, second, third);
            case HostRecord.PATH_LOST, HostRecord.NODE_GONE ->
            {
                undelivered += Integer.toUnsignedLong(first);
                unknown += Integer.toUnsignedLong(second);
                lossReportCount++;
                nodeGoneCount += type == HostRecord.NODE_GONE ? 1 : 0;
            }
            case HostRecord.PEER_GONE -> peerGoneNs = (long)first << Integer.SIZE | Integer.toUnsignedLong(second);
            case HostRecord.DONE -> doneCount++;
            case HostRecord.FAULT_CORRUPT ->
                faults.add(Faults.Kind.CORRUPT, 1, "at key=" + key + " of key=" + first + " sequence=" + third);
            default -> faults.add(Faults.Kind.UNRESOLVED, 1, "reported by key=" + key + ": type=" + type);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void onAccepted(final int stream, final int sequence)
    {
        final Integer before = accepted.put(stream, sequence);
        if (sequence != (before == null ? 0 : before) + 1)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "history is not whole: stream=" + stream + " " + before + ", " +
                sequence);
        }
        acceptedCount++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void onDelivered(final int sender, final int stream, final int sequence)
    {
        final int[] last = delivered.computeIfAbsent((long)sender << Integer.SIZE | stream, any -> new int[2]);
        if (sequence <= last[0])
        {
            faults.add(sequence == last[0] ? Faults.Kind.REPEATED : Faults.Kind.REORDERED, 1, "at key=" + key +
                " of key=" + sender + " stream=" + stream + " after=" + last[0] + " came=" + sequence);
        }
        last[0] = Math.max(last[0], sequence);
        last[1]++;
        deliveredCount++;
    }
}
