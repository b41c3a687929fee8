// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pingpong;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.tools.pair.HostPair;
import org.grim.tools.pair.HostPlaces;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;
import org.grim.tools.report.Json;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The command {@code pingpong --hosts}: a {@link PingPong} whose two processes are hosts of their own.
 * <p>Thread: one. Owns: the hosts, the process that measures, which starts the other one, and all files.
 */
public final class PingPongHosts
{
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
            final HostPlaces places =
                new HostPlaces(List.of(hosts.address(0), hosts.address(1)), hosts.place(1).apply(List.of()));
            try (SecondJvm first = SecondJvm.start("first", hosts.place(0),
                new First(mode, sizes, seconds, directory.path(), places, result, how)))
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

    /**
     * The process that measures, on a host of its own; it ends when its parent does.
     *
     * @param mode      what goes there and back.
     * @param sizes     payload bytes.
     * @param seconds   for the whole run, about.
     * @param directory for files.
     * @param hosts     where both processes are.
     * @param result    gets the report.
     * @param notes     gets lines on how it was measured.
     */
    @SuppressWarnings("ArrayRecordComponent")       // Nobody compares them.
    public record First(
        PingPongMode mode, int[] sizes, double seconds, Path directory, HostPlaces hosts, Path result, Path notes)
        implements ChildTask
    {
        @Override
        public void run() throws IOException
        {
            ParentWatch.start();
            try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(notes)))
            {
                Files.writeString(result, Json.text(new PingPong(mode, hosts).run(sizes, seconds, directory, writer)));
            }
        }
    }
}
