// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.campaign;

import java.nio.file.Path;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.grim.campaign.history.Incarnation;
import org.grim.campaign.history.Ledger;
import org.grim.campaign.history.Pace;
import org.grim.campaign.history.Worker;
import org.grim.death.Faults;

/**
 * One cluster: processes come and go, stop and go on, while all send to all; then it settles, and the ledger is
 * verified; then all leave.
 * <p>Thread: the test's.
 */
final class Round implements AutoCloseable
{
    private static final int SLOT_COUNT = 5;
    /** Slots whose process runs as long as the round. */
    private static final int ANCHOR_COUNT = 2;
    private static final int STOP_MS_MAX = 1_200;
    private static final long JOIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SETTLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SETTLE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);

    final Faults faults = new Faults();
    final Tally tally = new Tally();

    private final RoundKind kind;
    private final String configuration;
    private final SplittableRandom random;
    private final Queue<Worker> spares;
    private final Ledger ledger;
    private final Slot[] slots = new Slot[SLOT_COUNT];
    private final Queue<Incarnation> joined = new ConcurrentLinkedQueue<>();
    private int keyCount;

    Round(final RoundKind kind, final Path directory, final long seed, final Queue<Worker> spares)
    {
        this.kind = kind;
        this.spares = spares;
        configuration = kind.configuration(directory);
        random = new SplittableRandom(seed);
        ledger = new Ledger(faults, (sender, receiver) -> sender.end == Incarnation.End.LEFT ||
            kind.isShared(sender.host, receiver.host));
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            slots[i] = new Slot(i);
        }
    }

    /** State of a process, and the times of its next events. */
    private static final class Slot
    {
        private final int index;
        private Worker worker;
        private boolean isLeaving;
        private boolean isKilledEarly;
        private long startNs;
        private long actNs;
        private long resumeNs;

        Slot(final int index)
        {
            this.index = index;
        }

        boolean isAnchor()
        {
            return index < ANCHOR_COUNT;
        }
    }

    void run(final long durationMs, final Runnable refill)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        while (System.nanoTime() - deadlineNs < 0)
        {
            refill.run();
            for (final Slot slot : slots)
            {
                step(slot, System.nanoTime());
            }
            introduce();
            LockSupport.parkNanos(1_000_000);
        }
        for (final Slot slot : slots)
        {
            resume(slot);
        }
        await(JOIN_TIMEOUT_NS, () -> allMatch(slot -> slot.isLeaving || slot.worker.hasJoined()), "joining");
        forAll(worker -> worker.tell("quiet"));
        await(END_TIMEOUT_NS, () -> allMatch(slot -> slot.isLeaving || slot.worker.isQuiet()), "the last sends");
        await(END_TIMEOUT_NS, () -> allMatch(slot -> !slot.isLeaving), "leaving");
        settle();
        ledger.verify();
        tally.end(ledger);
        for (final Slot slot : slots)
        {
            if (slot.worker != null)
            {
                leave(slot);
            }
        }
        await(END_TIMEOUT_NS, () -> allMatch(slot -> slot.worker == null), "the end of all processes");
    }

    @Override
    public void close()
    {
        forAll(Worker::close);
    }

    private void step(final Slot slot, final long nowNs)
    {
        if (slot.worker == null)
        {
            launch(slot, nowNs);
        }
        else if (!slot.worker.jvm.process().isAlive())
        {
            ended(slot);
        }
        else if (slot.resumeNs != 0 && nowNs - slot.resumeNs > 0)
        {
            resume(slot);
        }
        else if (slot.resumeNs != 0)
        {
            return;
        }
        else if (slot.isLeaving)
        {
            return;
        }
        else if (slot.isKilledEarly && nowNs - slot.actNs > 0)
        {
            kill(slot);
        }
        else if (slot.actNs == 0 && slot.worker.hasJoined())
        {
            slot.actNs = nowNs + TimeUnit.MILLISECONDS.toNanos(
                slot.isAnchor() ? 300 + random.nextInt(1_000) : random.nextInt(900));
        }
        else if (slot.actNs != 0 && nowNs - slot.actNs > 0)
        {
            slot.actNs = 0;
            act(slot);
        }
        else if (slot.actNs == 0 && nowNs - slot.startNs > JOIN_TIMEOUT_NS)
        {
            faults.add(Faults.Kind.HUNG, 1, "does not join: " + slot.worker.incarnations);
            kill(slot);
        }
    }

    private void launch(final Slot slot, final long nowNs)
    {
        if (spares.isEmpty() || !spares.peek().isReady())
        {
            return;
        }
        final Worker worker = spares.remove();
        slot.worker = worker;
        slot.isLeaving = false;
        slot.startNs = nowNs;
        worker.go(ledger, joined, Pace.FULL, kind.hostOf(slot.index), random.nextLong() >>> 1, configuration);
        ledger.incarnations().stream().filter(Incarnation::isLive).forEach(worker::introduce);
        final int nodeCount = slot.isAnchor() ? 2 : 1 + random.nextInt(2);
        for (int i = 0; i < nodeCount; i++)
        {
            worker.node("p" + slot.index + "n" + i, nextKey());
        }
        tally.processCount++;
        slot.isKilledEarly = !slot.isAnchor() && random.nextInt(12) == 0;
        slot.actNs = slot.isKilledEarly ? nowNs + TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)) : 0;
    }

    private void act(final Slot slot)
    {
        final int dice = random.nextInt(100);
        if (dice < (slot.isAnchor() ? 60 : 10))
        {
            stop(slot);
        }
        else if (dice < (slot.isAnchor() ? 100 : 30))
        {
            rejoin(slot);
        }
        else if (dice < 55)
        {
            leave(slot);
        }
        else
        {
            kill(slot);
        }
    }

    /** For a while, in which others die, leave, and come again. */
    private void stop(final Slot slot)
    {
        slot.worker.jvm.stop();
        slot.resumeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(STOP_MS_MAX));
        tally.stopCount++;
    }

    private static void resume(final Slot slot)
    {
        if (slot.resumeNs != 0)
        {
            slot.worker.jvm.resume();
            slot.resumeNs = 0;
        }
    }

    /** One of its nodes, in the same process; the first node of an anchor stays. */
    private void rejoin(final Slot slot)
    {
        final String name = "p" + slot.index + "n" + (slot.isAnchor() ? 1 : 0);
        int index = slot.worker.incarnations.size() - 1;
        while (!slot.worker.incarnations.get(index).name.equals(name))
        {
            index--;
        }
        slot.startNs = System.nanoTime();
        slot.worker.rejoin(index, nextKey());
        tally.rejoinCount++;
    }

    private void leave(final Slot slot)
    {
        slot.isLeaving = true;
        slot.worker.leave();
        tally.leaveCount++;
    }

    private void kill(final Slot slot)
    {
        if (random.nextInt(4) == 0)
        {
            slot.worker.jvm.stop();
        }
        slot.worker.kill();
        slot.worker = null;
        slot.resumeNs = 0;
        slot.isKilledEarly = false;
        tally.killCount++;
    }

    /** By itself: it has left, or it crashed. */
    private void ended(final Slot slot)
    {
        final Worker worker = slot.worker;
        worker.awaitHistory();
        final int exit = worker.jvm.process().exitValue();
        if (!slot.isLeaving || exit != 0 || worker.incarnations.stream().anyMatch(Incarnation::isLive))
        {
            faults.add(Faults.Kind.CRASHED, 1, "exit=" + exit + (slot.isLeaving ? " when leaving: " : ": ") +
                worker.incarnations);
        }
        worker.incarnations.stream().filter(node -> node.end == Incarnation.End.NONE)
            .forEach(node -> node.end = Incarnation.End.KILLED);
        slot.worker = null;
        slot.isLeaving = false;
    }

    /** Reports a joined node to all: from then on they send to it. */
    private void introduce()
    {
        Incarnation node = joined.poll();
        while (node != null)
        {
            final Incarnation ready = node;
            if (ready.isOut())
            {
                faults.add(Faults.Kind.CRASHED, 1, ready.toString());
            }
            else
            {
                tally.nodeCount++;
                forAll(worker -> worker.introduce(ready));
            }
            node = joined.poll();
        }
    }

    /** Until everything is in its place, or nothing has changed for long. */
    private void settle()
    {
        int openCount = ledger.openCount();
        long changedNs = System.nanoTime();
        while (openCount > 0 && System.nanoTime() - changedNs < SETTLE_TIMEOUT_NS)
        {
            LockSupport.parkNanos(SETTLE_INTERVAL_NS);
            final int count = ledger.openCount();
            if (count != openCount)
            {
                openCount = count;
                changedNs = System.nanoTime();
            }
        }
    }

    private void await(final long timeoutNs, final BooleanSupplier isSo, final String what)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (!isSo.getAsBoolean())
        {
            for (final Slot slot : slots)
            {
                if (slot.worker != null && !slot.worker.jvm.process().isAlive())
                {
                    ended(slot);
                }
            }
            introduce();
            LockSupport.parkNanos(1_000_000);
            if (System.nanoTime() - deadlineNs > 0)
            {
                faults.add(Faults.Kind.HUNG, 1, "waited in vain for " + what);
                return;
            }
        }
    }

    private boolean allMatch(final Predicate<Slot> predicate)
    {
        for (final Slot slot : slots)
        {
            if (slot.worker != null && !predicate.test(slot))
            {
                return false;
            }
        }
        return true;
    }

    private void forAll(final Consumer<Worker> action)
    {
        for (final Slot slot : slots)
        {
            if (slot.worker != null)
            {
                action.accept(slot.worker);
            }
        }
    }

    private int nextKey()
    {
        keyCount++;
        return keyCount;
    }
}
