// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.sockets.observe.ConnectionReport;
import org.grim.sockets.observe.ConnectionTable;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A program in a process of its own, which goes with the test; its channels are the JDK's or GRIM's. */
final class Program implements AutoCloseable
{
    /** Options of programs that must not use TCP, though a busy machine may make a listener late. */
    static final List<String> ONLY_GRIM =
        List.of("-Dgrim.sockets.only.0=*:*", "-Dgrim.sockets.connect-timeout=10s");

    private static final String HEAP = "-Xmx384m";
    private static final long PATIENCE_MS = 120_000;
    private static final long LOOK_MS = 10;

    private final Path log;
    private final PeerJvm jvm;
    private final BufferedReader output;

    /** Its standard error goes to a file of the directory, which is its cluster's, too. */
    Program(
        final boolean isGrim, final Path directory, final List<String> options, final Class<?> program,
        final String... arguments)
    {
        log = directory.resolve("log");
        final List<String> all = new ArrayList<>(options);
        all.add("-Dgrim.cluster.directory=" + directory);
        if (isGrim)
        {
            all.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
            all.add("-Djava.nio.channels.spi.SelectorProvider=org.grim.sockets.GrimSelectorProvider");
        }
        jvm = new PeerJvm(log, all,
            command -> command.stream().map(word -> word.startsWith("-Xmx") ? HEAP : word).toList(), program,
            arguments);
        output = jvm.process().inputReader(UTF_8);
    }

    /** {@return the next line that it prints} */
    String readLine() throws IOException
    {
        final String line = output.readLine();
        assertNotNull(line, () -> ShmDirectory.text(log));
        return line;
    }

    /** {@return what it prints to a line of input} */
    String ask(final String line) throws IOException
    {
        jvm.tell(line);
        return readLine();
    }

    void tell(final String line)
    {
        jvm.tell(line);
    }

    void endInput() throws IOException
    {
        jvm.process().getOutputStream().close();
    }

    /** SIGTERM, as servers are ended. */
    void terminate()
    {
        jvm.process().toHandle().destroy();     // Process.destroy() would close what it printed.
    }

    /** {@return ms until it has ended} */
    long awaitEnd()
    {
        final long startNs = System.nanoTime();
        assertTrue(jvm.awaitExit(PATIENCE_MS), () -> "does not end: " + ShmDirectory.text(log));
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    /** Waits until as many processes have joined the cluster. */
    static void awaitJoined(final Path directory, final int count) throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        while (connections(directory).size() < count)
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS),
                () -> "have not joined: " + ShmDirectory.text(directory.resolve("log")));
            Thread.sleep(LOOK_MS);
        }
    }

    /** {@return of each process of the cluster} */
    static List<ConnectionReport> connections(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter(file -> file.toString().endsWith(ConnectionTable.KIND)).map(ConnectionReport::read)
                .toList();
        }
    }

    @Override
    public void close()
    {
        jvm.close();
    }
}
