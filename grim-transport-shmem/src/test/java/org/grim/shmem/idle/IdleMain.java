// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.idle;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;

/** A JVM with one node that echoes, in the default mode: the idle strategy of its endpoint. Ends with its input. */
public final class IdleMain
{
    /** Name of its node. */
    public static final String NAME = "idle";
    /** Name of the handler that echoes argument 0. */
    public static final String ECHO = "echo";

    private IdleMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory of the clusters.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread watch = new Thread(() -> awaitEnd(isOver), "end");
        watch.setDaemon(true);
        watch.start();
        try (Grim grim = Grim.enable(
            GrimConfig.builder().directory(Path.of(arguments[0])).nodeName(NAME).transports("shmem").build()))
        {
            grim.handlers().register(ECHO, message -> message.reply(HandlerId.of(message.argument(1)),
                message.argument(0)));
            grim.start();
            final Endpoint endpoint = grim.endpoint();
            final IdleStrategy idle = endpoint.idleStrategy();
            while (!isOver.get())
            {
                idle.idle(endpoint.poll());
            }
        }
    }

    private static void awaitEnd(final AtomicBoolean isOver)
    {
        try
        {
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final java.io.IOException ex)
        {
            throw new java.io.UncheckedIOException(ex);
        }
        finally
        {
            isOver.set(true);
        }
    }
}
