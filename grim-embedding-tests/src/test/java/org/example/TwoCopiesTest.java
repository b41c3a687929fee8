// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.LibraryCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two copies of the library in one JVM, each of a class loader of its own, as two web applications have them. */
@Timeout(180)
final class TwoCopiesTest
{
    private static final int ROUND_COUNT = 8;

    @TempDir
    private Path directory;

    /** One copy. */
    private static final class Copy implements AutoCloseable
    {
        private final URLClassLoader loader = LibraryCopy.load();

        Copy() throws MalformedURLException
        {
        }

        Node join(final Path directory, final String name) throws ReflectiveOperationException
        {
            final Class<?> config = loader.loadClass("org.grim.GrimConfig");
            final Class<?> builder = loader.loadClass("org.grim.GrimConfig$Builder");
            Object values = config.getMethod("builder").invoke(null);
            values = builder.getMethod("directory", Path.class).invoke(values, directory);
            values = builder.getMethod("nodeName", String.class).invoke(values, name);
            values = builder.getMethod("set", String.class, Object.class).invoke(
                values, "grim.transports", List.of("shmem"));
            final Class<?> type = loader.loadClass("org.grim.Grim");
            final Node node = new Node(type, type.getMethod("enable", config).invoke(
                null, builder.getMethod("build").invoke(values)));
            node.call("startPolling");
            node.call("start");
            return node;
        }

        @Override
        public void close() throws IOException
        {
            loader.close();
        }
    }

    /** A node of a copy. */
    private record Node(Class<?> type, Object grim)
    {
        Object call(final String method) throws ReflectiveOperationException
        {
            return type.getMethod(method).invoke(grim);
        }

        void awaitNodes(final int count) throws ReflectiveOperationException
        {
            type.getMethod("awaitNodes", int.class, Duration.class).invoke(grim, count, Duration.ofSeconds(60));
        }
    }

    @Test
    void shouldStayAliveForOthersWhenTheOtherCopyLeaves() throws Exception
    {
        try (Copy first = new Copy(); Copy second = new Copy())
        {
            final Node one = first.join(directory, "one");
            final Node two = second.join(directory, "two");
            one.awaitNodes(2);
            two.call("close");

            final Node three = second.join(directory, "three");

            one.awaitNodes(2);
            three.awaitNodes(2);
            assertTrue(three.call("nodes").toString().contains("name=one, state=UP"), () -> "one is dead");
            three.call("close");
            one.call("close");
        }
        assertFalse(Files.exists(directory.resolve("default")));
    }

    @Test
    void shouldJoinAndLeaveAtTheSameTime() throws Exception
    {
        try (Copy first = new Copy(); Copy second = new Copy())
        {
            final Node resident = first.join(directory, "resident");
            final List<CompletableFuture<Void>> runs = Stream.of(first, second)
                .map(copy -> CompletableFuture.runAsync(() -> comeAndGo(copy))).toList();
            for (final CompletableFuture<Void> run : runs)
            {
                run.get(120, TimeUnit.SECONDS);
            }

            resident.awaitNodes(1);
            resident.call("close");
        }
        assertFalse(Files.exists(directory.resolve("default")));
    }

    private void comeAndGo(final Copy copy)
    {
        try
        {
            for (int i = 0; i < ROUND_COUNT; i++)
            {
                final Node node = copy.join(directory, "guest-" + System.identityHashCode(copy));
                node.awaitNodes(2);
                node.call("close");
            }
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex.getCause() == null ? ex : ex.getCause());
        }
    }
}
