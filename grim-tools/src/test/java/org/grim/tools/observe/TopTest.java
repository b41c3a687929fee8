// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.tools.cli.CommandRun;
import org.grim.tools.report.Age;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(180)
final class TopTest extends CommandRun
{
    private static final int WIDTH = 80;
    private static final HandlerId UNKNOWN = HandlerId.of(100);

    private final List<Grim> nodes = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void leave()
    {
        nodes.forEach(Grim::close);
    }

    @Test
    void shouldShowRatesStallsAndNoQuietNode()
    {
        final Grim alice = join("alice-of-a-name-that-is-far-too-long");
        final Grim bob = join("bob");
        join("carol");
        final Link link = alice.endpoint().link(bob.node().endpoint());
        final Top top = new Top(directory.resolve("default"), Long.MAX_VALUE);
        assertEquals("", top.look());

        fill(alice, link);
        final String loaded = look(top);
        assertTrue(loaded.contains("nodes: 3, quiet: 2"), loaded);
        assertTrue(loaded.contains("\nnode ") && loaded.contains("\nalice-of-a-nam.. "), loaded);
        assertFalse(loaded.contains("carol") || loaded.contains("stalled"), loaded);

        link.send(UNKNOWN, 1, 2, 3, 4);
        alice.endpoint().poll();
        alice.counters();
        final String stalled = look(top);
        assertTrue(stalled.contains(" stalled "), stalled);

        bob.endpoint().poll();
        bob.counters();
        final String quiet = look(top);
        assertFalse(quiet.contains("stalled"), quiet);
        look(top);
        assertTrue(look(top).contains("nodes: 3, quiet: 3"));
    }

    @Test
    void shouldShowOneTableByTheCommand()
    {
        final Grim alice = join("alice");
        final Grim bob = join("bob");
        fill(alice, alice.endpoint().link(bob.node().endpoint()));

        assertEquals(0, execute("top", "--once", "--interval", "0.1", "--directory", directory.toString()));
        assertTrue(output.toString().contains("  nodes: 2, quiet: "), output::toString);
        assertRefused(2, "--interval=0.01 is outside 0.1 to 3600", "top", "--interval", "0.01");
        assertRefused(1, "no cluster at", "top", "--directory", directory.resolve("none").toString());
    }

    @Test
    void shouldShowLoopsThatStandStill()
    {
        join("alice");
        final Top top = new Top(directory.resolve("default"), Age.NEVER_MS);
        top.look();

        final String text = look(top);

        assertTrue(text.matches("(?s).*\nalice +0 +0.0 +0 +0 +no poll [0-9.]+ m?s\n"), text);
    }

    @Test
    void shouldShortenRates()
    {
        assertEquals("0 99999 100k 99999k 100M 12345M", String.join(" ", Top.rate(0), Top.rate(99_999),
            Top.rate(100_000), Top.rate(99_999_000), Top.rate(1e8), Top.rate(1.2345e10)));
    }

    private static String look(final Top top)
    {
        final String table = top.look();
        table.lines().forEach(line -> assertTrue(line.length() <= WIDTH, line));
        return table;
    }

    private Grim join(final String name)
    {
        final Grim grim = Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.queue.slot-count", 64).set("grim.queue.ring-length", 4096).build());
        nodes.add(grim);
        return grim;
    }

    private static void fill(final Grim sender, final Link link)
    {
        while (link.send(UNKNOWN, 1, 2, 3, 4) != SendStatus.BACK_PRESSURED)
        {
            sender.counters();
        }
    }
}
