// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.buffer.Uninterrupted;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hosts on one machine: a directory each, and a port of loopback each. Thread: any; no state. */
final class Hosts
{
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private Hosts()
    {
    }

    /** A host that a busy machine keeps silent is not taken for gone; a join waits longer than that. */
    static GrimConfig.Builder config(final Path base, final int[] ports, final int host, final String name)
    {
        return GrimConfig.builder().set("grim.node.name", name).set("grim.node.host", "host-" + host)
            .set("grim.cluster.directory", base.resolve(Integer.toString(host)).toString())
            .set("grim.cluster.name", "test").set("grim.cluster.nodes-max", 8)
            .set("grim.network.bind", "127.0.0.1:" + ports[host])
            .set("grim.handlers.resolve-timeout", "60s").set("grim.network.join-timeout", "60s")
            .set("grim.network.silence-timeout", "30s").set("grim.network.succession-timeout", "30s")
            .set("grim.network.discovery.hosts",
                IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).toList());
    }

    /** Has other hosts take a silent one for gone within seconds. */
    static GrimConfig.Builder shortTimes(final GrimConfig.Builder config)
    {
        return config.set("grim.network.silence-timeout", "3s").set("grim.network.succession-timeout", "3s");
    }

    /** Counted from the node's own, so only while the same host's agent gives the numbers. */
    static boolean isUp(final Grim grim, final String name, final int incarnation)
    {
        return grim.nodes().stream().anyMatch(node -> node.name().equals(name) &&
            node.state() == NodeInfo.State.UP && node.incarnation() - grim.node().incarnation() == incarnation - 1);
    }

    static boolean isUp(final Grim grim, final Grim other)
    {
        return grim.nodes().stream().anyMatch(node -> node.number() == other.node().number() &&
            node.state() == NodeInfo.State.UP && node.incarnation() == other.node().incarnation());
    }

    static boolean isGone(final Grim grim, final String name)
    {
        return grim.nodes().stream().noneMatch(node ->
            node.name().equals(name) && node.state() != NodeInfo.State.GONE);
    }

    static NodeInfo.GoneReason goneReason(final Grim grim, final String name)
    {
        return grim.nodes().stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow().goneReason();
    }

    static void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "not within " + PATIENCE);
            Uninterrupted.park(1_000_000);
        }
    }

    /** Output of a process, for the text of a failure. */
    static String text(final Path log)
    {
        try
        {
            return Files.readString(log);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    /** A port whose next one is free, too. */
    static int freePort()
    {
        return FreePorts.pair();
    }
}
