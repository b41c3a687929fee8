// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.agrona.CloseHelper;
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
 * Members are killed in the middle of collective operations: the survivors learn of it and go on without them. All
 * multicast all the time: of each sender all come that a member has belonged to the group for. {@code
 * campaign.kills} says how many; {@code ./campaign groups} sets it.
 */
@Tag("process")
final class GroupDeathIT
{
    private static final int KILL_COUNT_DEFAULT = 4;
    private static final int VICTIM_COUNT = 3;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LIMIT_MS = 1_000;             // DeathTimesIT measures an idle machine.

    private final Path directory = ShmDirectory.create();
    private final Deque<PeerJvm> victims = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> runs = new ArrayList<>();
    private final List<GroupWorker> workers = new CopyOnWriteArrayList<>();
    private volatile boolean isToEnd;
    private int victimNumber;

    @AfterEach
    void close()
    {
        isToEnd = true;
        victims.forEach(CloseHelper::quietClose);
        threads.shutdownNow();
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(3_600)
    void shouldGoOnWithoutMembersThatDieInTheMiddleOfOperations(@TempDir final Path logs) throws Exception
    {
        final int killCount = Integer.getInteger("campaign.kills", KILL_COUNT_DEFAULT);
        final Random random = new Random(Long.getLong("campaign.seed", 1));
        final Path victimsLog = logs.resolve("victims.log");
        refill(victimsLog);                             // One of them begins the group, and owns it until it dies.
        assertEquals(GroupVictimMain.IS_MEMBER, victims.getFirst().process().inputReader().readLine());
        final GroupWorker first = start("first", VICTIM_COUNT + 1);
        final GroupWorker second = start("second", VICTIM_COUNT + 2);
        final int[] kindCounts = new int[GroupWorker.KIND_COUNT];
        final List<Long> timesMs = new ArrayList<>();
        int ownerDeathCount = 0;

        for (int i = 0; i < killCount; i++)
        {
            refill(victimsLog);
            final int size = 2 + victims.size();
            await(() -> first.size() == size && second.size() == size, logs);
            final long doneCount = first.doneCount();
            await(() -> first.doneCount() > doneCount + 10, logs);
            Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
            final PeerJvm victim = random.nextBoolean() ? victims.pollFirst() : victims.pollLast();
            final int kind = i % GroupWorker.KIND_COUNT;
            await(() -> first.kind() == kind, logs);
            kindCounts[first.kind()]++;
            final int owner = first.owner();
            final long killedNs = System.nanoTime();
            victim.kill();
            await(() -> first.changedNs() - killedNs > 0 && second.changedNs() - killedNs > 0, logs);
            timesMs.add(TimeUnit.NANOSECONDS.toMillis(Math.max(first.changedNs(), second.changedNs()) - killedNs));
            await(() -> first.size() == size - 1 && second.size() == size - 1, logs);
            final long doneAfter = first.doneCount();
            await(() -> first.doneCount() > doneAfter, logs);
            ownerDeathCount += first.owner() == owner ? 0 : 1;
            victim.close();
        }
        isToEnd = true;
        victims.forEach(PeerJvm::close);
        for (final Future<?> run : runs)
        {
            run.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
        }

        timesMs.sort(null);
        final long median = timesMs.get(timesMs.size() / 2);
        LoggerFactory.getLogger(getClass()).warn("groups: kills={} by kind of operation={} owners={} noticed within " +
            "median={} ms, all within {} ms; multicasts={}", killCount, Arrays.toString(kindCounts), ownerDeathCount,
            median, timesMs.get(timesMs.size() - 1), first.multicastCount());
        assertTrue(first.multicastCount() > first.doneCount());
        assertTrue(killCount < 100 || median <= LIMIT_MS, timesMs::toString);   // The build runs beside other work.
        assertEquals(killCount, Arrays.stream(kindCounts).sum());
        assertTrue(killCount < VICTIM_COUNT || ownerDeathCount > 0);
        assertTrue(killCount < 100 || Arrays.stream(kindCounts).allMatch(count -> count > 0),
            Arrays.toString(kindCounts));
    }

    private GroupWorker start(final String name, final int nodeCount) throws Exception
    {
        final CompletableFuture<GroupWorker> joined = new CompletableFuture<>();
        runs.add(threads.submit(() ->
        {
            final GroupWorker worker = GroupWorker.join(directory, name, nodeCount);
            workers.add(worker);
            joined.complete(worker);
            worker.run(() -> isToEnd);
        }));
        return joined.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    /** They start together: that takes less time. */
    private void refill(final Path log)
    {
        while (victims.isEmpty() || (victims.size() < VICTIM_COUNT && victimNumber % VICTIM_COUNT != 0))
        {
            victimNumber++;
            victims.add(new PeerJvm(log, GroupVictimMain.class, directory.toString(), "victim-" + victimNumber));
        }
    }

    private void await(final BooleanSupplier isSo, final Path logs) throws Exception
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            for (final Future<?> run : runs)
            {
                if (run.isDone())
                {
                    run.get();                          // Says why.
                }
            }
            for (final PeerJvm victim : victims)
            {
                assertTrue(victim.process().isAlive(), () -> ShmDirectory.text(logs.resolve("victims.log")));
            }
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "not in time: " + workers + ' ' +
                ShmDirectory.text(logs.resolve("victims.log")));
            Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }
}
