// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.NodeState;
import org.grim.SendStatus;

/**
 * A JVM of nodes that join, greet every node of the cluster, wait for as many greetings, say "done", and leave when the
 * file "stay" is gone. What fails is told in one sentence, on the standard output, and by exit status 1.
 */
public final class NodeMain
{
    /** Name of a file beside the cluster's directory: its nodes stay for as long as it is there. */
    static final String STAY = "stay";

    private static final int GREETING = 100;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(40);

    private NodeMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory, nodes of the whole cluster, names of the nodes of this JVM.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final PrintStream output =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        final int nodeCount = Integer.parseInt(arguments[1]);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++)
        {
            final String name = arguments[i];
            final Thread thread = new Thread(() -> live(Path.of(arguments[0]), name, nodeCount, output), name);
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    private static void live(final Path directory, final String name, final int nodeCount, final PrintStream output)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        try (Grim grim = Grim.enable(DeathConfig.of(directory, name).build()))
        {
            final int[] greeted = {0};
            grim.handlers().register("greet", message -> greeted[0]++);
            grim.handlers().synchronise();
            final int greet = grim.handlers().resolve("greet");
            final List<Integer> done = new ArrayList<>();
            while (done.size() < nodeCount || greeted[0] < nodeCount)
            {
                for (final NodeInfo node : grim.nodes())
                {
                    if (node.state() == NodeState.UP && !done.contains(node.number()) &&
                        grim.host().link(EndpointId.of(node.number(), 0, 0))
                            .send(greet, GREETING, 0, 0, 0, null, 0, 0) == SendStatus.SENT)
                    {
                        done.add(node.number());
                    }
                }
                grim.poll();
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw new GrimException(name + " greeted=" + done + " was greeted=" + greeted[0]);
                }
                LockSupport.parkNanos(200_000);
            }
            output.println("done " + name);
            while (Files.exists(directory.resolve(STAY)) && System.nanoTime() - deadlineNs < 0)
            {
                grim.poll();
                LockSupport.parkNanos(1_000_000);
            }
        }
        catch (final RuntimeException ex)
        {
            output.println(ex.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }
}
