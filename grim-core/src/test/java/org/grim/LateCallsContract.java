// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** No call, in any order, from any thread, crashes the JVM or hangs, whatever the node does meanwhile: in a child. */
public abstract class LateCallsContract
{
    private static final long DEADLINE_S = 60;

    private final String transport;

    protected LateCallsContract(final String transport)
    {
        this.transport = transport;
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurvive(final LateCallsMain.Scenario scenario) throws IOException, InterruptedException
    {
        final Path directory = ShmDirectory.create();
        final Path errors = directory.resolve("hs_err.log");
        final List<String> command = PeerJvm.command(LateCallsMain.class, true);
        command.addAll(1, List.of("-XX:ErrorFile=" + errors, "-XX:-CreateCoredumpOnCrash"));
        command.addAll(List.of(transport, directory.resolve("cluster").toString(), scenario.name()));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile()).start();
        try
        {
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), "hangs");

            final String output = Files.readString(directory.resolve("output"), StandardCharsets.UTF_8);
            assertFalse(Files.exists(errors), output);
            assertEquals(0, process.exitValue(), output);
            assertEquals(List.of(directory.resolve("output")),
                ShmDirectory.tree(directory).stream().filter(Files::isRegularFile).toList());
        }
        finally
        {
            process.destroyForcibly().waitFor();
            ShmDirectory.delete(directory);
        }
    }
}
