// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

import org.grim.death.Faults;
import org.grim.death.History;
import org.grim.death.PeerJvm;

/** One worker's process, and the reader of its history. Commands: the coordinator's thread. */
public final class Worker implements AutoCloseable
{
    private static final long END_TIMEOUT_NS = 60_000_000_000L;

    public final PeerJvm jvm;
    /** By index. */
    public final List<Incarnation> incarnations = new CopyOnWriteArrayList<>();
    public String host;

    private final Thread reader;
    private volatile Ledger ledger;
    private volatile Queue<Incarnation> joined;
    private volatile boolean isReady;
    private volatile Sight sight = new Sight(0, Set.of());
    private final Set<String> seen = new TreeSet<>();       // By the reader, until the last of an answer.
    private int questionCount;
    private int firstQuestion;
    private boolean isLeaving;

    /** The nodes that were not gone when a question was answered. */
    private record Sight(int question, Set<String> nodes)
    {
    }

    public Worker(final Path log)
    {
        this(log, UnaryOperator.identity());
    }

    /** Elsewhere, as {@link PeerJvm} has it. */
    public Worker(final Path log, final UnaryOperator<List<String>> place)
    {
        jvm = new PeerJvm(log, List.of("-ea", "-Dorg.slf4j.simpleLogger.log.org.grim.network=info",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"), place, WorkerMain.class);
        reader = new Thread(this::read, "history");
        reader.setDaemon(true);
        reader.start();
    }

    public boolean isReady()
    {
        return isReady;
    }

    /** Until the JVM runs: starting one takes all that a core can do. */
    public void awaitReady()
    {
        final long deadlineNs = System.nanoTime() + END_TIMEOUT_NS;
        while (!isReady)
        {
            if (System.nanoTime() - deadlineNs > 0 || !jvm.process().isAlive())
            {
                throw new IllegalStateException("a worker does not start");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Before any node, and once. The queue takes who has joined, and who is {@link Incarnation#isOut}. */
    public void go(
        final Ledger newLedger, final Queue<Incarnation> newJoined, final Pace pace, final String newHost,
        final long seed, final String configuration)
    {
        ledger = newLedger;
        joined = newJoined;
        host = newHost;
        tell("go " + seed + " " + pace + " " + host + " " + configuration);
    }

    public void node(final String name, final int key)
    {
        add(name, key);
        tell("node " + name + " " + key);
    }

    /** The node of an index leaves, and another one takes its name. */
    public void rejoin(final int index, final int key)
    {
        final String name = incarnations.get(index).name;
        add(name, key);
        tell("rejoin " + index + " " + name + " " + key);
    }

    /** The last command to it: all its nodes leave, and it ends. */
    public void leave()
    {
        tell("leave");
        isLeaving = true;
    }

    public void tell(final String line)
    {
        if (!isLeaving && jvm.process().isAlive())
        {
            jvm.tell(line);
        }
    }

    /** {@return the last of its nodes; null unless that is in the cluster} */
    public Incarnation current()
    {
        final Incarnation last = incarnations.isEmpty() ? null : incarnations.get(incarnations.size() - 1);
        return last == null || !last.isLive() ? null : last;
    }

    /** Asks its nodes whom they see. */
    public void ask()
    {
        questionCount++;
        tell("ask " + questionCount);
    }

    /** Asks the same; what it said before does not count any more. */
    public void askAfresh()
    {
        firstQuestion = questionCount + 1;
        ask();
    }

    /** {@return whether it has answered the last question} */
    public boolean hasAnswered()
    {
        return sight.question == questionCount;
    }

    /** {@return whom its last answer named, since it was asked afresh; null before it answered} */
    public Set<String> sight()
    {
        final Sight now = sight;
        return now.question >= firstQuestion ? now.nodes : null;
    }

    /** From now on its nodes send to that one. */
    public void introduce(final Incarnation node)
    {
        try
        {
            tell("peer " + node.number() + " " + HistoryRecord.countOf(node.packed));
        }
        catch (final UncheckedIOException ex)
        {
            if (!jvm.hasEnded(END_TIMEOUT_NS))                  // One that ends is judged by how it ended.
            {
                throw ex;
            }
        }
    }

    public boolean hasJoined()
    {
        return incarnations.stream().allMatch(node -> node.hasJoined() || node.end != Incarnation.End.NONE);
    }

    public boolean isQuiet()
    {
        return incarnations.stream().allMatch(node -> node.isQuiet || node.end != Incarnation.End.NONE);
    }

    public void kill()
    {
        jvm.kill();
        jvm.awaitExit(60_000);
        awaitHistory();
        incarnations.stream().filter(node -> node.end == Incarnation.End.NONE)
            .forEach(node -> node.end = Incarnation.End.KILLED);
    }

    /** After a process has ended. */
    public void awaitHistory()
    {
        try
        {
            reader.join(60_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (reader.isAlive())
        {
            ledger.faults.add(Faults.Kind.UNRESOLVED, 1, "history of an ended process does not end: " + incarnations);
        }
    }

    @Override
    public void close()
    {
        jvm.close();
    }

    private void add(final String name, final int key)
    {
        final Incarnation node = new Incarnation(key, name, host);
        ledger.add(node);
        incarnations.add(node);
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

    private void onRecord(final int type, final int index, final int first, final int second, final int third)
    {
        if (type == History.READY)
        {
            isReady = true;
            return;
        }
        final Incarnation node = incarnations.get(index);
        switch (type)
        {
            case History.JOINED ->
            {
                node.packed = HistoryRecord.incarnationOf(first, second);
                ledger.joined(node, third);
                joined.add(node);
            }
            case History.LEFT -> node.end = Incarnation.End.LEFT;
            case HistoryRecord.QUIET -> node.isQuiet = true;
            case HistoryRecord.OPENED -> ledger.stream(node.key, first).opened(second, third);
            case HistoryRecord.ACCEPTED -> ledger.stream(node.key, first).accepted(second, third);
            case HistoryRecord.DELIVERED -> ledger.delivered(first, second, third, node);
            case HistoryRecord.NODE_GONE ->
            {
                node.gone(first);
                node.report(first, Integer.toUnsignedLong(second), Integer.toUnsignedLong(third));
            }
            case HistoryRecord.PATH_LOST ->
                node.report(first, Integer.toUnsignedLong(second), Integer.toUnsignedLong(third));
            case HistoryRecord.FENCED -> out(node, Incarnation.End.FENCED);
            case HistoryRecord.REFUSED ->
            {
                node.refusal = HistoryRecord.reasonAt(first);
                out(node, Incarnation.End.REFUSED);
            }
            case HistoryRecord.SEEN -> seen(first, second, third);
            case HistoryRecord.CORRUPT -> ledger.faults.add(Faults.Kind.CORRUPT, 1,
                "at " + node + " of key=" + first + " stream=" + second + " sequence=" + third);
            case HistoryRecord.HUNG -> ledger.faults.add(Faults.Kind.HUNG, 1, node + " stream=" + first +
                (first < 0 ? " a call does not return" : " to " + HistoryRecord.numberOf(second) + "/" +
                HistoryRecord.countOf(second)) + " ms=" + third);
            default -> ledger.faults.add(Faults.Kind.CRASHED, 1, node + " says type=" + type);
        }
    }

    private void out(final Incarnation node, final Incarnation.End end)
    {
        node.end = end;
        joined.add(node);
    }

    private void seen(final int question, final int packed, final int isUp)
    {
        if (packed >= 0)
        {
            seen.add(HistoryRecord.text(packed) + (isUp == 1 ? "" : " not up"));
            return;
        }
        sight = new Sight(question, Set.copyOf(seen));
        seen.clear();
    }
}
