// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pingpong;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.grim.tools.pair.HostPair;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The command {@code pingpong --hosts}: a {@link PingPong} whose two processes are hosts of their own.
 * <p>Thread: one. Owns: the hosts, the process that measures, which starts the other one, and all files.
 */
public final class PingPongHosts
{
    /** Name of the hidden command that runs the process that measures. */
    public static final String COMMAND = "pingpong-first";

    private static final long TIMEOUT_MS = TimeUnit.MINUTES.toMillis(3);

    private PingPongHosts()
    {
    }

    /**
     * Measures.
     *
     * @param mode       what goes there and back.
     * @param sizes      payload bytes, in the order of the rows.
     * @param seconds    for the whole run, about.
     * @param base       directory for files; null for the usual place.
     * @param isLoopback not to try namespaces.
     * @param notes      gets lines on how it was measured.
     * @return what was measured.
     */
    public static PingPongReport run(
        final PingPongMode mode, final int[] sizes, final double seconds, final Path base, final boolean isLoopback,
        final PrintWriter notes)
    {
        try (PrivateDirectory directory = PrivateDirectory.create("grim-pingpong-", base);
            HostPair hosts = new HostPair(isLoopback))
        {
            hosts.describe(notes);
            notes.flush();
            final Path result = directory.path().resolve("result");
            final Path how = directory.path().resolve("notes");
            final List<String> arguments = new ArrayList<>(List.of(COMMAND, "--mode", mode.toString(), "--sizes",
                IntStream.of(sizes).mapToObj(Integer::toString).collect(Collectors.joining(",")), "--seconds",
                Double.toString(seconds), "--directory", directory.path().toString(), "--hosts", hosts.addresses(),
                "--result", result.toString(), "--notes", how.toString()));
            hosts.place(1).apply(List.of()).forEach(word -> arguments.addAll(List.of("--second-place", word)));
            try (SecondJvm first = SecondJvm.start("first", hosts.place(0), arguments))
            {
                first.awaitEnd(TIMEOUT_MS + (long)(seconds * 1_000));
            }
            notes.print(Files.readString(how));
            return new ObjectMapper().readValue(result.toFile(), PingPongReport.class);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
