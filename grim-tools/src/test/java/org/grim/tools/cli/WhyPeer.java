// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.grim.Grim;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterFiles;
import org.grim.queue.QueueVandal;

/** A node in a process of its own, that a test stops or kills. It ends when its input does. */
public final class WhyPeer
{
    private static final String READY = "ready";
    private static final int MODE = 3;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private WhyPeer()
    {
    }

    /**
     * Joins, does what its mode says, and prints a line when that is done.
     *
     * @param args directory, transport, name, mode: poll, idle after having polled, or claim a slot of bob's and hold
     *             it; then keys and values of settings.
     * @throws IOException if the parent's pipes break.
     */
    public static void main(final String[] args) throws IOException
    {
        final Path directory = Path.of(args[0]);
        final Object[] settings = Arrays.copyOfRange(args, MODE + 1, args.length, Object[].class);
        try (Grim grim = WhyStage.join(directory, args[1], args[2], settings))
        {
            WhyStage.warmUp(grim);
            if ("claim".equals(args[MODE]))
            {
                claim(grim, directory);
            }
            final PrintStream output = System.out;
            output.println(READY);
            output.flush();
            final AtomicBoolean isOver = new AtomicBoolean();
            final Thread watch = new Thread(() -> awaitEnd(isOver), "end");
            watch.setDaemon(true);
            watch.start();
            while (!isOver.get())
            {
                if ("poll".equals(args[MODE]))
                {
                    grim.endpoint().poll();
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** The end of a pipe cannot be seen but by a thread that reads. */
    private static void awaitEnd(final AtomicBoolean isOver)
    {
        try
        {
            System.in.read();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            isOver.set(true);
        }
    }

    private static void claim(final Grim grim, final Path directory)
    {
        final NodeInfo bob = WhyStage.find(grim, "bob");
        final Path inbox = new ClusterFiles(directory.resolve(WhyStage.CLUSTER))
            .ofNode(bob.number(), bob.incarnation(), "inbox");
        final NodeInfo self = WhyStage.find(grim, grim.node().name());
        QueueVandal.claimAndStop(inbox, self.number(), self.incarnation());
    }
}
