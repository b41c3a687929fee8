// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.CloseHelper;
import org.grim.death.OpenResources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class DoorbellConnectionsTest
{
    private static final long LONG_MS = 50_000;

    private final DoorbellConnections caller = new DoorbellConnections();
    @TempDir
    private Path directory;
    private Selector selector;
    private SocketDoorbell bell;

    @BeforeEach
    void hang() throws IOException
    {
        selector = Selector.open();
        bell = SocketDoorbell.open(directory.resolve("bell"));
        bell.listen(selector, bell);
    }

    @AfterEach
    void close() throws IOException
    {
        caller.close();
        bell.close();
        selector.close();
    }

    @Test
    void shouldWakeForEachRingOverOneConnection() throws IOException
    {
        ringAndWake();
        final List<String> channels = OpenResources.channels();

        for (int i = 0; i < 100; i++)
        {
            ringAndWake();
        }

        OpenResources.awaitChannels(channels);
        assertSilent();
    }

    @Test
    void shouldNotBlockWhereNobodyTakesNoteOfRings() throws IOException
    {
        ringAndWake();

        for (int i = 0; i < 5_000; i++)
        {
            assertTrue(ring());
        }

        wake();
        assertSilent();
        ringAndWake();
    }

    @Test
    void shouldConnectAnewWhereASleeperHasComeBack() throws IOException
    {
        ringAndWake();
        bell.close();
        assertFalse(ring());

        bell = SocketDoorbell.open(directory.resolve("bell"));
        bell.listen(selector, bell);

        ringAndWake();
        ringAndWake();
    }

    @Test
    void shouldHearMoreCallersThanItKeepsConnections() throws IOException
    {
        final List<DoorbellConnections> callers = new ArrayList<>();
        try
        {
            for (int i = 0; i < SocketDoorbell.CONNECTION_COUNT_MAX + 3; i++)
            {
                callers.add(new DoorbellConnections());
            }
            for (int i = 0; i < callers.size() * 3; i++)
            {
                assertTrue(callers.get(i % callers.size()).tryRing(1, () -> directory.resolve("bell")));
                wake();
            }
            assertEquals(SocketDoorbell.CONNECTION_COUNT_MAX + 1, selector.keys().size());
        }
        finally
        {
            CloseHelper.closeAll(callers);
        }
        wake();
        assertSilent();
        assertEquals(1, selector.keys().size());
        ringAndWake();
    }

    @Test
    void shouldLetGoOfSleepersThatAreGone() throws IOException
    {
        ringAndWake();
        final List<String> channels = OpenResources.channels();

        for (int i = 1; i < 20; i++)
        {
            final Path path = directory.resolve("bell-" + i);
            try (SocketDoorbell other = SocketDoorbell.open(path))
            {
                assertTrue(caller.tryRing(1 + i, () -> path));
                other.await(LONG_MS);
            }
        }
        caller.tryRing(100, () -> directory.resolve("nobody"));
        final Path last = directory.resolve("last");
        try (SocketDoorbell other = SocketDoorbell.open(last))
        {
            assertTrue(caller.tryRing(101, () -> last));
            other.await(LONG_MS);
        }
        caller.tryRing(101, () -> last);

        OpenResources.awaitChannels(channels);
    }

    @Test
    void shouldKeepItsConnectionOnAThreadThatIsInterrupted() throws IOException
    {
        ringAndWake();
        final List<String> channels = OpenResources.channels();

        Thread.currentThread().interrupt();
        final boolean isRung = ring();

        assertTrue(Thread.interrupted());
        assertTrue(isRung);
        wake();
        OpenResources.awaitChannels(channels);
    }

    @Test
    void shouldWakeTheSelectorThatListensLast() throws IOException
    {
        ringAndWake();
        try (Selector other = Selector.open())
        {
            for (int i = 0; i < 3; i++)
            {
                bell.listen(other, bell);
                assertTrue(ring());
                assertTrue(other.select(LONG_MS) > 0);
                assertTrue(other.selectedKeys().stream().allMatch(key -> key.attachment() == bell));
                other.selectedKeys().clear();
                assertEquals(0, selector.selectNow());
                bell.silence();

                bell.listen(selector, bell);
                ringAndWake();
                assertEquals(0, other.selectNow());
            }
        }
        ringAndWake();
    }

    @Test
    void shouldEndTheSelectWhenItIsClosed() throws IOException
    {
        bell.close();

        assertEquals(0, selector.select(LONG_MS));

        assertFalse(ring());
    }

    private boolean ring()
    {
        return caller.tryRing(0, () -> directory.resolve("bell"));
    }

    private void ringAndWake() throws IOException
    {
        assertTrue(ring());
        wake();
    }

    private void wake() throws IOException
    {
        assertTrue(selector.select(LONG_MS) > 0, "nobody rang");
        selector.selectedKeys().clear();
        bell.silence();
    }

    private void assertSilent() throws IOException
    {
        assertEquals(0, selector.selectNow());
    }
}
