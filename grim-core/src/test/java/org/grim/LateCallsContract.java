// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * No call, in any order, from any thread, crashes the JVM or hangs, during any action of the node: in a child, which
 * goes from one scenario to the next. After a crash the next scenario has a new one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LateCallsContract
{
    private static final long DEADLINE_S = 120;

    private final String transport;
    private final Path directory = ShmDirectory.create();
    private final Path log = directory.resolve("log");
    private PeerJvm child;
    private BufferedReader answers;

    protected LateCallsContract(final String transport)
    {
        this.transport = transport;
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = DEADLINE_S, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldSurvive(final LateCallsMain.Scenario scenario) throws IOException
    {
        if (child == null || !child.process().isAlive())
        {
            child = new PeerJvm(log, List.of("-XX:-CreateCoredumpOnCrash"), LateCallsMain.class, transport,
                directory.resolve("cluster").toString());
            answers = new BufferedReader(new InputStreamReader(child.process().getInputStream(), UTF_8));
        }

        child.tell(scenario.name());

        assertEquals(scenario.name(), answers.readLine(), () -> "crashed or hung: " + ShmDirectory.text(log));
    }

    @AfterAll
    void endsAndLeavesNothing() throws IOException
    {
        try (PeerJvm last = child)
        {
            last.process().getOutputStream().close();
            assertTrue(last.awaitExit(TimeUnit.SECONDS.toMillis(DEADLINE_S)), "hangs");
            assertEquals(0, last.process().exitValue(), () -> ShmDirectory.text(log));
            assertEquals(List.of(log), ShmDirectory.tree(directory).stream().filter(Files::isRegularFile).toList());
        }
        finally
        {
            ShmDirectory.delete(directory);
        }
    }
}
