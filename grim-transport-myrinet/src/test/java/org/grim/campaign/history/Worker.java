// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

import org.grim.death.Faults;
import org.grim.death.History;
import org.grim.death.PeerJvm;

/** One worker's process, and the reader of its history. Commands: the coordinator's thread. */
final class Worker implements AutoCloseable
{
    final PeerJvm jvm;
    /** By index. */
    final List<Life> lives = new CopyOnWriteArrayList<>();
    int slot;
    String host;

    private final Thread reader;
    private volatile Ledger ledger;
    private volatile Queue<Life> joined;
    private volatile boolean isReady;
    private boolean isLeaving;

    Worker(final Path log)
    {
        jvm = new PeerJvm(log, List.of("-ea"), WorkerMain.class);
        reader = new Thread(this::read, "history");
        reader.setDaemon(true);
        reader.start();
    }

    boolean isReady()
    {
        return isReady;
    }

    /** Before any node, and once. The queue takes those that have joined. */
    void go(
        final Ledger newLedger, final Queue<Life> newJoined, final int newSlot, final String newHost, final long seed,
        final String configuration)
    {
        ledger = newLedger;
        joined = newJoined;
        slot = newSlot;
        host = newHost;
        tell("go " + seed + " " + host + " " + configuration);
    }

    void node(final String name, final int key)
    {
        add(name, key);
        tell("node " + name + " " + key);
    }

    /** The node of an index leaves, and another one takes its name. */
    void rejoin(final int index, final int key)
    {
        final String name = lives.get(index).name;
        add(name, key);
        tell("rejoin " + index + " " + name + " " + key);
    }

    /** The last that it is told: all its nodes leave, and it ends. */
    void leave()
    {
        tell("leave");
        isLeaving = true;
    }

    void tell(final String line)
    {
        if (!isLeaving && jvm.process().isAlive())
        {
            jvm.tell(line);
        }
    }

    boolean hasJoined()
    {
        return lives.stream().allMatch(life -> life.hasJoined() || life.end != Life.End.NONE);
    }

    boolean isQuiet()
    {
        return lives.stream().allMatch(life -> life.isQuiet || life.end != Life.End.NONE);
    }

    void kill()
    {
        jvm.kill();
        jvm.awaitExit(10_000);
        awaitHistory();
        lives.stream().filter(life -> life.end == Life.End.NONE).forEach(life -> life.end = Life.End.KILLED);
    }

    /** After a process has ended. */
    void awaitHistory()
    {
        try
        {
            reader.join(20_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (reader.isAlive())
        {
            ledger.faults.add(Faults.Kind.UNRESOLVED, 1, "history of an ended process does not end: " + lives);
        }
    }

    @Override
    public void close()
    {
        jvm.close();
    }

    private void add(final String name, final int key)
    {
        final Life life = new Life(key, name, host);
        ledger.add(life);
        lives.add(life);
    }

    private void read()
    {
        try
        {
            History.read(jvm.process().getInputStream(), this::onRecord);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void onRecord(final int type, final int node, final int first, final int second, final int third)
    {
        if (type == History.READY)
        {
            isReady = true;
            return;
        }
        final Life life = lives.get(node);
        switch (type)
        {
            case History.JOINED ->
            {
                life.incarnation = HistoryRecord.incarnationOf(first, second);
                ledger.joined(life);
                joined.add(life);
            }
            case History.LEFT -> life.end = Life.End.LEFT;
            case HistoryRecord.QUIET -> life.isQuiet = true;
            case HistoryRecord.OPENED -> ledger.stream(life.key, first).opened(second, third);
            case HistoryRecord.ACCEPTED -> ledger.stream(life.key, first).accepted(second, third);
            case HistoryRecord.DELIVERED -> ledger.stream(first, second).delivered(life, third, ledger.faults);
            case HistoryRecord.NODE_GONE, HistoryRecord.WAY_LOST ->
                life.report(first, Integer.toUnsignedLong(second), Integer.toUnsignedLong(third));
            case HistoryRecord.CORRUPT -> ledger.faults.add(Faults.Kind.CORRUPT, 1,
                "at " + life + " of key=" + first + " stream=" + second + " sequence=" + third);
            case HistoryRecord.HUNG -> ledger.faults.add(Faults.Kind.HUNG, 1, life + " stream=" + first +
                (first < 0 ? " a call does not return" : " to " + HistoryRecord.numberOf(second) + "/" +
                HistoryRecord.countOf(second)) + " ms=" + third);
            default -> ledger.faults.add(Faults.Kind.CRASHED, 1, life + " says type=" + type);
        }
    }
}
