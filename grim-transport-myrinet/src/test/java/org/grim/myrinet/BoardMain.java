// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;

import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A process that runs a board for others, and echoes. Says "ready", and ends when its standard input does. */
public final class BoardMain
{
    /** Name of the handler that replies to handler argument 0. */
    public static final String ECHO = "echo";
    /** Its output when its board is there. */
    public static final String READY = "ready";

    private BoardMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments the node's settings, as one line of configuration; its name; "wait" if it is to start its board
     *                  when something comes on standard input.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(arguments[1]);
        ConfigFactory.parseString(arguments[0]).entrySet()
            .forEach(entry -> builder.set(entry.getKey(), entry.getValue().unwrapped()));
        final AtomicBoolean isOver = new AtomicBoolean();
        if (arguments.length > 2 && System.in.read() < 0)
        {
            return;
        }
        try (Grim grim = Grim.enable(builder.build());
            PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            grim.handlers().register(ECHO, message -> message.reply(HandlerId.of(message.argument(0)), 0));
            output.println(READY);
            final Thread watch = new Thread(() -> awaitEnd(isOver), "end");
            watch.setDaemon(true);
            watch.start();
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            while (!isOver.get())
            {
                idle.idle(grim.endpoint().poll());
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
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            isOver.set(true);
        }
    }
}
