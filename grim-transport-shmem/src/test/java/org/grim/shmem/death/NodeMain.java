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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;

import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * A JVM of nodes that join, greet every node of the cluster, wait to be greeted by all, say "done", and leave when the
 * file "stay" is gone. A failure is reported in one sentence, on the standard output, and by exit status 1.
 */
public final class NodeMain
{
    /** Name of a file beside the cluster's directory: its nodes stay for as long as it is there. */
    static final String STAY = "stay";

    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

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
            final Set<Integer> heard = new HashSet<>();
            grim.handlers().register("greet", message -> heard.add(message.source().node()));
            grim.start();
            boolean isDone = false;
            while (!isDone || Files.exists(directory.resolve(STAY)))
            {
                // Each time again: a keeper of a lower number that joins later may give the name another id.
                greetAll(grim, grim.handlers().resolve("greet"));
                grim.endpoint().poll();
                if (!isDone && heard.size() == nodeCount)
                {
                    isDone = true;
                    output.println("done " + name);
                }
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw new GrimException(UNREACHABLE, name + " heard of nodes=" + heard + " only");
                }
                LockSupport.parkNanos(5_000_000);
            }
        }
        catch (final RuntimeException ex)
        {
            output.println(ex.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }

    /** Again and again: who has not registered the handler yet refuses a greeting. */
    private static void greetAll(final Grim grim, final HandlerId greet)
    {
        for (final NodeInfo node : grim.nodes())
        {
            if (node.state() == NodeInfo.State.UP)
            {
                final SendStatus status = grim.endpoint().link(node).send(greet, 0, 0, 0, 0);
                if (status == SendStatus.CLOSED)
                {
                    throw new GrimException(UNREACHABLE, "queue of " + node + " was stopped");
                }
            }
        }
    }
}
