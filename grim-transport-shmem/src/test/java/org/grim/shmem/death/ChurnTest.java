// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Nodes that join while others leave delay each other for moments only. */
class ChurnTest
{
    private static final int ROUND_COUNT = 40;
    private static final int THREAD_COUNT = 3;

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(180)
    void shouldTakeTheNumberOfANodeThatIsStillLeaving() throws InterruptedException
    {
        final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        try (Grim resident = Grim.enable(config("resident")))
        {
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREAD_COUNT; i++)
            {
                final String name = "guest-" + resident.node().number() + "-" + i + "-";
                threads.add(new Thread(() -> comeAndGo(name, failures)));
            }
            threads.forEach(Thread::start);
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }

        assertEquals(List.of(), List.copyOf(failures));
        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    @Timeout(180)
    void shouldNotTakeTheFilesOfTheNextClusterAlong() throws InterruptedException
    {
        final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREAD_COUNT; i++)
        {
            final String name = "guest-" + i + "-";
            threads.add(new Thread(() -> comeAndGo(name, failures)));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }

        assertEquals(List.of(), List.copyOf(failures));
        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    /** Each time under another name, so that it takes the number of the node that left, as soon as that is gone. */
    private void comeAndGo(final String name, final ConcurrentLinkedQueue<String> failures)
    {
        try
        {
            for (int round = 0; round < ROUND_COUNT; round++)
            {
                Grim.enable(config(name + round)).close();
            }
        }
        catch (final RuntimeException ex)
        {
            failures.add(ex.toString());
        }
    }

    private GrimConfig config(final String name)
    {
        return DeathConfig.of(directory, name).set("grim.cluster.nodes-max", THREAD_COUNT + 1).build();
    }
}
