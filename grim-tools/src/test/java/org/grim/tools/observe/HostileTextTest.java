// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.tools.report.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Names and errors that move the cursor, end lines, or turn the direction of writing, as a peer may write them. */
final class HostileTextTest
{
    private static final String HOSTILE = "\u001b[2J\u202e\n\u0007\u009b31m\u2066x";

    @TempDir
    private Path parent;
    private Grim grim;
    private Path cluster;

    @BeforeEach
    void join() throws IOException
    {
        final int length = HOSTILE.getBytes(StandardCharsets.UTF_8).length;
        final GrimConfig config = GrimConfig.builder().transports("shmem").directory(parent)
            .nodeName("N".repeat(length)).set("grim.node.host", "H".repeat(length))
            .set("grim.queue.slot-count", 4).errorHandler(ex ->
            {
                // Counted, and kept as a distinct error.
            }).build();
        cluster = config.clusterDirectory();
        grim = Grim.enable(config);
        failInAHandler();
        leaveMessages();
        scribble(cluster.resolve("directory"), "N".repeat(length), "H".repeat(length));
    }

    @AfterEach
    void leave()
    {
        grim.close();
    }

    @Test
    void shouldShowNothingThatATerminalObeys() throws IOException
    {
        final Observer.Report nodes = Observer.nodes(cluster);
        final Observer.Report stat = Observer.stat(cluster);
        final Observer.Report why = Observer.why(cluster, 10);

        assertTrue(nodes.text().contains("\\u001b[2J\\u202e\\u000a\\u0007\\u009b31m\\u2066x"));
        assertTrue(stat.text().contains("error seen 1 times"));
        assertTrue(why.isWaiting());
        for (final Observer.Report report : List.of(nodes, stat, why))
        {
            requirePrintable(report.text());
            requirePrintable(Json.text(report.json()));
        }
    }

    private static void requirePrintable(final String text)
    {
        text.codePoints().forEach(point ->
        {
            final boolean isLineEnd = point == '\n';
            assertFalse(!isLineEnd && Character.isISOControl(point), text);
            assertFalse(Character.getType(point) == Character.FORMAT, text);
        });
        assertFalse(text.contains("\n\u0007") || text.lines().anyMatch(line -> line.startsWith("x")), text);
    }

    private void failInAHandler()
    {
        grim.handlers().register("fail", message ->
        {
            throw new IllegalStateException(HOSTILE);
        });
        grim.start();
        grim.endpoint().link(grim.endpoint().id()).send(grim.handlers().resolve("fail"), 0, 0, 0, 0);
        while (grim.endpoint().poll() == 0)
        {
            Thread.onSpinWait();
        }
    }

    /** They wait, so that {@code why} has something to say. */
    private void leaveMessages()
    {
        final HandlerId handler = grim.handlers().resolve("fail");
        for (int i = 0; i < 4; i++)
        {
            grim.endpoint().link(grim.endpoint().id()).send(handler, 0, 0, 0, 0);
        }
    }

    private static void scribble(final Path file, final String... texts) throws IOException
    {
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        for (final String text : texts)
        {
            assertTrue(content.contains(text));
            content = content.replace(text,
                new String(HOSTILE.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
        }
        // In place: the node has the file mapped.
        Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.WRITE);
    }
}
