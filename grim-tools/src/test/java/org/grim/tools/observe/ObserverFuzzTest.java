// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.HostileInput;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.buffer.HostileFile;
import org.grim.tools.report.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** Nodes, stat and why of a cluster with overwritten files: reports with what is missing, or one refusal. */
final class ObserverFuzzTest
{
    @TempDir
    private static Path parent;
    private static Grim near;
    private static Grim far;
    private static HandmadeBoards boards;
    private static Cluster left;
    private static Cluster live;

    /** Files that are read: of a cluster whose nodes are dead, or of one whose live nodes have it mapped. */
    private record Cluster(
        Path path, boolean isMapped, HostileFile directory, HostileFile inbox, HostileFile counters, HostileFile board,
        HostileFile region, HostileFile ni)
    {
        static Cluster of(final Path path, final boolean isMapped)
        {
            final String incarnation = "-" + near.node().incarnation() + ".";
            return new Cluster(path, isMapped, HostileFile.ofDirectory(path.resolve("directory"), 2),
                HostileFile.of(path.resolve("node-0" + incarnation + "inbox")),
                HostileFile.ofCounters(path.resolve("node-0" + incarnation + "counters")),
                HostileFile.of(path.resolve("node-0" + incarnation + "board"), boardWords()),
                HostileFile.of(path.resolve("node-1" + incarnation + "dma-1"), regionWords()),
                HostileFile.ofCounters(path.resolve("node-0" + incarnation + "ni")));
        }

        /** Each file gets its share of the bytes. */
        void write(final HostileInput input)
        {
            for (final HostileFile file : List.of(directory, inbox, counters))
            {
                file.write(new HostileInput(input.nextBytes(input.nextByte() / 2)), isMapped);
            }
            for (final HostileFile file : List.of(board, region, ni))
            {
                file.write(new HostileInput(input.nextBytes(input.nextByte() / 4)), isMapped);
            }
        }
    }

    /**
     * Two nodes with messages that stand in the first one's queues: an exclusive one, and a shared one. The first one
     * has a board, which the second one uses, too, with messages in all its queues.
     */
    @BeforeAll
    static void make() throws IOException
    {
        near = node("near");
        far = node("far");
        send();
        near.endpoint().poll();
        send();
        final Path path = configuration("near").clusterDirectory();
        boards = new HandmadeBoards(path, near.node().incarnation()).node(0, "near").node(1, "far").board(0)
            .attach(0, 0, 0, 0, 2, ChannelRegisters.ARRIVAL_QUEUE_POINTER).attach(1, 0, 1, 2, 2);
        for (int channel = 0; channel < 2; channel++)
        {
            boards.send(0, channel, 1, channel + 2, 3);
            boards.arrive(0, channel, 0, 1);
            boards.arrive(0, channel + 2, 1, 0);
        }
        boards.counters(0).triple(0, 0, 2).refused();
        final Path copy = Files.createTempDirectory(parent, "left");
        try (Stream<Path> files = Files.list(path))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        left = Cluster.of(copy, false);
        live = Cluster.of(path, true);
    }

    @AfterAll
    static void leave()
    {
        live.write(new HostileInput(new byte[0]));
        boards.close();
        far.close();
        near.close();
    }

    @FuzzTest
    void shouldReportOrRefuse(final byte[] bytes) throws IOException
    {
        final HostileInput input = new HostileInput(bytes);
        final Cluster cluster = input.nextBelow(2) == 0 ? left : live;
        cluster.write(input);
        try
        {
            observe(cluster.path());
            diagnose(cluster, input);
        }
        catch (final GrimException ex)
        {
            assertNotNull(ex.getMessage());
        }
    }

    /** Words of the board's header, of its channels' registers, of its contexts, and of the first message. */
    private static int[] boardWords()
    {
        final BoardGeometry geometry = boards.geometry(0);
        return Stream.of(IntStream.range(0, 11).map(word -> word * Integer.BYTES),
            IntStream.range(0, 4).flatMap(channel -> IntStream.range(0, 64)
                .map(word -> geometry.channelOffset(channel) + word * Integer.BYTES)),
            IntStream.range(0, 2).flatMap(context -> IntStream.range(0, 80)
                .map(word -> geometry.contextOffset(context) + word * Integer.BYTES)),
            IntStream.range(0, 8).map(word -> geometry.queueOffset(0) + word * Integer.BYTES))
            .flatMapToInt(words -> words).toArray();
    }

    /** The region's header, and a frame with a message and its tail. */
    private static int[] regionWords()
    {
        return IntStream.concat(IntStream.of(0, 8, 16),
            IntStream.range(0, 32).map(word -> 4096 + word * Integer.BYTES)).toArray();
    }

    /** Messages that no handler takes. */
    private static void send()
    {
        for (final Grim grim : List.of(far, near))
        {
            for (int i = 0; i < 2; i++)
            {
                grim.endpoint().link(near.endpoint().id().onChannel(i)).send(HandlerId.of(999), 0, 0, 0, 0);
            }
        }
    }

    private static Grim node(final String name)
    {
        return Grim.enable(configuration(name));
    }

    private static GrimConfig configuration(final String name)
    {
        return GrimConfig.builder().nodeName(name).transports("shmem").directory(parent.resolve("cluster"))
            .set("grim.cluster.nodes-max", 2).set("grim.queue.slot-count", 4).set("grim.queue.ring-length", 1024)
            .set("grim.queue.exclusive", 1).set("grim.queue.shared", 1).set("grim.queue.frame-count", 2)
            .set("grim.queue.frame-length", 128).build();
    }

    private static void observe(final Path path) throws IOException
    {
        for (final Observer.Report report : List.of(Observer.nodes(path), Observer.stat(path)))
        {
            assertFalse(report.text().isEmpty());
            assertNotNull(Json.text(report.json()));
        }
    }

    /** Another process also writes between the two looks. */
    private static void diagnose(final Cluster cluster, final HostileInput input) throws IOException
    {
        final List<ClusterSample> samples = new ArrayList<>();
        try (ClusterSampler sampler = new ClusterSampler(cluster.path()))
        {
            samples.add(sampler.sample());
            cluster.inbox().write(input, cluster.isMapped());
            cluster.board().write(input, cluster.isMapped());
            cluster.region().write(input, cluster.isMapped());
            samples.add(sampler.sample());
            for (final ClusterSample before : samples)
            {
                final WhyReport report = new Diagnosis(before, samples.get(1)).report();
                assertFalse(report.text().isEmpty());
                assertNotNull(Json.text(report.entries()));
            }
        }
    }
}
