// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.thread.ErrorReports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

@Timeout(180)
final class PollingOrderTest
{
    private static final long SLEEP_MS = 50;
    private static final long TIMEOUT_MS = 60_000;
    private static final int MESSAGE_COUNT = 9;

    @TempDir
    private Path directory;

    @Test
    void deputyNeverFollowsForNobodyWouldWakeIt() throws IOException
    {
        try (Grim grim = Grim.enable(config("sockets"));
            Sleeper deputy = new Sleeper(Selector.open(), false);
            Sleeper leader = new Sleeper(Selector.open(), false);
            Sleeper follower = new Sleeper(Selector.open(), false))
        {
            grim.start();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            final PollingOrder pollingOrder =
                new PollingOrder("deputy", shared, deputy, new ErrorReports(ex -> fail(ex)));

            assertEquals(PollingOrder.Role.LEADER, firstRole(pollingOrder, leader));

            assertEquals(PollingOrder.Role.FOLLOWER, pollingOrder.tryLead(follower));
            assertEquals(PollingOrder.Role.BUSY, pollingOrder.tryLead(deputy));
            pollingOrder.leave(leader);
            assertEquals(PollingOrder.Role.LEADER, firstRole(pollingOrder, deputy));
            pollingOrder.leave(deputy);
            shared.acquire();
            shared.close();
            shared.release();
        }
    }

    /** A thread that is woken wants the node's lock. */
    @Test
    void shouldWakeOthersWhenTheLockIsReleased() throws IOException
    {
        try (Grim grim = Grim.enable(config("sockets")); Sleeper sleeper = new Sleeper(Selector.open(), true))
        {
            grim.start();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            sleeper.prepare();
            shared.acquire();
            try
            {
                sleeper.wakeUp();
                assertFalse(isWoken(sleeper, SLEEP_MS));

                shared.wakeAll();
                assertTrue(isWoken(sleeper, TIMEOUT_MS));
                sleeper.wakeUp();
            }
            finally
            {
                shared.release();
            }
            assertTrue(isWoken(sleeper, TIMEOUT_MS));
        }
    }

    /** Falling asleep behind a leader does not wait for the thread that handles messages. */
    @Test
    void shouldFollowWhileAnotherThreadHoldsTheNode() throws Exception
    {
        try (Grim grim = Grim.enable(config("sockets"));
            Sleeper deputy = new Sleeper(Selector.open(), false);
            Sleeper leader = new Sleeper(Selector.open(), true);
            Sleeper follower = new Sleeper(Selector.open(), true))
        {
            grim.start();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            final PollingOrder pollingOrder =
                new PollingOrder("deputy", shared, deputy, new ErrorReports(ex -> fail(ex)));
            assertEquals(PollingOrder.Role.LEADER, firstRole(pollingOrder, leader));
            final FutureTask<PollingOrder.Role> other = new FutureTask<>(() ->
            {
                final PollingOrder.Role role = pollingOrder.tryLead(follower);
                pollingOrder.leave(follower);
                return role;
            });
            shared.acquire();
            try
            {
                new Thread(other).start();
                assertEquals(PollingOrder.Role.FOLLOWER, other.get(60, TimeUnit.SECONDS));
            }
            finally
            {
                shared.release();
            }
            pollingOrder.leave(leader);
        }
    }

    /** Room in a hop rings no bell. */
    @Test
    void shouldLookMoreOftenAsSoonAsSomebodyWaitsForRoom() throws IOException
    {
        try (Grim grim = Grim.enable(config("sockets"));
            Sleeper deputy = new Sleeper(Selector.open(), false);
            Sleeper leader = new Sleeper(Selector.open(), true))
        {
            grim.start();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            final PollingOrder pollingOrder =
                new PollingOrder("deputy", shared, deputy, new ErrorReports(ex -> fail(ex)));
            leader.prepare();
            assertEquals(PollingOrder.Role.LEADER, firstRole(pollingOrder, leader));
            assertFalse(isWoken(leader, SLEEP_MS));

            shared.acquire();
            shared.impatient(true);
            shared.release();

            assertTrue(isWoken(leader, TIMEOUT_MS));
            assertEquals(1, pollingOrder.sleepMsMax());
            pollingOrder.leave(leader);
        }
    }

    private static boolean isWoken(final Sleeper sleeper, final long timeoutMs) throws IOException
    {
        final long startNs = System.nanoTime();
        sleeper.selector().select(timeoutMs);
        return System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    /** Messages that a leader finds when it has slept are no reason not to sleep the next time. */
    @Test
    void shouldSleepAgainAfterAMessageThatConcernsTheSleeperItself() throws Exception
    {
        try (Grim grim = Grim.enable(config("sockets"));
            Sleeper deputy = new Sleeper(Selector.open(), false);
            Sleeper leader = new Sleeper(Selector.open(), false))
        {
            final AtomicInteger callCount = new AtomicInteger();
            final HandlerId handler = grim.handlers().register("for-leader", message ->
            {
                callCount.incrementAndGet();
                leader.wakeUp();
            });
            grim.start();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            final PollingOrder pollingOrder =
                new PollingOrder("deputy", shared, deputy, new ErrorReports(ex -> fail(ex)));
            final Semaphore sleeps = new Semaphore(1);          // The other one does not send into a sleep.
            final FutureTask<Void> sender = new FutureTask<>(() -> send(handler, sleeps), null);
            new Thread(sender, "sender").start();

            int sleepCount = 0;
            for (int i = 0; i < MESSAGE_COUNT; i++)
            {
                while (callCount.get() <= i)
                {
                    leader.prepare();
                    leader.sleep(pollingOrder, 0);
                }
                final long startNs = System.nanoTime();
                leader.selector().select(SLEEP_MS);
                sleepCount += System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(SLEEP_MS - 1) ? 1 : 0;
                sleeps.release();
            }

            assertTrue(sleepCount > MESSAGE_COUNT / 2, Integer.toString(sleepCount));   // A ring may be late.
            sender.get(60, TimeUnit.SECONDS);
            shared.acquire();
            shared.close();
            shared.release();
        }
    }

    /** The deputy would be deposed at the application's next look, and take its core for that. */
    @Test
    void shouldGiveTimeToWhoHasJustDeparted() throws Exception
    {
        try (Grim grim = Grim.enable(config("sockets"));
            Sleeper deputy = new Sleeper(Selector.open(), false);
            Sleeper leader = new Sleeper(Selector.open(), false))
        {
            grim.start();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            final PollingOrder pollingOrder =
                new PollingOrder("deputy", shared, deputy, new ErrorReports(ex -> fail(ex)));
            final Semaphore steps = new Semaphore(0);
            final FutureTask<Void> deputyRun = new FutureTask<>(() ->
            {
                for (steps.acquire(); !shared.isClosed(); steps.acquire())
                {
                    pollingOrder.step();
                }
                return null;
            });
            final Thread deputyThread = new Thread(deputyRun, "deputy");
            deputyThread.start();
            assertEquals(PollingOrder.Role.LEADER, firstRole(pollingOrder, leader));
            while (!isIn(deputyThread, "awaitDeparture"))
            {
                steps.release(steps.availablePermits() == 0 ? 1 : 0);
                Thread.onSpinWait();
            }
            steps.drainPermits();

            pollingOrder.leave(leader);
            steps.release();
            LockSupport.unpark(deputyThread);       // As depart() does with the deputy's own thread.

            boolean hasSlept = false;
            while (steps.availablePermits() > 0 || !isIn(deputyThread, "acquire"))
            {
                hasSlept |= isIn(deputyThread, "sleepAsDeputy");
            }
            assertFalse(hasSlept);
            shared.acquire();
            shared.close();
            shared.release();
            steps.release();
            deputyRun.get(60, TimeUnit.SECONDS);
        }
    }

    private static boolean isIn(final Thread thread, final String method)
    {
        return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    private void send(final HandlerId handler, final Semaphore sleeps)
    {
        try (Grim other = Grim.enable(config("other")))
        {
            other.start();
            for (int i = 0; i < MESSAGE_COUNT; i++)
            {
                await(sleeps);
                Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(3 * SLEEP_MS));       // The other one sleeps again.
                assertEquals(SendStatus.SENT,
                    other.endpoint().link(other.locate("sockets")).send(handler, 0, 0, 0, 0));
            }
            await(sleeps);                                      // Its end is a ring, too.
        }
    }

    private static void await(final Semaphore sleeps)
    {
        try
        {
            assertTrue(sleeps.tryAcquire(TIMEOUT_MS, TimeUnit.MILLISECONDS), "the other one does not sleep");
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private GrimConfig config(final String name)
    {
        return GrimConfig.builder().nodeName(name).directory(directory).set("grim.warm-up", "0s").build();
    }

    /** While something is under way nobody sleeps. */
    private static PollingOrder.Role firstRole(final PollingOrder pollingOrder, final Sleeper sleeper)
    {
        PollingOrder.Role role = pollingOrder.tryLead(sleeper);
        while (role == PollingOrder.Role.BUSY)
        {
            role = pollingOrder.tryLead(sleeper);
        }
        return role;
    }
}
