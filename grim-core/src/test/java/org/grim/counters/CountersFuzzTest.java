// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.buffer.HostileFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** A tool that reads a counters file which anybody wrote gets counters and errors, or a refusal in words. */
final class CountersFuzzTest
{
    @TempDir
    private static Path directory;
    private static Path path;
    private static HostileFile file;

    @BeforeAll
    static void make()
    {
        path = directory.resolve("counters");
        try (NodeCounters counters = NodeCounters.create(path, 1))
        {
            counters.channel(0).sent(1);
            counters.errorLog().record(new GrimException(BAD_DATA, "an error"));
            counters.errorLog().record(new IllegalStateException("another"));
            file = HostileFile.ofCounters(path);
        }
    }

    @FuzzTest
    void shouldReadOrRefuse(final byte[] bytes)
    {
        file.write(new HostileInput(bytes), false);
        try (CountersView view = new CountersView(path))
        {
            view.readings().forEach(reading -> assertNotNull(reading.kind()));
            view.errors().forEach(error -> assertNotNull(error.text()));
        }
        catch (final GrimException ex)
        {
            assertNotNull(ex.getMessage());
        }
    }
}
