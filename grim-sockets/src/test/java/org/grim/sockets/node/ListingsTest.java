// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.grim.NarrowProcess;
import org.grim.NodeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Listings in a directory with names that the locale cannot read, under a mask that takes all rights. */
@Timeout(120)
final class ListingsTest
{
    private static final NodeInfo NODE = new NodeInfo(
        3, "server", NodeInfo.State.UP, 7, 1, 1, List.of(), List.of(), 0, "local", NodeInfo.GoneReason.NONE);

    @TempDir
    private Path directory;

    /** Enters an address twice, and finds it. */
    static final class Main
    {
        public static void main(final String[] arguments) throws IOException
        {
            final Listings listings = new Listings(Path.of(arguments[0]));
            final InetSocketAddress bound = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4_711);
            listings.enter(NODE, bound);
            listings.enter(NODE, bound);
            if (!listings.find(bound, List.of(NODE)).equals(List.of(NODE)))
            {
                throw new IllegalStateException("found=" + listings.find(bound, List.of(NODE)));
            }
        }
    }

    @Test
    void shouldFindAServerWhateverTheMaskAndTheLocaleAre() throws Exception
    {
        assertEquals("", NarrowProcess.run("umask 0777 && export LC_ALL=C && " +
            ": > \"$(printf '" + directory + "/node-1-1.x-listen-4711-\\303\\274\\377-0')\"", Main.class,
            directory.toString()));

        try (var files = Files.list(directory))
        {
            final List<String> modes = files.filter(file -> file.getFileName().toString().startsWith("node-3-7."))
                .map(ListingsTest::mode).toList();
            assertEquals(List.of("rw-------"), modes);
        }
    }

    @Test
    void shouldSeeWhatIsEnteredAndRemovedSinceItLooked() throws IOException
    {
        final Listings listings = new Listings(directory);
        final InetSocketAddress bound = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4_711);
        settle();
        assertEquals(List.of(), listings.find(bound, List.of(NODE)));
        assertEquals(List.of(), listings.find(bound, List.of(NODE)));

        final Path file = new Listings(directory).enter(NODE, bound);
        assertEquals(List.of(NODE), listings.find(bound, List.of(NODE)));
        settle();
        assertEquals(List.of(NODE), listings.find(bound, List.of(NODE)));
        assertEquals(List.of(NODE), listings.find(bound, List.of(NODE)));

        Files.delete(file);
        assertEquals(List.of(), listings.find(bound, List.of(NODE)));
    }

    /** As if nothing had changed for long. */
    private void settle() throws IOException
    {
        Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis() - 10_000));
    }

    private static String mode(final Path file)
    {
        try
        {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
