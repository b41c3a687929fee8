// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.grim.GrimException;
import org.grim.RejectReason;
import org.grim.RemoteRefusal;
import org.grim.buffer.Buffers;
import org.grim.buffer.OwnFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class CountersViewTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatALiveNodeCounts()
    {
        final Path path = directory.resolve("counters");
        try (NodeCounters counters = NodeCounters.create(path, 3); CountersView view = new CountersView(path))
        {
            counters.channel(2).sent(100);
            counters.channel(2).sent(50);
            counters.channel(2).publish();
            counters.channel(2).memoryWritten(70);
            counters.channel(2).memoryRead(30);
            counters.rejected(RejectReason.WRONG_SOURCE).increment();
            counters.memoryRefused(RemoteRefusal.FREED).increment();
            counters.node(CounterKind.HANDLER_ERRORS).increment();
            counters.errorLog().record(new GrimException(BAD_DATA, "an error"));

            assertEquals(2, value(view, CounterKind.MESSAGES_SENT, 2));
            assertEquals(150, value(view, CounterKind.BYTES_SENT, 2));
            assertEquals(0, value(view, CounterKind.BYTES_SENT, 1));
            assertEquals(0, value(view, CounterKind.BYTES_SENT, NodeCounters.SHARED_LINKS_KEY));
            assertEquals(1, value(view, CounterKind.REJECTED, RejectReason.WRONG_SOURCE.code()));
            assertEquals(1, value(view, CounterKind.HANDLER_ERRORS, 0));
            assertEquals(1, value(view, CounterKind.MEMORY_WRITES, 2));
            assertEquals(70, value(view, CounterKind.MEMORY_BYTES_WRITTEN, 2));
            assertEquals(1, value(view, CounterKind.MEMORY_READS, 2));
            assertEquals(30, value(view, CounterKind.MEMORY_BYTES_READ, 2));
            assertEquals(1, value(view, CounterKind.MEMORY_REFUSED, RemoteRefusal.FREED.code()));
            assertEquals(1, view.errors().size());
            assertTrue(view.errors().get(0).text().contains("an error"));
            assertEquals(kindCount(CounterKind.Scope.CHANNEL) * 4 + kindCount(CounterKind.Scope.NODE) +
                RejectReason.count() + RemoteRefusal.count(), view.readings().size());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldShowMessagesAtTheLatestAfterSomeSends()
    {
        final Path path = directory.resolve("counters");
        try (NodeCounters counters = NodeCounters.create(path, 1); CountersView view = new CountersView(path))
        {
            counters.channel(0).received(3);
            for (int i = 1; i < ChannelCounters.UNPUBLISHED_MAX; i++)
            {
                counters.channel(0).sent(2);
            }
            assertEquals(0, value(view, CounterKind.MESSAGES_SENT, 0));

            counters.channel(0).sent(2);

            assertEquals(ChannelCounters.UNPUBLISHED_MAX, value(view, CounterKind.MESSAGES_SENT, 0));
            assertEquals(2 * ChannelCounters.UNPUBLISHED_MAX, value(view, CounterKind.BYTES_SENT, 0));
            assertEquals(1, value(view, CounterKind.MESSAGES_RECEIVED, 0));
            assertEquals(3, value(view, CounterKind.BYTES_RECEIVED, 0));

            counters.sharedLinks().sent(5);
            counters.sharedLinks().publish();
            assertEquals(5, value(view, CounterKind.BYTES_SENT, NodeCounters.SHARED_LINKS_KEY));
        }
    }

    @Test
    void shouldReadTheFileOfADeadProcess() throws IOException
    {
        final Path path = directory.resolve("counters");
        final Path left = directory.resolve("left");
        try (NodeCounters counters = NodeCounters.create(path, 1))
        {
            counters.channel(0).received(7);
            counters.channel(0).publish();
            Files.copy(path, left);
        }

        try (CountersView view = new CountersView(left))
        {
            assertEquals(7, value(view, CounterKind.BYTES_RECEIVED, 0));
            assertEquals(List.of(), view.errors());
        }
    }

    @Test
    void shouldRefuseACorruptFile() throws IOException
    {
        final Path path = directory.resolve("counters");
        final Path bad = directory.resolve("bad");
        try (NodeCounters counters = NodeCounters.create(path, 1))
        {
            assertEquals(0, counters.node(CounterKind.PEER_GONE).get());
            final byte[] bytes = Files.readAllBytes(path);
            Buffers.wrap(bytes).putInt(64, 1_000_000);
            Files.write(bad, bytes);
            Files.setPosixFilePermissions(bad, OwnFiles.FILE_PERMISSIONS);
        }

        final String text = assertThrows(GrimException.class, () -> new CountersView(bad)).getMessage();

        assertTrue(text.startsWith("counters file is corrupt: counters=1000000 exceeds max="), text);
        assertThrows(GrimException.class, () -> new CountersView(directory.resolve("none")));
    }

    private static int kindCount(final CounterKind.Scope scope)
    {
        return (int)Arrays.stream(CounterKind.values()).filter(kind -> kind.scope() == scope).count();
    }

    private static long value(final CountersView view, final CounterKind kind, final int key)
    {
        return view.readings().stream().filter(reading -> reading.kind() == kind && reading.key() == key)
            .findFirst().orElseThrow().value();
    }
}
