// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processes of this host whose cluster's files were removed while they used them, as Linux shows it: they map a file
 * that has no name any more. Nobody can join them.
 * <p>Thread: any; no state.
 */
public final class LostProcesses
{
    private static final Path PROCESSES = Path.of("/proc");

    private LostProcesses()
    {
    }

    /**
     * Looks for them; for tools: it reads the tables of all processes of this user.
     *
     * @param cluster directory that they were in.
     * @return a sentence, or an empty text if there are none.
     */
    public static String text(final Path cluster)
    {
        final List<String> numbers = numbers(new ClusterFiles(cluster).directory() + " (deleted)");
        return numbers.isEmpty() ? "" : "the cluster's files were removed under process" +
            (numbers.size() == 1 ? " " : "es ") + String.join(", ", numbers) +
            ", which nobody can join any more: restart (systemd-logind's RemoveIPC does that when a user logs out)";
    }

    private static List<String> numbers(final String mapping)
    {
        final List<String> numbers = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*"))
        {
            for (final Path process : processes)
            {
                if (maps(process.resolve("maps"), mapping))
                {
                    numbers.add(process.getFileName().toString());
                }
            }
        }
        catch (final IOException ex)
        {
            return List.of();           // Not Linux.
        }
        return numbers;
    }

    private static boolean maps(final Path table, final String mapping)
    {
        try (Stream<String> lines = Files.lines(table))
        {
            return lines.anyMatch(line -> line.endsWith(mapping));
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return false;               // It has ended, or is another user's.
        }
    }
}
