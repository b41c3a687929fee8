// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.network.status.ClusterRestart;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An agent in a process of its own; hosts find each other in a directory that they share. */
@Tag("process")
@Timeout(180)
final class HostCommandIT
{
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path base;

    @Test
    void shouldServeItsHostUntilItIsTerminated() throws Exception
    {
        final Map<String, String> left = settings("left");
        final Map<String, String> right = settings("right");
        try (GrimProcess host = start(left))
        {
            host.await("the host", () -> host.output().startsWith("host left ready: directory=" +
                base.resolve("left").resolve("test") + " process=" + host.process().pid()));
            try (Grim far = Grim.enable(config("far", right)))
            {
                try (Grim near = Grim.enable(config("near", left)))
                {
                    host.await("the nodes", () -> isUp(far, "near") && isUp(near, "far"));
                    assertEquals("left", far.nodes().get(near.node().number()).host());
                }
                host.await("the end of the node", () -> !isUp(far, "near"));
                assertTrue(base.resolve("left").resolve("test").resolve("directory").toFile().exists());
            }

            GrimProcess.signal("TERM", host.process().toHandle());

            assertEquals(TERMINATED, host.exitCode());
        }
        GrimProcess.assertNothingLeft(base.resolve("left"));
        GrimProcess.assertNothingLeft(base.resolve("right"));
    }

    /** Of two hosts the older one dies for good. */
    @Test
    void shouldGoOnWithTheHostThatIsLeftWhenToldTo() throws Exception
    {
        final Map<String, String> left = settings("left");
        final Map<String, String> right = settings("right");
        try (GrimProcess host = start(left))
        {
            host.await("the host", () -> host.output().startsWith("host left ready"));
            try (Grim near = Grim.enable(config("near", right)))
            {
                try (GrimProcess early = run(right, "host", "--restart-cluster"))
                {
                    assertEquals(1, early.exitCode());
                    assertTrue(early.error().contains("grim: cluster is not restarted: hosts=[left, right] are a " +
                        "majority of members=[left, right]"), early.error());
                }
                GrimProcess.signal("KILL", host.process().toHandle());
                String output = "";
                while (output.isEmpty())
                {
                    try (GrimProcess restart = run(right, "host", "--restart-cluster"))
                    {
                        output = restart.exitCode() == 0 ? restart.output() : "";
                    }
                }

                assertTrue(output.startsWith("cluster goes on with hosts=[right], given up=[left]\n" +
                    "host left: absent for "), output);
                try (Grim more = Grim.enable(config("more", right)))
                {
                    assertTrue(isUp(near, "near"), near.nodes()::toString);
                    assertEquals("right", more.node().host());
                }
            }
        }
    }

    @Test
    void shouldPrintNodesOfHostsThatAreGivenUp()
    {
        final ClusterRestart.GivenUpHost middle = new ClusterRestart.GivenUpHost("middle", 75_200, List.of(
            new ClusterRestart.GivenUpNode(1, "camera", "aeron=10.0.0.2:40123"),
            new ClusterRestart.GivenUpNode(4, "lamp", "")));
        final ClusterRestart restart = new ClusterRestart("", List.of("left"), List.of(middle));

        assertEquals(List.of("cluster goes on with hosts=[left], given up=[middle]", "host middle: absent for 75.2 s",
            "  node 1 camera aeron=10.0.0.2:40123", "  node 4 lamp"), HostCommand.restartText(restart));
    }

    @Test
    void shouldRefuseToServeAClusterOfOneHost() throws Exception
    {
        final Map<String, String> settings = settings("left");
        settings.remove("grim.network.discovery.directory");
        try (GrimProcess host = start(settings))
        {
            assertEquals(1, host.exitCode());
            assertEquals("grim: no connection to other hosts is configured: set one key below grim.network." +
                "discovery, with grim-network on the class path", host.error().strip());
            assertFalse(base.resolve("left").resolve("test").toFile().exists());
        }
    }

    private Map<String, String> settings(final String label)
    {
        return new TreeMap<>(Map.of("grim.node.host", label, "grim.cluster.name", "test",
            "grim.cluster.directory", base.resolve(label).toString(),
            "grim.network.bind", "127.0.0.1:" + FreePorts.pair(),
            "grim.network.discovery.directory", base.resolve("agents").toString()));
    }

    private GrimProcess start(final Map<String, String> settings) throws Exception
    {
        return run(settings, "host");
    }

    private GrimProcess run(final Map<String, String> settings, final String... arguments) throws Exception
    {
        final List<String> command = GrimProcess.java();
        command.addAll(List.of(System.getProperty("build.jvmFlags").split(" ")));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-cp", GrimProcess.classPath(), GrimCommand.class.getName()));
        command.addAll(List.of(arguments));
        return GrimProcess.start(base, new ProcessBuilder(command));
    }

    private static GrimConfig config(final String name, final Map<String, String> settings)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(name);
        settings.forEach(builder::set);
        return builder.build();
    }

    private static boolean isUp(final Grim grim, final String name)
    {
        return grim.nodes().stream().anyMatch(node ->
            node.name().equals(name) && node.state() == NodeInfo.State.UP);
    }
}
