// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.grim.death.History;

/**
 * A JVM of several nodes that send to the survivor until they are killed. It starts ahead of its time and waits for a
 * line "name firstKey seed"; it ends when its standard input does.
 */
public final class VictimMain
{
    private VictimMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory, nodes.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Path directory = Path.of(arguments[0]);
        final int nodeCount = Integer.parseInt(arguments[1]);
        final History.Sink history = History.toStandardOutput();
        final BufferedReader input = new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        DeathConfig.of(directory, "warm-up").build();
        history.onRecord(History.READY, 0, 0, 0, 0);
        final String line = input.readLine();
        if (line != null)
        {
            final String[] words = line.split(" ", -1);
            final int firstKey = Integer.parseInt(words[1]);
            final long seed = Long.parseLong(words[2]);
            for (int node = 0; node < nodeCount; node++)
            {
                final Thread thread = new Thread(new VictimNode(directory, words[0] + "-" + node, node,
                    firstKey + node, seed + node, history), "victim-" + node);
                thread.setDaemon(true);
                thread.start();
            }
            while (input.readLine() != null)
            {
                history.onRecord(History.READY, 0, 0, 0, 0);
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
