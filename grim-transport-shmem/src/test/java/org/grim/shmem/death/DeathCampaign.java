// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.death.Faults;

/**
 * Kills processes for a time, one after another, while others go on, and says what came of it.
 * <p>Thread: the test's.
 */
final class DeathCampaign implements AutoCloseable
{
    static final int NODES_PER_VICTIM = 4;

    private static final int VICTIM_COUNT = 2;
    private static final int SPARE_COUNT = 3;
    private static final long SETTLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    final Faults faults = new Faults();
    int killCount;
    int killedNodeCount;
    int killedJoiningCount;
    int killedStoppedCount;
    int stopCount;
    long acceptedCount;
    long abortedCount;

    private final Path directory;
    private final Path log;
    private final SplittableRandom random;
    private final Survivor survivor;
    private final Deque<Run> spares = new ArrayDeque<>();
    private final Run[] live = new Run[VICTIM_COUNT];
    private final long[] killNs = new long[VICTIM_COUNT];
    private final long[] startNs = new long[VICTIM_COUNT];
    private final boolean[] isKilledEarly = new boolean[VICTIM_COUNT];
    private final List<Run> dead = new ArrayList<>();
    private final List<Long> goneNs = new ArrayList<>();
    private final List<Long> peerGoneNs = new ArrayList<>();
    private final List<Long> reclaimedNs = new ArrayList<>();
    private int nextKey = 1;

    DeathCampaign(final Path directory, final Path log, final long seed)
    {
        this.directory = directory;
        this.log = log;
        random = new SplittableRandom(seed);
        survivor = new Survivor(directory, faults, random.nextLong());
    }

    void run(final long durationMs) throws InterruptedException
    {
        survivor.start();
        final long startRunNs = System.nanoTime();
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(durationMs);
        // On a busy machine longer than asked for: until some have died that had joined.
        while (faults.total() < 100 && (System.nanoTime() - startRunNs < durationNs ||
            (killedNodeCount < NODES_PER_VICTIM && System.nanoTime() - startRunNs < durationNs + PATIENCE_NS)))
        {
            step(System.nanoTime());
            LockSupport.parkNanos(500_000);
        }
        for (int slot = 0; slot < VICTIM_COUNT; slot++)
        {
            if (live[slot] != null)
            {
                isKilledEarly[slot] = !live[slot].hasJoined();
                kill(slot);
            }
        }
        final long settleNs = System.nanoTime() + SETTLE_TIMEOUT_NS;
        while (!dead.isEmpty() && System.nanoTime() - settleNs < 0)
        {
            bury(System.nanoTime());
            LockSupport.parkNanos(1_000_000);
        }
        dead.forEach(this::verify);
    }

    String report()
    {
        return "kills: processes=" + killCount + " nodes=" + killedNodeCount + " of these while joining=" +
            killedJoiningCount + " while stopped=" + killedStoppedCount + "; stopped and resumed=" + stopCount +
            "\nmessages: accepted of victims=" + acceptedCount + " delivered to the survivor=" +
            survivor.deliveredCount() + " claims aborted=" + abortedCount + " sent by the survivor=" +
            survivor.dripCount() + "\nfrom death, ms: " + times("onNodeGone", goneNs) + "; " +
            times("PEER_GONE", peerGoneNs) + "; " + times("room reclaimed", reclaimedNs) + "\nfaults: " + faults;
    }

    @Override
    public void close()
    {
        spares.forEach(Run::close);
        for (final Run run : live)
        {
            if (run != null)
            {
                run.close();
            }
        }
        survivor.close();
    }

    private void step(final long nowNs)
    {
        if (spares.size() < SPARE_COUNT)
        {
            spares.add(new Run(directory, log, NODES_PER_VICTIM, faults));
        }
        for (int slot = 0; slot < VICTIM_COUNT; slot++)
        {
            if (live[slot] == null)
            {
                launch(slot, nowNs);
            }
            else if (isKilledEarly[slot] ? nowNs - killNs[slot] > 0 : isTimeToDie(slot, nowNs))
            {
                kill(slot);
            }
            else if (random.nextInt(400) == 0)
            {
                pause(live[slot]);
            }
        }
        bury(nowNs);
    }

    private void launch(final int slot, final long nowNs)
    {
        if (spares.isEmpty() || !spares.peek().isReady())
        {
            return;
        }
        final Run run = spares.remove();
        final int firstKey = nextKey;
        nextKey += NODES_PER_VICTIM;
        run.go("victim-" + slot, firstKey, NODES_PER_VICTIM, random.nextLong());
        run.nodes.forEach(survivor::expect);
        live[slot] = run;
        startNs[slot] = nowNs;
        isKilledEarly[slot] = random.nextInt(10) == 0;
        killNs[slot] = isKilledEarly[slot] ? nowNs + TimeUnit.MILLISECONDS.toNanos(random.nextInt(150)) : 0;
    }

    /** A while after the last node of the victim has joined. */
    private boolean isTimeToDie(final int slot, final long nowNs)
    {
        if (killNs[slot] == 0)
        {
            if (live[slot].hasJoined())
            {
                killNs[slot] = nowNs + random.nextInt(60) * 1_000_000L;
            }
            else if (nowNs - startNs[slot] > PATIENCE_NS || !live[slot].isAlive())
            {
                faults.add(Faults.Kind.UNRESOLVED, 1, "victim does not join: " + live[slot].nodes);
                killNs[slot] = nowNs;
            }
            return false;
        }
        return nowNs - killNs[slot] > 0;
    }

    private void kill(final int slot)
    {
        final Run run = live[slot];
        live[slot] = null;
        if (random.nextInt(5) == 0)
        {
            run.jvm().stop();
            killedStoppedCount++;
        }
        run.kill();
        run.jvm().awaitExit(60_000);
        run.awaitEnd();
        killCount++;
        killedNodeCount += (int)run.nodes.stream().filter(RunNode::hasJoined).count();
        killedJoiningCount += (int)run.nodes.stream().filter(node -> !node.hasJoined()).count();
        run.nodes.stream().filter(RunNode::hasJoined).forEach(survivor::onKilled);
        dead.add(run);
    }

    private void pause(final Run run)
    {
        run.jvm().stop();
        LockSupport.parkNanos(random.nextInt(8) * 1_000_000L);
        run.jvm().resume();
        stopCount++;
    }

    private void bury(final long nowNs)
    {
        for (int i = dead.size() - 1; i >= 0; i--)
        {
            final Run run = dead.get(i);
            final boolean isDone = run.nodes.stream().allMatch(
                node -> !node.hasJoined() || (node.isSettled() && node.hasAllArrived()));
            if (isDone || nowNs - run.killedNs > SETTLE_TIMEOUT_NS)
            {
                verify(run);
                dead.remove(i);
            }
        }
    }

    private void verify(final Run run)
    {
        acceptedCount += run.acceptedCount;
        abortedCount += run.abortedCount;
        for (final RunNode node : run.nodes)
        {
            if (node.hasJoined())
            {
                node.verify(faults);
                addTime(goneNs, node.goneNs, run.killedNs);
                addTime(peerGoneNs, node.peerGoneNs, run.killedNs);
                addTime(reclaimedNs, node.reclaimedNs, run.killedNs);
            }
        }
    }

    private static void addTime(final List<Long> times, final long eventNs, final long killedNs)
    {
        if (eventNs != 0)
        {
            times.add(Math.max(0, eventNs - killedNs));
        }
    }

    private static String times(final String what, final List<Long> times)
    {
        final long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0)
        {
            return what + " none";
        }
        return String.format(Locale.ROOT, "%s p50=%.1f p99=%.1f max=%.1f n=%d", what, sorted[sorted.length / 2] / 1e6,
            sorted[sorted.length * 99 / 100] / 1e6, sorted[sorted.length - 1] / 1e6, sorted.length);
    }
}
