// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.buffer.Uninterrupted;
import org.grim.death.OpenResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A warm-up before a node joins: leaves nothing behind, and keeps no node from joining. */
@Timeout(180)
final class WarmUpTest
{
    private static final int CLUSTER_PATH_LENGTH_MAX = 77;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"null", "shmem", "myrinet"})
    void shouldLeaveNoTrace(final String transport)
    {
        final List<String> nothing = OpenResources.below(directory);

        compareWithCold(transport);

        OpenResources.awaitBelow(directory, nothing);
    }

    @Test
    void shouldWarmUpBesideAnother()
    {
        try (Grim other = Grim.enable(GrimConfig.builder().directory(directory).set("grim.cluster.name", "warm-up-0")
            .set("grim.cluster.nodes-max", 2).nodeName("near").transports("shmem").build()))
        {
            compareWithCold("shmem");

            assertEquals(List.of(other.node()), other.nodes());
        }
    }

    /** A frame of its own: what a caller's frame still names, the collector does not unmap. */
    private void compareWithCold(final String transport)
    {
        final Map<String, Long> counters;
        final List<String> files;
        try (Grim cold = enable(directory, transport, "0s"))
        {
            counters = counters(cold);
            files = fileNames();
        }
        final Set<String> threads = threads();

        try (Grim warm = enable(directory, transport, "300ms"))
        {
            assertEquals(1, warm.nodes().size());
            assertEquals(counters, counters(warm));
            assertEquals(files, fileNames());
            awaitNoMore(threads);
        }
    }

    /** Threads of the JVM and of tests before may end at any time, and those of the warm-up end soon. */
    private static void awaitNoMore(final Set<String> threads)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!threads.containsAll(threads()) && System.nanoTime() - deadlineNs < 0)
        {
            Uninterrupted.park(1_000_000);
        }
        assertTrue(threads.containsAll(threads()), () -> "only before: " + threads + " now: " + threads());
    }

    /** The cluster's own path is as long as it may be; that of the warm-up's cluster is longer. */
    @Test
    void shouldJoinWhereNoWarmUpIsPossible()
    {
        final Path base = directory.resolve(
            "x".repeat(CLUSTER_PATH_LENGTH_MAX - directory.toString().length() - "//c".length()));

        try (Grim grim = enable(base, "shmem", "300ms"))
        {
            assertEquals(List.of(grim.node()), grim.nodes());
        }
    }

    private static Grim enable(final Path base, final String transport, final String warmUp)
    {
        return Grim.enable(GrimConfig.builder().directory(base).set("grim.cluster.name", "c").nodeName("node")
            .transports(transport).set("grim.warm-up", warmUp).set("grim.myrinet.firmware", "duty-cycle").build());
    }

    /** By label; what says when something happened differs between any two nodes. */
    private static Map<String, Long> counters(final Grim grim)
    {
        final Map<String, Long> values = new TreeMap<>();
        grim.counters().forEach((value, id, label) -> values.put(label, value));
        return values;
    }

    private List<String> fileNames()
    {
        return OpenResources.below(directory).stream().filter(held -> held.startsWith("/"))
            .map(file -> file.replaceAll("node-0-\\d+", "node")).distinct().toList();
    }

    private static Set<String> threads()
    {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }
}
