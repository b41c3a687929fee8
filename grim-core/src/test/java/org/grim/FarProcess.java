// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The far node as a process of its own: settings and first position as arguments, one command per line on standard
 * input, one answer per line on standard output. It ends when its input does, so it never outlives the test.
 */
public final class FarProcess
{
    private static final String END = "end";

    private FarProcess()
    {
    }

    public static void main(final String[] args)
    {
        final Map<String, Object> settings = new HashMap<>();
        ConfigFactory.parseString(args[0]).entrySet()
            .forEach(entry -> settings.put(entry.getKey(), entry.getValue().unwrapped()));
        final ConcurrentLinkedQueue<String> commands = new ConcurrentLinkedQueue<>();
        try (FarNode node = FarNode.join(settings, Long.parseLong(args[1]));
            PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            answers.println("ready");
            final Thread reader = new Thread(() -> readCommands(commands), "commands");
            reader.setDaemon(true);
            reader.start();
            int idleCount = 0;
            String command = commands.poll();
            while (!END.equals(command))
            {
                if (command != null)
                {
                    answers.println(node.run(command));
                }
                idleCount = command == null && node.step() == 0 ? idleCount + 1 : 0;
                ContractSupport.pause(idleCount);
                command = commands.poll();
            }
        }
    }

    private static void readCommands(final ConcurrentLinkedQueue<String> commands)
    {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, UTF_8)))
        {
            String line = reader.readLine();
            while (line != null)
            {
                commands.add(line);
                line = reader.readLine();
            }
        }
        catch (final IOException ignored)
        {
            // The test is gone: so is the reason to live.
        }
        commands.add(END);
    }
}
