// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.kafka.tools.ProducerPerformance;
import org.grim.FreePorts;
import org.grim.death.ShmDirectory;
import org.grim.programs.RatePair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rates of other programs over GRIM and over TCP, by turns. Logs the ratios. */
@Tag("process")
@Tag("long")
@Timeout(600)
final class ProgramRateIT
{
    private static final double RATIO_MIN = 0.1;
    private static final int ROUND_COUNT = Integer.getInteger("sockets.rate-rounds", 8) / 2;
    private static final String RECORD_COUNT = "500000";
    private static final Pattern RATE = Pattern.compile(RECORD_COUNT + " records sent, ([0-9.]+) records/sec.*");

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void deleteFiles()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void grpcAnswersUnaryCallsOverGrimAndOverTcp() throws IOException
    {
        final double median = RatePair.ratio("gRPC unary calls", directory, GrpcServerMain.class, GrpcRateMain.class);

        assertTrue(median > RATIO_MIN, () -> Double.toString(median));
    }

    /** By Kafka's own tool. */
    @Test
    void kafkaTakesRecordsOverGrimAndOverTcp() throws IOException
    {
        final List<Double> ratios = new ArrayList<>();
        try (Kafka grim = new Kafka(true); Kafka tcp = new Kafka(false))
        {
            for (int round = -1; round < ROUND_COUNT; round++)
            {
                final double ratio = grim.rate() / tcp.rate();
                if (round >= 0)
                {
                    ratios.add(ratio);
                }
            }
        }
        final double median = RatePair.median("Kafka produce", ratios);

        assertTrue(median > RATIO_MIN, ratios::toString);
    }

    /** A broker with a topic. */
    private final class Kafka implements AutoCloseable
    {
        private final String port = Integer.toString(FreePorts.pair());
        private final boolean isGrim;
        private final Program broker;
        private final Program client;

        Kafka(final boolean isGrim) throws IOException
        {
            this.isGrim = isGrim;
            broker = program(
                KafkaBrokerMain.class, Files.createTempDirectory(directory, "kafka").toString(), port);
            client = program(KafkaClientMain.class, port);
            assertEquals("ready", client.readLine());
        }

        /** Records per second, as the tool says. */
        double rate() throws IOException
        {
            try (Program tool = program(ProducerPerformance.class, "--topic", KafkaClientMain.TOPIC, "--num-records",
                RECORD_COUNT, "--record-size", "100", "--throughput", "-1", "--producer-props",
                "bootstrap.servers=127.0.0.1:" + port))
            {
                Matcher rate = RATE.matcher(tool.readLine());
                while (!rate.matches())
                {
                    rate = RATE.matcher(tool.readLine());
                }
                return Double.parseDouble(rate.group(1));
            }
        }

        private Program program(final Class<?> main, final String... arguments)
        {
            return new Program(isGrim, directory, isGrim ? Program.ONLY_GRIM : List.of(), main, arguments);
        }

        @Override
        public void close()
        {
            client.close();
            broker.close();
        }
    }
}
