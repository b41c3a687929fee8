// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.many;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.grim.FreePorts;
import org.grim.buffer.Uninterrupted;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Costs of many nodes on several hosts: joining, all to all, idleness. Prints what it measured. */
@Tag("process")
@Tag("slow")
@Timeout(600)
final class ManyNodesIT
{
    private static final int HOST_COUNT = 4;
    private static final int NODE_COUNT = 16;
    private static final int MESSAGE_COUNT = 10;
    private static final long JOIN_MS_MAX = 3_000;
    private static final long QUIET_MS = 10_000;            // Hops become idle after 2 s.
    private static final long SETTLE_MS = 90_000;
    private static final long WINDOW_MS = 20_000;
    private static final double CORE_SHARE_MAX = 0.02;

    private final Path directory = ShmDirectory.create();
    private final List<String> ports =
        IntStream.rangeClosed(0, HOST_COUNT).mapToObj(host -> Integer.toString(FreePorts.pair())).toList();
    private final List<PeerJvm> hosts = new ArrayList<>();
    private final List<String> report = new ArrayList<>();

    @AfterEach
    void close()
    {
        hosts.forEach(PeerJvm::close);
        ShmDirectory.delete(directory);
        LoggerFactory.getLogger(ManyNodesIT.class).warn("many nodes: {}", String.join("; ", report));
    }

    @Test
    void shouldTakeInAHostOfManyNodesSoonAndPassMessagesBetweenAll() throws IOException
    {
        final List<BufferedReader> outputs = new ArrayList<>();
        for (int host = 0; host < HOST_COUNT; host++)
        {
            outputs.add(start(host, NODE_COUNT, HOST_COUNT * NODE_COUNT));
        }
        for (final BufferedReader output : outputs)
        {
            report.add("first hosts " + line(output, "joined"));
        }
        hosts.forEach(host -> host.tell("exchange " + MESSAGE_COUNT));
        for (final BufferedReader output : outputs)
        {
            report.add(line(output, "exchanged"));
        }
        pause(QUIET_MS);
        final String joined = line(start(HOST_COUNT, NODE_COUNT, (HOST_COUNT + 1) * NODE_COUNT), "joined");
        report.add("one more host " + joined);

        assertTrue(Long.parseLong(joined.split(" ", -1)[1]) < JOIN_MS_MAX, joined);
    }

    @Test
    void shouldCostLittleWhenIdle() throws IOException
    {
        final BufferedReader first = start(0, 1, 2);
        final BufferedReader second = start(1, 1, 2);
        line(first, "joined");
        line(second, "joined");
        hosts.forEach(host -> host.tell("exchange " + MESSAGE_COUNT));
        line(first, "exchanged");
        line(second, "exchanged");
        pause(SETTLE_MS);

        final List<Duration> before = hosts.stream().map(ManyNodesIT::coreTime).toList();
        final long startNs = System.nanoTime();
        pause(WINDOW_MS);
        double most = 0;
        for (int host = 0; host < hosts.size(); host++)
        {
            final double share = (double)coreTime(hosts.get(host)).minus(before.get(host)).toNanos() /
                (System.nanoTime() - startNs);
            report.add(String.format(Locale.ROOT, "idle host with one node: %.2f %% of a core", share * 100));
            most = Math.max(most, share);
        }

        assertTrue(most < CORE_SHARE_MAX, "share of a core=" + most);
    }

    private BufferedReader start(final int host, final int nodeCount, final int clusterSize)
    {
        final PeerJvm peer = new PeerJvm(directory.resolve("log-" + host),
            List.of("-Dgrim.warm-up=0s"), HostOfNodes.class,
            directory.resolve("host-" + host).toString(), Integer.toString(host), String.join(",", ports),
            Integer.toString(nodeCount), Integer.toString(clusterSize));
        hosts.add(peer);
        return peer.process().inputReader(StandardCharsets.UTF_8);
    }

    private String line(final BufferedReader output, final String what) throws IOException
    {
        final String line = output.readLine();
        assertTrue(line != null && line.startsWith(what), () -> line + ": " + logs());
        return line;
    }

    private String logs()
    {
        return IntStream.range(0, hosts.size()).mapToObj(host -> directory.resolve("log-" + host)).map(log ->
        {
            try
            {
                return Files.readString(log);
            }
            catch (final IOException ex)
            {
                return ex.toString();
            }
        }).collect(Collectors.joining("\n"));
    }

    private static Duration coreTime(final PeerJvm host)
    {
        return host.process().info().totalCpuDuration().orElseThrow();
    }

    private static void pause(final long ms)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (endNs - System.nanoTime() > 0)
        {
            Uninterrupted.park(endNs - System.nanoTime());
        }
    }
}
