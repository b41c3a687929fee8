// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import org.grim.GrimConfig;

/** A job whose processes are nodes of this JVM. */
final class Jobs implements AutoCloseable
{
    private static final long TIMEOUT_S = 120;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Engine> engines;
    private final Members[] world;

    Jobs(final Path directory, final int size, final String... settings)
    {
        engines = all(size, rank ->
        {
            final GrimConfig.Builder config = GrimConfig.builder().directory(directory).transports("shmem");
            for (int i = 0; i < settings.length; i += 2)
            {
                config.set(settings[i], settings[i + 1]);
            }
            return Engine.start(new Launch(rank, size), config.build());
        });
        world = new Members[size];
        final int[] ranks = IntStream.range(0, size).toArray();
        for (int rank = 0; rank < size; rank++)
        {
            world[rank] = new Members(0, rank, ranks);
        }
    }

    Engine engine(final int rank)
    {
        return engines.get(rank);
    }

    Members world(final int rank)
    {
        return world[rank];
    }

    /** Has each rank do something, at a time. */
    <T> List<T> all(final Task<T> task)
    {
        return all(engines.size(), task);
    }

    private <T> List<T> all(final int size, final Task<T> task)
    {
        final List<Future<T>> results = new ArrayList<>();
        for (int i = 0; i < size; i++)
        {
            final int rank = i;
            results.add(begin(() -> task.run(rank)));
        }
        return results.stream().map(Jobs::get).toList();
    }

    <T> Future<T> begin(final Callable<T> task)
    {
        return threads.submit(task);
    }

    static <T> T get(final Future<T> future)
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
        engines.forEach(Engine::close);
        threads.shutdownNow();
    }

    /** The part of a rank. */
    @FunctionalInterface
    interface Task<T>
    {
        T run(int rank) throws Exception;
    }
}
