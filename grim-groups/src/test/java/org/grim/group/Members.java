// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.grim.Grim;
import org.grim.GrimConfig;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nodes of one cluster in this JVM, each with a thread that owns it, and polls it when it has nothing else to do. */
public final class Members implements AutoCloseable
{
    public static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long TIMEOUT_S = 120;
    private static final long POLL_INTERVAL_US = 50;

    private final List<ScheduledExecutorService> threads = new ArrayList<>();
    private final List<Future<?>> polls = new ArrayList<>();
    private final List<Grim> nodes = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();

    /** Joins them to the cluster. Names of handlers wait for the thread of another node, which may be late. */
    public Members(final List<GrimConfig> configs)
    {
        for (final GrimConfig given : configs)
        {
            final GrimConfig config = given.toBuilder().set("grim.handlers.resolve-timeout", "60s").build();
            final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
            threads.add(thread);
            final Grim node = get(thread.submit(() ->
            {
                final Grim grim = Grim.enable(config);
                grim.start();
                return grim;
            }));
            nodes.add(node);
            groups.add(null);
            polls.add(thread.scheduleWithFixedDelay(node.endpoint()::poll, 0, POLL_INTERVAL_US, TimeUnit.MICROSECONDS));
        }
    }

    /** All become members of a group, at a time; each returns when all are. */
    public void join(final String name)
    {
        all(node ->
        {
            nodes.get(node).awaitNodes(nodes.size(), TIMEOUT);
            final Group group = Groups.of(nodes.get(node)).join(name, TIMEOUT);
            groups.set(node, group);
            group.awaitSize(nodes.size(), TIMEOUT);
            return null;
        });
    }

    public int size()
    {
        return nodes.size();
    }

    public Grim node(final int index)
    {
        return nodes.get(index);
    }

    public Group group(final int index)
    {
        return groups.get(index);
    }

    /** Has a node go on with a group that it joined by itself. */
    public void adopt(final int index, final Group group)
    {
        groups.set(index, group);
    }

    /** Has one node do something. */
    public <T> Future<T> begin(final int node, final Callable<T> task)
    {
        return threads.get(node).submit(task);
    }

    /** Returns when a node's thread does nothing, not even end a poll, until something has happened. */
    public Future<Boolean> pause(final int node, final CountDownLatch end)
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final Future<Boolean> paused = begin(node, () ->
        {
            begun.countDown();
            return end.await(TIMEOUT_S, TimeUnit.SECONDS);
        });
        try
        {
            assertTrue(begun.await(TIMEOUT_S, TimeUnit.SECONDS), "the node's thread did not pause in time");
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
        return paused;
    }

    /** Has all nodes do something at a time; returns what they returned. */
    public <T> List<T> all(final Task<T> task)
    {
        final List<Future<T>> results = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++)
        {
            final int node = i;
            results.add(begin(node, () -> task.run(node)));
        }
        return results.stream().map(Members::get).toList();
    }

    /** Result of a node. */
    public static <T> T get(final Future<T> future)
    {
        try
        {
            return future.get(TIMEOUT_S, TimeUnit.SECONDS);
        }
        catch (final ExecutionException ex)
        {
            throw new IllegalStateException(ex.getCause());
        }
        catch (final InterruptedException | TimeoutException ex)
        {
            throw new IllegalStateException("no result in time", ex);
        }
    }

    @Override
    public void close()
    {
        final List<Future<?>> ends = new ArrayList<>();
        polls.forEach(poll -> poll.cancel(false));
        for (int i = 0; i < nodes.size(); i++)
        {
            ends.add(threads.get(i).submit(nodes.get(i)::close));
        }
        ends.forEach(Members::get);
        threads.forEach(ScheduledExecutorService::shutdownNow);
    }

    /** Work of a node. */
    @FunctionalInterface
    public interface Task<T>
    {
        T run(int node) throws Exception;
    }
}
