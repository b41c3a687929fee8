// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Nodes in processes that are short of descriptors, heap, direct memory, or room. */
@Tag("process")
@Timeout(180)
final class LimitedJvmIT
{
    private final Path directory = ShmDirectory.create();

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(directory);
    }

    @Tag("long")
    @Test
    void shouldSleepWithoutADoorbellAndReportItOnceWhenThereAreNoDescriptors() throws Exception
    {
        final String output = run("ulimit -n 256 && " + java("descriptors", directory));

        assertTrue(output.contains("without a doorbell: errors=1\n"), output);
        assertTrue(output.contains("with a doorbell that accepts nothing: errors=2\n"), output);
        assertTrue(output.contains("afterwards: errors=2\n"), output);
    }

    @Test
    void shouldGoOnPollingAfterTheHeapWasFull() throws Exception
    {
        final String output = run(java("heap", directory, "-Xmx48m"));

        assertTrue(output.contains("heap was full=true handled=1\n"), output);
    }

    @Test
    void shouldJoinWithLittleDirectMemoryAndNameOptionAndKeyWhenThereIsTooLittle() throws Exception
    {
        final String output = run(java("direct", directory, "-XX:MaxDirectMemorySize=10M"));

        assertTrue(output.contains("joined=1\n"), output);
        assertTrue(output.contains("\nNO_ROOM node=0 name=little: the JVM has no room for "), output);
        assertTrue(output.contains("raise -XX:MaxDirectMemorySize, or lower grim.queue.slot-count or " +
            "grim.queue.ring-length"), output);
    }

    @Test
    void shouldNameTheOptionThatKeepsTheCollectorFromUnmapping() throws Exception
    {
        final String place = Stream.of("unshare -m", "unshare -Urm").filter(LimitedJvmIT::canMount).findFirst()
            .orElse(null);
        assumeTrue(place != null, "neither unshare -m nor unshare -Urm may mount a tmpfs here");

        final String output = run("exec " + place + " sh -c \"mount -t tmpfs -o size=64m,mode=0700 tmpfs " +
            directory + " && " + java("lingering", directory, "-XX:+DisableExplicitGC") + "\"");

        assertTrue(output.contains("NO_ROOM too little space for "), output);
        assertTrue(output.contains(" bytes of files that it let go, until the JVM's next garbage collection, which " +
            "-XX:+DisableExplicitGC prevents: start the JVM without it"), output);
    }

    private static boolean canMount(final String place)
    {
        try
        {
            return new ProcessBuilder("sh", "-c", place + " mount -t tmpfs tmpfs /mnt").start().waitFor() == 0;
        }
        catch (final IOException ex)
        {
            return false;               // There is no such command.
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static String java(final String what, final Path directory, final String... options)
    {
        final List<String> command = PeerJvm.command(LimitedJvmMain.class, true);
        command.addAll(command.indexOf(PeerJvm.OPEN_FLAG), List.of(options));
        command.addAll(List.of(what, directory.toString()));
        return "exec " + command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }

    private static String run(final String script) throws IOException, InterruptedException
    {
        final Process process = PeerJvm.start(new ProcessBuilder(
            new ArrayList<>(List.of("sh", "-c", script))).redirectErrorStream(true));
        try
        {
            process.getOutputStream().close();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(90, TimeUnit.SECONDS), output);
            assertEquals(0, process.exitValue(), output);
            assertFalse(output.contains("Exception in thread"), output);
            return output;
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
