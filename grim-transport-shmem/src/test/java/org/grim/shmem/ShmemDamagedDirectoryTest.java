// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Something removes or truncates files of a cluster whose nodes live. */
@Timeout(120)
final class ShmemDamagedDirectoryTest
{
    @TempDir
    private Path directory;
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private long receivedCount;

    @Test
    void shouldReachTheNextClusterAfterANodeOfTheRemovedOneHasLeft() throws IOException
    {
        final Grim old = enable("old");
        old.start();
        final Path cluster = directory.resolve("c");
        try (Stream<Path> files = Files.list(cluster))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
        }
        Files.delete(cluster);
        try (Grim next = enable("next"))
        {
            final HandlerId handler = next.handlers().register("count", message -> receivedCount++);
            next.start();
            while (errors.isEmpty())
            {
                old.endpoint().poll();
            }
            assertEquals(GrimException.Reason.FENCED, ((GrimException)errors.get(0)).reason());
            assertTrue(errors.get(0).getMessage().contains("were removed"), errors.get(0).getMessage());
            final List<String> before = names(cluster);

            old.close();

            assertEquals(before, names(cluster));
            try (Grim third = enable("third"))
            {
                final Link link = third.endpoint().link(third.locate("next"));
                assertEquals(SendStatus.SENT, link.send(handler, "x"));
                while (receivedCount == 0)
                {
                    next.endpoint().poll();
                }
            }
        }
        assertEquals(1, errors.size());
        assertFalse(Files.exists(cluster));
    }

    @Test
    void shouldLeaveNoFilesWhenAPeersFileWasTruncated() throws IOException
    {
        final Path cluster = directory.resolve("c");
        try (Grim peer = enable("peer"))
        {
            final HandlerId handler = peer.handlers().register("count", message -> receivedCount++);
            peer.start();
            final Grim node = enable("node");
            node.start();
            assertEquals(SendStatus.SENT, node.endpoint().link(peer.endpoint().id()).send(handler, "x"));
            final Path inbox;
            try (Stream<Path> files = Files.list(cluster))
            {
                inbox = files.filter(file -> file.getFileName().toString().matches("node-0-.*inbox"))
                    .findFirst().orElseThrow();
            }
            final byte[] content = Files.readAllBytes(inbox);
            truncate(inbox);

            final GrimException failure = assertThrows(GrimException.class, node::close);

            Files.write(inbox, content, StandardOpenOption.WRITE);
            assertTrue(failure.getMessage().startsWith(
                "leaving the cluster failed: a file in the cluster's directory was truncated: "), failure.getMessage());
            final List<String> left = names(cluster);
            assertTrue(left.stream().noneMatch(name -> name.startsWith("node-1-")), left.toString());
        }
        assertFalse(Files.exists(cluster));
    }

    private static void truncate(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.truncate(0);
        }
    }

    private static List<String> names(final Path cluster) throws IOException
    {
        try (Stream<Path> files = Files.list(cluster))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Grim enable(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).set("grim.cluster.name", "c")
            .set("grim.transports", List.of("shmem")).errorHandler(errors::add).build());
    }
}
