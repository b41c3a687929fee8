// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.grim.EndpointId;
import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.tools.cli.GrimCommand;
import org.grim.tools.cli.GrimProcess;
import org.grim.tools.cli.WhyPeer;
import org.grim.tools.observe.Observer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.aeron.driver.MediaDriver;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Host left is this process. Of host right the agent, the media driver and the node are processes of their own, which
 * stand still in turn; the command on host left says which.
 */
@Tag("process")
@Tag("long")
@Timeout(300)
final class HopWhyProcessIT
{
    private static final HandlerId HANDLER = HandlerId.of(4000);
    private static final String CLUSTER = "why";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(100);
    private static final long CLIENT_TIMEOUT_MS = 2_000;
    private static final long RENEWAL_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path base;
    private final List<GrimProcess> processes = new ArrayList<>();
    private Grim alice;

    @AfterEach
    void close()
    {
        processes.forEach(GrimProcess::close);
        if (alice != null)
        {
            alice.close();
        }
    }

    @Test
    void shouldSayWhichPartOfTheOtherHostAHopWaitsFor() throws Exception
    {
        final List<String> hosts = List.of("127.0.0.1:" + FreePorts.pair(), "127.0.0.1:" + FreePorts.pair());
        final Map<String, String> right = settings("right", hosts.get(1));
        final GrimConfig.Builder left = GrimConfig.builder().directory(base.resolve("left")).nodeName("alice")
            .transports("aeron");
        settings("left", hosts.get(0)).forEach(left::set);
        alice = Grim.enable(left.build());
        final GrimProcess agent = start(right, GrimCommand.class, "host", List.of("host"));
        agent.await("the agent", () -> agent.output().startsWith("host right ready"));
        final Path directory = base.resolve("driver");
        final GrimProcess driver = start(Map.of("aeron.dir", directory.toString(),
            "aeron.client.liveness.timeout", CLIENT_TIMEOUT_MS + "ms"), MediaDriver.class, "driver", List.of());
        driver.await("the driver", () -> Files.exists(directory.resolve("cnc.dat")));
        final List<String> bobs = new ArrayList<>(
            List.of(base.resolve("right").toString(), "aeron", "bob", "idle", "grim.aeron.directory",
            directory.toString()));
        right.forEach((key, value) -> bobs.addAll(List.of(key, value)));
        final GrimProcess bob = start(Map.of(), WhyPeer.class, "bob", bobs);
        bob.await("the node", () -> bob.output().contains("ready"));
        send();

        awaitWhy("bob's process " + bob.process().pid() + " on host right (its loop has not polled for ");
        awaitWhy("-> bob channel 0 (hop to host right): ");

        GrimProcess.signal("STOP", driver.process().toHandle());
        awaitWhy("it is not the network: the media driver in process " + driver.process().pid() +
            " on host right has not stepped for ");
        GrimProcess.signal("CONT", driver.process().toHandle());

        awaitRenewal(bob);

        send();
        GrimProcess.signal("STOP", agent.process().toHandle());
        awaitWhy("the host cannot be reached: host right's agent does not answer, and was not heard for ");
        GrimProcess.signal("CONT", agent.process().toHandle());
    }

    /** Its process stands still until the driver has missed it, which may be late. */
    private void awaitRenewal(final GrimProcess bob) throws Exception
    {
        final String sentence = "bob on host right\n  Aeron's client of the node was renewed at 20";
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        boolean isSaid = false;
        while (!isSaid)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> sentence + " was not said: " + why());
            GrimProcess.signal("STOP", bob.process().toHandle());
            Thread.sleep(2 * CLIENT_TIMEOUT_MS);
            GrimProcess.signal("CONT", bob.process().toHandle());
            final long soonNs = System.nanoTime() + RENEWAL_NS;
            while (!isSaid && System.nanoTime() - soonNs < 0)
            {
                alice.endpoint().poll();
                isSaid = why().contains(sentence);
            }
        }
    }

    private void send()
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (alice.nodes().stream().noneMatch(node -> node.name().equals("bob")))
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "the other host's node is not known here");
            alice.endpoint().poll();
        }
        final EndpointId bob = alice.locate("bob");
        while (alice.endpoint().link(bob).send(HANDLER, 0, 0, 0, 0) != SendStatus.SENT)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "cannot send");
            alice.endpoint().poll();
        }
    }

    private void awaitWhy(final String sentence)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        String text = why();
        while (!text.contains(sentence))
        {
            final String last = text;
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> sentence + " was not said: " + last);
            alice.endpoint().poll();
            text = why();
        }
    }

    private String why()
    {
        return Observer.why(base.resolve("left").resolve(CLUSTER), 50).text();
    }

    private Map<String, String> settings(final String host, final String bind)
    {
        return new TreeMap<>(Map.of("grim.node.host", host, "grim.cluster.name", CLUSTER,
            "grim.cluster.directory", base.resolve(host).toString(), "grim.network.bind", bind,
            "grim.network.silence-timeout", "100s", "grim.network.discovery.directory",
            base.resolve("agents").toString()));
    }

    private GrimProcess start(
        final Map<String, String> properties, final Class<?> main, final String name, final List<String> args)
        throws Exception
    {
        final List<String> command = GrimProcess.java();
        command.addAll(List.of(System.getProperty("build.jvmFlags").split(" ")));
        properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-cp", GrimProcess.classPath(), main.getName()));
        command.addAll(args);
        final GrimProcess process =
            GrimProcess.start(Files.createDirectories(base.resolve("of-" + name)), new ProcessBuilder(command));
        processes.add(process);
        return process;
    }
}
