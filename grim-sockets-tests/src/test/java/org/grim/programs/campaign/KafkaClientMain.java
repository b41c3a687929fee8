// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.grim.programs.ListeningServer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Kafka's clients: makes a topic at the broker whose port is the argument, prints a line when it is there, and answers
 * each line of input with how many lines of a {@linkplain #line form} are in the topic, one behind the other.
 */
public final class KafkaClientMain
{
    static final String TOPIC = "lines";

    private KafkaClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await("127.0.0.1", args[0]);
        final Map<String, Object> config = Map.of("bootstrap.servers", "127.0.0.1:" + args[0]);
        try (PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            Admin admin = Admin.create(config);
            KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer()))
        {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short)1))).all().get();
            final TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            output.println("ready");
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(count(consumer, partition));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /** Of the producer's line. */
    static String line(final int index)
    {
        return "line " + index;
    }

    private static int count(final KafkaConsumer<String, String> consumer, final TopicPartition partition)
    {
        final long end = consumer.endOffsets(List.of(partition)).get(partition);
        consumer.seekToBeginning(List.of(partition));
        int count = 0;
        while (consumer.position(partition) < end)
        {
            for (final ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1)))
            {
                count += record.value().equals(line(count)) ? 1 : 0;
            }
        }
        return count;
    }
}
