// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.apache.kafka.tools.ConsoleProducer;
import org.grim.FreePorts;
import org.grim.death.ShmDirectory;
import org.grim.programs.JettyServerMain;
import org.grim.sockets.observe.ConnectionReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs of others that end their work in their shutdown hooks: over GRIM nothing is lost that TCP does not lose. */
@Tag("process")
@Tag("long")
@Timeout(300)
final class GracefulEndIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(GracefulEndIT.class);
    private static final String HOST = "127.0.0.1";
    private static final int LINE_COUNT = 2_000;
    /** That an end takes longer over GRIM, on a machine that does other work. */
    private static final long LONGER_MS_MAX = 15_000;

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void deleteFiles()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldKeepAllEntriesOfHazelcastWhenAMemberEndsGracefully() throws Exception
    {
        final long tcpMs = endOfMember(false);
        assertEndsAsSoon("a member of Hazelcast", endOfMember(true), tcpMs);
    }

    @Test
    void shouldBringAllLinesToKafkaWhenItsProducerAndThenTheBrokerEnd() throws Exception
    {
        final long tcpMs = endOfBroker(false);
        assertEndsAsSoon("Kafka's broker", endOfBroker(true), tcpMs);
    }

    @ParameterizedTest
    @ValueSource(classes = {JdkServerMain.class, JettyServerMain.class})
    void shouldAnswerBegunRequestsWhenAnHttpServerEnds(final Class<?> server) throws Exception
    {
        final long tcpMs = endOfServer(false, server);
        assertEndsAsSoon(server.getSimpleName(), endOfServer(true, server), tcpMs);
    }

    private static void assertEndsAsSoon(final String program, final long grimMs, final long tcpMs)
    {
        LOGGER.info("{} ends over GRIM within {} ms, over TCP within {} ms", program, grimMs, tcpMs);
        assertTrue(grimMs < tcpMs + LONGER_MS_MAX, () -> program + ": " + grimMs + " ms, over TCP " + tcpMs + " ms");
    }

    /** {@return how long the end of one of three members takes, in ms} */
    private long endOfMember(final boolean isGrim) throws IOException
    {
        final String[] ports =
            Stream.generate(() -> Integer.toString(FreePorts.pair())).limit(3).toArray(String[]::new);
        try (Program first = member(isGrim, ports[0], ports[0]);
            Program second = member(isGrim, ports[1], ports[0]);
            Program third = member(isGrim, ports[2], ports[0]))
        {
            for (final Program member : List.of(first, second, third))
            {
                assertEquals("joined", member.readLine());
            }
            final String all = Integer.toString(HazelcastMemberMain.ENTRY_COUNT);
            assertEquals(all, second.ask("put"));
            assertOver(isGrim, 3);

            third.terminate();
            final long endMs = third.awaitEnd();

            assertEquals(all, first.ask("count"));
            assertEquals(all, second.ask("count"));
            assertOver(isGrim, 2);
            return endMs;
        }
    }

    private Program member(final boolean isGrim, final String port, final String firstPort)
    {
        return new Program(isGrim, directory, options(isGrim), HazelcastMemberMain.class, "3", port, firstPort);
    }

    /** {@return how long the end of the broker takes, in ms; its producer's has been awaited before} */
    private long endOfBroker(final boolean isGrim) throws IOException
    {
        final String port = Integer.toString(FreePorts.pair());
        final Path files = Files.createTempDirectory(directory, "kafka");
        try (Program broker =
            new Program(isGrim, directory, options(isGrim), KafkaBrokerMain.class, files.toString(), port);
            Program client = new Program(isGrim, directory, options(isGrim), KafkaClientMain.class, port))
        {
            assertEquals("ready", client.readLine());
            try (Program producer = new Program(isGrim, directory, options(isGrim), ConsoleProducer.class,
                "--bootstrap-server", HOST + ":" + port, "--topic", KafkaClientMain.TOPIC))
            {
                for (int i = 0; i < LINE_COUNT; i++)
                {
                    producer.tell(KafkaClientMain.line(i));
                }
                producer.endInput();            // It exits at once, and sends in its shutdown hook what it holds.
                producer.awaitEnd();
            }
            assertEquals(Integer.toString(LINE_COUNT), client.ask("count"));
            assertOver(isGrim, 2);

            broker.terminate();
            return broker.awaitEnd();
        }
    }

    /** {@return how long the end of a server with requests under way takes, in ms} */
    private long endOfServer(final boolean isGrim, final Class<?> server) throws IOException
    {
        try (Program serving = new Program(isGrim, directory, options(isGrim), server, HOST);
            Program asking = new Program(
                isGrim, directory, options(isGrim), DrainClientMain.class, HOST, serving.readLine()))
        {
            assertEquals("begun", asking.readLine());
            assertOver(isGrim, 2);

            serving.terminate();
            final long endMs = serving.awaitEnd();

            assertEquals(Integer.toString(DrainClientMain.REQUEST_COUNT), asking.readLine());
            return endMs;
        }
    }

    private static List<String> options(final boolean isGrim)
    {
        return isGrim ? Program.ONLY_GRIM : List.of();
    }

    /** All connections of the processes are GRIM's, or none has joined a cluster. */
    private void assertOver(final boolean isGrim, final int processCount) throws IOException
    {
        final List<ConnectionReport> connections = Program.connections(directory);
        assertEquals(isGrim ? processCount : 0, connections.size());
        assertTrue(connections.stream().allMatch(report -> report.grimCount() > 0 && report.tcpCount() == 0),
            connections::toString);
    }
}
