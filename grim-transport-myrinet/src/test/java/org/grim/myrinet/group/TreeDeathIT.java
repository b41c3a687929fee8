// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.agrona.CloseHelper;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;
import org.grim.buffer.Uninterrupted;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Members whose multicasts go along trees of network interfaces are killed: owners, roots, one after another before the
 * tree has changed, and while others join. Two survivors go on: they get all that was sent in epochs without deaths,
 * nothing twice, and what comes to both in one order. A cluster lasts until all but these are dead. {@code
 * campaign.kills} says how many; {@code ./campaign trees} sets it.
 */
@Tag("process")
@Tag("slow")                            // See decision 50.
final class TreeDeathIT
{
    private static final int KILL_COUNT_DEFAULT = 3;
    private static final int VICTIM_COUNT_MIN = 3;
    private static final int VICTIM_COUNT_STEPS = 3;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SOON_US = 20_000;
    private static final int CHANGE_US = 700_000;

    /** The victim. */
    private enum Kind
    {
        OWNER, ROOT, ANY, OWNER_AS_ONE_JOINS, OWNER_AS_ONE_DIES, ROOT_AS_ONE_DIES
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, PeerJvm> victims = new LinkedHashMap<>();         // By name, the oldest first.
    private final List<Future<?>> runs = new ArrayList<>();
    private final List<TreeWorker> workers = new ArrayList<>();
    private final AtomicLong graceEpoch = new AtomicLong();
    private final Map<Kind, Integer> kindCounts = new EnumMap<>(Kind.class);
    private final List<Path> directories = new ArrayList<>();
    private Path directory;
    private volatile boolean isToEnd;
    private int victimNumber;
    private int killCount;
    private int size;
    private Random random;

    @TempDir
    private Path logs;

    @AfterEach
    void close()
    {
        isToEnd = true;
        victims.values().forEach(CloseHelper::quietClose);
        threads.shutdownNow();
        directories.forEach(ShmDirectory::delete);
    }

    @Test
    @Timeout(3_600)
    void shouldGoOnInOneOrderWithoutMembersThatDie() throws Exception
    {
        final int killCountMin = Integer.getInteger("campaign.kills", KILL_COUNT_DEFAULT);
        random = new Random(Long.getLong("campaign.seed", 1));
        long multicastCount = 0;
        long missingCount = 0;

        while (killCount < killCountMin)
        {
            begin();
            while (!victims.isEmpty() && killCount < killCountMin)
            {
                killSome();
            }
            end();
            multicastCount += workers.get(0).seen().size();
            missingCount += workers.get(0).missingCount();
        }

        LoggerFactory.getLogger(getClass()).warn("trees: kills={} by kind={} multicasts={} of which missing={}",
            killCount, kindCounts, multicastCount, missingCount);
        assertTrue(killCount < 100 || kindCounts.size() == Kind.values().length, kindCounts::toString);
    }

    /** The survivors join last: the group's owner and the root's node are killed before. */
    private void begin() throws Exception
    {
        final int victimCount = VICTIM_COUNT_MIN + directories.size() % VICTIM_COUNT_STEPS;
        directory = ShmDirectory.create();
        directories.add(directory);
        isToEnd = false;
        size = 0;
        graceEpoch.set(0);
        workers.clear();
        runs.clear();
        while (victims.size() < victimCount)
        {
            add();
        }
        start("first");
        start("second");
        awaitMembers();
    }

    private void end() throws Exception
    {
        graceEpoch.set(Long.MAX_VALUE);
        isToEnd = true;
        victims.values().forEach(PeerJvm::close);
        victims.clear();
        for (final Future<?> run : runs)
        {
            run.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
        }
        checkOrder(workers.get(0).seen(), workers.get(1).seen());
    }

    private void killSome()
    {
        final Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        kindCounts.merge(kind, 1, Integer::sum);
        final String owner = workers.get(0).owner();
        final String root = workers.get(0).root();
        park(SOON_US);
        graceEpoch.set(Long.MAX_VALUE);
        switch (kind)
        {
            case OWNER -> kill(owner);
            case ROOT -> kill(root);
            case ANY -> kill("");
            case OWNER_AS_ONE_JOINS ->
            {
                add();
                await(() -> workers.get(0).size() == size);
                park(SOON_US);
                kill(owner);
            }
            case OWNER_AS_ONE_DIES -> killTwo(owner);
            case ROOT_AS_ONE_DIES -> killTwo(root);
        }
        await(() -> workers.stream().allMatch(worker -> worker.size() == size));
        graceEpoch.set(workers.stream().mapToLong(TreeWorker::epoch).max().getAsLong() - 1);
        awaitMembers();
    }

    /** The second one while the tree changes for the first one. */
    private void killTwo(final String second)
    {
        victims.keySet().stream().filter(name -> !name.equals(second)).findAny().ifPresent(this::kill);
        park(random.nextBoolean() ? SOON_US : CHANGE_US);
        if (victims.containsKey(second))
        {
            kill(second);
        }
    }

    /** One of that name, or any. */
    private void kill(final String name)
    {
        final PeerJvm named = victims.remove(name);
        final PeerJvm victim = named != null ? named :
            victims.remove(List.copyOf(victims.keySet()).get(random.nextInt(victims.size())));
        size--;
        killCount++;
        victim.kill();
        victim.close();
    }

    /** Messages that came to both have one order. */
    private static void checkOrder(final LongArrayList one, final LongArrayList other)
    {
        final Long2LongHashMap places = new Long2LongHashMap(-1);
        for (int i = 0; i < other.size(); i++)
        {
            places.put(other.getLong(i), i);
        }
        assertEquals(other.size(), places.size());
        long before = -1;
        int count = 0;
        for (int i = 0; i < one.size(); i++)
        {
            final long place = places.get(one.getLong(i));
            if (place >= 0)
            {
                assertTrue(place > before, "at " + i + " and " + place + " after " + before);
                before = place;
                count++;
            }
        }
        assertTrue(count > one.size() / 2, one.size() + " and " + other.size() + " have in common " + count);
    }

    private void start(final String name) throws Exception
    {
        final int nodeCount = ++size;
        final Path place = directory;
        final CompletableFuture<TreeWorker> joined = new CompletableFuture<>();
        runs.add(threads.submit(() ->
        {
            final TreeWorker worker = TreeWorker.join(place, name, nodeCount, graceEpoch);
            joined.complete(worker);
            worker.run(() -> isToEnd);
        }));
        workers.add(joined.get(PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private void add()
    {
        victimNumber++;
        size++;
        final String name = "victim-" + victimNumber;
        victims.put(name, new PeerJvm(logs.resolve("log"), TreeVictimMain.class, directory.toString(), name));
    }

    private void park(final int timeUs)
    {
        Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(random.nextInt(timeUs)));
    }

    /** The survivors know all members, have done operations with them, and have heard of each. */
    private void awaitMembers()
    {
        await(() -> workers.stream().allMatch(worker -> worker.size() == size));
        final long[] counts = workers.stream().mapToLong(TreeWorker::doneCount).toArray();
        await(() -> workers.stream().allMatch(worker ->
            worker.doneCount() > counts[workers.indexOf(worker)] + 2 && worker.heardCount(worker.epoch()) == size));
    }

    private void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            for (final Future<?> run : runs)
            {
                assertTrue(!run.isDone(), () -> why(run) + ' ' + text());
            }
            for (final PeerJvm victim : victims.values())
            {
                assertTrue(victim.process().isAlive(), this::text);
            }
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "not in time: size=" + size + ' ' + text());
            Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }

    private String text()
    {
        return workers + " " + ShmDirectory.text(logs.resolve("log"));
    }

    private static String why(final Future<?> run)
    {
        try
        {
            return "ended: " + run.get();
        }
        catch (final Exception ex)
        {
            return String.valueOf(ex.getCause());
        }
    }
}
