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
 * Far nodes, one after the other, in a process of their own: a line of first position and settings on standard input
 * has one join, then each line is a command, and gets one line of an answer on standard output, until the node is to
 * leave. The process ends when its input does, so it never outlives the tests.
 */
public final class FarProcess
{
    /** Has the node leave. Another may join then. */
    static final String LEAVE = "@leave";

    private static final String END = "@end";

    private FarProcess()
    {
    }

    public static void main(final String[] args)
    {
        final ConcurrentLinkedQueue<String> commands = new ConcurrentLinkedQueue<>();
        final Thread reader = new Thread(() -> readCommands(commands), "commands");
        reader.setDaemon(true);
        reader.start();
        try (PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            int idleCount = 0;
            String command = commands.poll();
            while (!END.equals(command))
            {
                idleCount = command == null ? idleCount + 1 : 0;
                ContractSupport.pause(idleCount);
                command = command == null || LEAVE.equals(serve(command, commands, answers)) ? commands.poll() : END;
            }
        }
    }

    /** One node, from joining to leaving; returns the command that ended it. */
    private static String serve(
        final String join, final ConcurrentLinkedQueue<String> commands, final PrintStream answers)
    {
        final int space = join.indexOf(' ');
        final Map<String, Object> settings = new HashMap<>();
        ConfigFactory.parseString(join.substring(space + 1)).entrySet()
            .forEach(entry -> settings.put(entry.getKey(), entry.getValue().unwrapped()));
        String command = null;
        try (FarNode node = FarNode.join(settings, Long.parseLong(join.substring(0, space))))
        {
            answers.println("ready");
            int idleCount = 0;
            while (!LEAVE.equals(command) && !END.equals(command))
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
        System.gc();                            // The node's mappings go with it.
        answers.println("left");
        return command;
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
