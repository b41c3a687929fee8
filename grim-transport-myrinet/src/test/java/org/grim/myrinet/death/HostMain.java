// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.grim.GrimConfig;
import org.grim.death.History;
import org.slf4j.LoggerFactory;

import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A process with one node that sends to its peer and receives from it. It starts ahead of its time and waits for a line
 * "go KEY"; "send" and "stop" begin and end the sending, and are answered. It ends when its standard input does.
 */
public final class HostMain
{
    private HostMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments settings as one line of configuration, name, name of the peer, seed.
     */
    public static void main(final String[] arguments)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(arguments[1]);
        ConfigFactory.parseString(arguments[0]).entrySet()
            .forEach(entry -> builder.set(entry.getKey(), entry.getValue().unwrapped()));
        final ConcurrentLinkedQueue<String> commands = new ConcurrentLinkedQueue<>();
        final History.Sink history = History.toStandardOutput();
        final Thread node = new Thread(() ->
        {
            try
            {
                new Host(builder.build(), arguments[2], Long.parseLong(arguments[3]), commands, history).run();
            }
            catch (final Throwable ex)
            {
                LoggerFactory.getLogger(HostMain.class).error(arguments[1], ex);
                history.onRecord(HostRecord.FAULT_FAILED, 0, 0, 0, 0);
            }
        }, "host");
        node.setDaemon(true);
        node.start();
        history.onRecord(History.READY, 0, 0, 0, 0);
        readCommands(commands);
        Runtime.getRuntime().halt(0);
    }

    private static void readCommands(final ConcurrentLinkedQueue<String> commands)
    {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8)))
        {
            String line = input.readLine();
            while (line != null)
            {
                commands.add(line);
                line = input.readLine();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
