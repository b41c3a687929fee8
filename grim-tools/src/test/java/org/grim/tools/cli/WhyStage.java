// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import picocli.CommandLine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A cluster whose nodes stand still on purpose, in this JVM and in others, and what the command says of it. */
final class WhyStage implements AutoCloseable
{
    static final String CLUSTER = "why";

    private static final HandlerId HANDLER = HandlerId.of(4000);
    private static final long DEADLINE_MS = 60_000;
    private static final long WARM_UP_MS = 60;
    /** A loop reads its clock once in some hundreds of polls. */
    private static final int CLOCK_POLL_COUNT = 10_000;

    private final Path directory;
    private final String transport;
    private final List<Grim> nodes = new ArrayList<>();
    private final List<Process> peers = new ArrayList<>();

    /** Output of the command. */
    record Answer(int exitCode, JsonNode entries)
    {
        JsonNode entry(final String to, final String cause)
        {
            return find(to, cause).orElseThrow(() ->
                new AssertionError("no entry to " + to + " with cause " + cause + ": " + entries.toPrettyString()));
        }

        boolean has(final String to, final String cause)
        {
            return find(to, cause).isPresent();
        }

        private Optional<JsonNode> find(final String to, final String cause)
        {
            return entries.valueStream().filter(entry ->
                entry.get("to").asText().equals(to) && entry.get("cause").asText().equals(cause)).findFirst();
        }

        /** Its sentences, with times, process ids and the like made the same. */
        List<String> chain(final String to, final String cause)
        {
            final List<String> chain = new ArrayList<>();
            for (final JsonNode sentence : entry(to, cause).get("chain"))
            {
                chain.add(sentence.asText().replaceAll("\\d+(\\.\\d+)? (ms|s)\\b", "T")
                    .replaceAll("process \\d+", "process P").replaceAll("-CONT \\d+", "-CONT P"));
            }
            return chain;
        }
    }

    WhyStage(final Path directory)
    {
        this(directory, "shmem");
    }

    WhyStage(final Path directory, final String transport)
    {
        this.directory = directory;
        this.transport = transport;
    }

    static Grim join(final Path directory, final String transport, final String name, final Object... settings)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().directory(directory).nodeName(name)
            .transports(transport).set("grim.cluster.name", CLUSTER).set("grim.queue.slot-count", 64)
            .set("grim.queue.ring-length", 65_536);
        for (int i = 0; i < settings.length; i += 2)
        {
            builder.set((String)settings[i], settings[i + 1]);
        }
        return Grim.enable(builder.build());
    }

    /** Polls until tools can see that it polled. */
    static void warmUp(final Grim grim)
    {
        warmUp(grim.endpoint());
    }

    /** Polls until housekeeping is due, and then until the loop has seen that, however few polls there were before. */
    static void warmUp(final Endpoint endpoint)
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS))
        {
            endpoint.poll();
        }
        for (int i = 0; i < CLOCK_POLL_COUNT; i++)
        {
            endpoint.poll();
        }
    }

    static NodeInfo find(final Grim grim, final String name)
    {
        return grim.nodes().stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
    }

    Grim node(final String name, final Object... settings)
    {
        final Grim grim = join(directory, transport, name, settings);
        nodes.add(grim);
        return grim;
    }

    /** A node in a process of its own, ready. */
    Process peer(final String name, final String mode, final String... settings) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", GrimProcess.classPath(),
            WhyPeer.class.getName(),
            directory.toString(), transport, name, mode));
        command.addAll(List.of(settings));
        final Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        peers.add(process);
        final BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        assertEquals("ready", output.readLine(), name + " did not get ready");
        return process;
    }

    /** Stops a process, and waits until the system says that it is. */
    static void stop(final Process process) throws Exception
    {
        assertEquals(0, new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor());
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        while (!Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat")).contains(") T "))
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "does not stop");
            Thread.sleep(1);
        }
    }

    static void kill(final Process process) throws Exception
    {
        process.destroyForcibly();
        assertTrue(process.waitFor(DEADLINE_MS, TimeUnit.MILLISECONDS), "does not die");
    }

    static EndpointId endpoint(final Grim grim, final String name, final int channel)
    {
        return EndpointId.of(find(grim, name).number(), 0, channel);
    }

    /** Sends until there is no room; says how much there was. */
    static int fill(final Grim from, final EndpointId to)
    {
        int count = 0;
        while (from.endpoint().link(to).send(HANDLER, 0, 0, 0, 0) == SendStatus.SENT)
        {
            count++;
        }
        return count;
    }

    static void send(final Grim from, final EndpointId to, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertEquals(SendStatus.SENT, from.endpoint().link(to).send(HANDLER, 0, 0, 0, 0));
        }
    }

    /** Sends to bob's channel 0 until it is over. */
    static void trickle(final Grim carol, final AtomicBoolean isOver)
    {
        final EndpointId destination = endpoint(carol, "bob", 0);
        while (!isOver.get())
        {
            carol.endpoint().link(destination).send(HANDLER, 0, 0, 0, 0);
            Thread.onSpinWait();
        }
    }

    Path inbox(final Grim grim)
    {
        return file(grim.node(), "inbox");
    }

    Path file(final NodeInfo node, final String kind)
    {
        return directory.resolve(CLUSTER).resolve("node-" + node.number() + "-" + node.incarnation() + "." + kind);
    }

    Answer why() throws IOException
    {
        return why(200);
    }

    /**
     * Looks until a node's cause is reported so, and what flows to it from another one. Messages flow to the node for a
     * while: then the report is another.
     */
    Answer whyUntil(final String to, final String cause, final List<String> chain, final String flowsFrom)
        throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        Answer answer = why();
        while (!(answer.has(to, "flows") && answer.entry(to, "flows").get("from").asText().equals(flowsFrom) &&
            answer.has(to, cause) && answer.chain(to, cause).equals(chain)) && System.nanoTime() - deadlineNs < 0)
        {
            answer = why();
        }
        return answer;
    }

    /** One node polls, looks by turns say what is stuck. */
    void pollUntilNothingIsStuck(final Grim grim) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        Answer answer = why();
        while (answer.exitCode() != 0)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, answer.entries()::toPrettyString);
            warmUp(grim);
            answer = why();
        }
    }

    /** Looks until nothing is stuck: the nodes' own threads poll. */
    void awaitNothingStuck() throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        Answer answer = why();
        while (answer.exitCode() != 0)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, answer.entries()::toPrettyString);
            answer = why();
        }
    }

    Answer why(final int sampleMs) throws IOException
    {
        final StringWriter output = new StringWriter();
        final int exitCode = execute(output, "why", "--sample", Integer.toString(sampleMs));
        return new Answer(exitCode, new ObjectMapper().readTree(output.toString()));
    }

    /** Output of another command as JSON. */
    JsonNode show(final String command) throws IOException
    {
        final StringWriter output = new StringWriter();
        assertEquals(0, execute(output, command));
        return new ObjectMapper().readTree(output.toString());
    }

    private int execute(final StringWriter output, final String... args)
    {
        final StringWriter error = new StringWriter();
        final CommandLine commandLine = GrimCommand.commandLine();
        commandLine.setOut(new PrintWriter(output));
        commandLine.setErr(new PrintWriter(error));
        final List<String> arguments = new ArrayList<>(List.of(args));
        arguments.addAll(List.of("--json", "--directory", directory.toString(), "--cluster", CLUSTER));
        final int exitCode = commandLine.execute(arguments.toArray(String[]::new));
        assertEquals("", error.toString());
        return exitCode;
    }

    @Override
    public void close()
    {
        peers.forEach(Process::destroyForcibly);
        for (int i = nodes.size() - 1; i >= 0; i--)
        {
            nodes.get(i).close();
        }
    }
}
