// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.grim.tools.demo.DemoNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Timeout(240)
final class DemoClusterProcessIT
{
    private static final long TIMEOUT_MS = 120_000;

    @TempDir
    private Path directory;

    @Test
    void shouldPassAllMessagesBetweenTwoHostsAndLeaveNothing() throws Exception
    {
        final Path files = directory.resolve("f/g");
        try (GrimProcess grim = GrimProcess.run(directory, "demo-cluster", "--loopback", "--messages", "20",
            "--directory", files.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertFalse(grim.error().contains("\tat "), grim.error());
            assertEquals(4, grim.output().lines().filter(line -> line.matches("node-[01]-[01] starts")).count(),
                grim.output());
            assertEquals(4, grim.output().lines().filter(line -> line.matches("node-[01]-[01] on host-[01]: sent=60 " +
                "received=60 messages of 3 nodes, verified: whole, once, in order")).count(), grim.output());
            assertEquals(4, grim.output().lines().filter(line -> line.matches("node \\d node-[01]-[01]: up, alive.*"))
                .count(), grim.output());
        }
        assertFalse(Files.exists(files.getParent()), "a directory is left");
    }

    @Test
    @Tag("long")
    void shouldLeaveNothingWhenTerminated() throws Exception
    {
        final Path files = directory.resolve("f/g");
        final String namespaces;
        try (GrimProcess grim = GrimProcess.run(directory, "demo-cluster", "--messages", "10000000", "--directory",
            files.toString()))
        {
            grim.await("the second host", () -> grim.output().contains("host-1: "));
            final ProcessHandle node = grim.child(DemoNode.Task.class.getName());
            grim.process().destroy();

            assertNotEquals(0, grim.exitCode());
            node.onExit().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
            namespaces = "grim-" + grim.process().pid() + "-";
        }
        assertFalse(Files.exists(files.getParent()), "a directory is left");
        assertTrue(GrimProcess.hasNoNamespace(namespaces), "a namespace is left: " + namespaces);
    }
}
