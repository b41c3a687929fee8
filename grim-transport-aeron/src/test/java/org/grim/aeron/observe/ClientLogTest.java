// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import org.grim.GrimException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

final class ClientLogTest
{
    private static final long PATIENCE_NS = 10_000;
    private static final long BEGIN_NS = 1_000;

    @TempDir
    private Path directory;

    @Test
    void shouldSayOnceThatAClientBeginsAnewAndThatItCannotOnlyAfterAWhile() throws IOException
    {
        final Path file = directory.resolve("note");
        final ClientLog log = new ClientLog(file, 3, PATIENCE_NS);
        log.begun("driver", 7, 1_000);
        assertEquals(new ClientNote("driver", 7, 0, ""), ClientNote.read(file));

        final String early = logged(() ->
        {
            for (int i = 0; i < 10; i++)
            {
                log.renewing("driver", "timeout", BEGIN_NS + i);
                log.failed(BEGIN_NS + i, new GrimException(GrimException.Reason.SYSTEM_REFUSED, "port in use"));
            }
        });
        final String late = logged(() ->
        {
            log.failed(BEGIN_NS + PATIENCE_NS, new GrimException(GrimException.Reason.SYSTEM_REFUSED, "port in use"));
            log.failed(BEGIN_NS + PATIENCE_NS + 1, new GrimException(GrimException.Reason.SYSTEM_REFUSED, "again"));
        });
        log.begun("driver", 8, 2_000);

        assertEquals(1, early.lines().count(), early);
        assertEquals(1, late.lines().filter(line -> line.contains("cannot be renewed")).count(), late);
        assertFalse(late.contains("again"), late);
        assertEquals(new ClientNote("driver", 8, 2_000, "timeout"), ClientNote.read(file));
        log.close();
        assertFalse(Files.exists(file));
    }

    private static String logged(final Runnable action)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream before = System.err;
        System.setErr(new PrintStream(bytes, true, UTF_8));
        try
        {
            action.run();
        }
        finally
        {
            System.setErr(before);
        }
        return bytes.toString(UTF_8).lines().filter(line -> line.contains(ClientLog.class.getName()))
            .collect(Collectors.joining("\n"));            // Other threads of this JVM may log, too.
    }
}
