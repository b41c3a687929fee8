// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.buffer.LockFile;
import org.grim.buffer.MappedFile;
import org.grim.death.ShmDirectory;
import org.grim.group.Groups;
import org.grim.node.HostProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.network.Hosts.PATIENCE;
import static org.grim.network.Hosts.await;
import static org.grim.network.Hosts.freePort;
import static org.grim.network.Hosts.isGone;
import static org.grim.network.Hosts.isUp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nodes of several hosts, each of which is a directory of its own and an agent on loopback; JGroups between them. */
@Timeout(180)
final class ClusterOfHostsTest
{
    private static final String AGENT_THREAD = "grim-agent-host-0";

    @TempDir
    private Path base;
    private int[] ports;
    private final List<Grim> open = new ArrayList<>();

    @BeforeEach
    void choosePorts()
    {
        ports = new int[] {freePort(), freePort(), freePort()};
    }

    @AfterEach
    void close()
    {
        open.forEach(Grim::close);
    }

    @Test
    void shouldShowNodesOfAllHostsToEach()
    {
        final Grim one = join(0, "one");
        final Grim two = join(1, "two");
        final Grim three = join(0, "three");

        for (final Grim grim : open)
        {
            grim.startPolling();
            grim.start();
        }
        final List<NodeInfo> nodes = one.awaitNodes(3, PATIENCE);

        assertEquals(List.of("one", "two", "three"), nodes.stream().map(NodeInfo::name).toList());
        assertEquals(List.of(0, 1, 2), nodes.stream().map(NodeInfo::number).toList());
        assertEquals(List.of("host-0", "host-1", "host-0"), nodes.stream().map(NodeInfo::host).toList());
        assertEquals(nodes.stream().map(NodeInfo::name).toList(),
            two.awaitNodes(3, PATIENCE).stream().map(NodeInfo::name).toList());
        assertEquals(2, two.awaitNode("three", PATIENCE).number());
        assertEquals(one.locate("two"), two.locate("two"));
        assertEquals(2, three.node().number());
    }

    @Test
    void shouldGoOnAfterAnErrorInAStepOfTheAgentAndReportIt()
    {
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final PrintStream standardError = System.err;
        final FailingLog log = new FailingLog(standardError);
        System.setErr(log);
        try
        {
            open(config(0, "one").errorHandler(errors::add));

            assertEquals(1, join(0, "two").node().number());
        }
        finally
        {
            System.setErr(standardError);
        }

        assertEquals(List.of(log.error), errors);
    }

    @Test
    void shouldGiveHandlersTheSameIdsOnAllHosts()
    {
        final Grim one = join(0, "one");
        final Grim two = join(1, "two");
        final Grim three = join(0, "three");
        final List<HandlerId> ids = new ArrayList<>();
        for (final Grim grim : List.of(two, three, one))
        {
            ids.add(grim.handlers().register("of-" + grim.node().name(), message ->
            {
            }));
            IntStream.range(0, 80).forEach(i -> grim.handlers().register("common-" + i, message ->
            {
            }));
            grim.startPolling();
        }

        open.forEach(Grim::start);

        final List<Integer> numbers = ids.stream().map(HandlerId::number).toList();
        assertEquals(3, numbers.stream().distinct().count());
        assertEquals(numbers.get(0), one.handlers().resolve("of-two").number());
        assertEquals(numbers.get(1), two.handlers().resolve("of-three").number());
        assertEquals(one.handlers().resolve("common-7").number(), two.handlers().resolve("common-7").number());
    }

    @Test
    void shouldTellOtherHostsOfNodesThatLeaveAndComeAgain()
    {
        final Grim one = join(0, "one");
        final Grim two = join(1, "two");
        final Grim three = join(1, "three");
        await(() -> isUp(one, "three", 1));

        three.close();

        await(() -> isGone(one, "three"));
        final Grim again = join(0, "three");
        assertEquals(2, again.node().number());
        assertEquals(two.node().incarnation() + 1, again.node().incarnation());
        await(() -> isUp(two, "three", 2));
    }

    @Test
    void shouldFollowWhenTheHostOfTheAgentLeaves()
    {
        final Grim one = join(0, "one");
        final Grim two = join(1, "two");
        final Grim three = join(0, "three");
        await(() -> isUp(two, "three", 1));

        one.close();

        final Grim four = join(0, "four");
        await(() -> isUp(two, four) && isUp(two, three));
        assertEquals(3, four.node().number());
        assertEquals(3, three.locate("four").node());
    }

    /** To begin takes long where names, hosts or the machine are slow. */
    @Test
    void shouldNotHoldTheJoinLockWhileAnAgentBeginsInANodeThatLeaves() throws Exception
    {
        Optional<Boolean> isFree = Optional.empty();
        while (isFree.isEmpty())
        {
            isFree = isJoinLockFreeWhileAnAgentBeginsInANodeThatLeaves();
        }

        assertTrue(isFree.get());
    }

    /** Empty if the agent had begun, on a busy machine, before anybody looked. */
    private Optional<Boolean> isJoinLockFreeWhileAnAgentBeginsInANodeThatLeaves() throws Exception
    {
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress()))
        {
            final Grim one = open(config(0, "one"));
            final Grim two = open(config(0, "two").set("grim.network.discovery.hosts",
                List.of("127.0.0.1:" + silent.getLocalPort())));
            final Path agent = base.resolve("0").resolve("test").resolve("agent");
            Files.delete(agent);                        // The next agent makes its own when it has begun.
            one.close();
            await(() -> isIn(AGENT_THREAD, GroupChannel.class, "connect") || Files.exists(agent));
            final Thread leaving = new Thread(two::close, "leaving");
            leaving.start();
            await(() -> isIn("leaving", EmbeddedAgent.class, "") || !leaving.isAlive());

            Optional<Boolean> isFree = Optional.empty();
            while (isIn(AGENT_THREAD, GroupChannel.class, "connect"))
            {
                final boolean isFreeNow = isJoinLockFree() || isFree.orElse(false);
                isFree = isIn(AGENT_THREAD, GroupChannel.class, "connect") ? Optional.of(isFreeNow) : isFree;
            }

            leaving.join();
            assertFalse(Files.exists(base.resolve("0").resolve("test")));
            return isFree;
        }
    }

    @Test
    void shouldGoOnWhenAHostLeavesForGood()
    {
        final Grim one = open(config(0, "one"));
        final Grim two = open(config(1, "two"));
        await(() -> isUp(two, "one", 1));

        one.close();

        await(() -> isGone(two, "one"));
        final Grim three = open(config(1, "three"));
        assertEquals(2, three.node().number());
        final Grim again = open(config(0, "one"));
        assertEquals(0, again.node().number());
        assertEquals(two.node().incarnation() + 1, again.node().incarnation());
    }

    @Test
    void shouldKeepAHostWithoutNodesInTheCluster()
    {
        final Grim one = join(0, "one");
        try (HostProcess host = HostProcess.start(config(1, "none").build()))
        {
            final Grim two = join(1, "two");
            await(() -> isUp(one, "two", 1) && isUp(two, "one", 1));

            two.close();

            await(() -> isGone(one, "two"));
            assertTrue(Files.exists(host.directory()) && !host.rejoinIfFenced());
            join(1, "two");
            await(() -> isUp(one, "two", 2));
        }
        join(1, "three");
        await(() -> isUp(one, "three", 1));
    }

    @Test
    void shouldEndWaitsOfANodeThatIsFenced()
    {
        final Grim one = open(config(0, "one").set("grim.handlers.resolve-timeout", "10m"));
        one.startPolling();
        final Grim two = open(config(0, "two"));
        final Duration wait = Duration.ofMinutes(10);
        final List<CompletableFuture<Void>> begun = Stream.<Runnable>of(() -> one.awaitNodes(3, wait),
            () -> one.handlers().resolve("of-nobody"), () ->
            {
                two.start();
                Groups.of(two).join("alone", wait).awaitSize(2, wait);
            }).map(call -> CompletableFuture.runAsync(call, task -> new Thread(task, "wait").start())).toList();

        ShmDirectory.tree(base.resolve("0")).stream().filter(Files::isRegularFile).forEach(MappedFile::delete);

        begun.forEach(call -> assertEquals(GrimException.Reason.FENCED, ((GrimException)assertThrows(
            ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS)).getCause()).reason()));
    }

    @Test
    void shouldRefuseANameThatANodeOfAnotherHostHas()
    {
        join(0, "one");

        final GrimException failure = assertThrows(GrimException.class, () -> join(1, "one"));

        assertEquals("node name=one is taken by live node=0 of host=host-0: set grim.node.name to another",
            failure.getMessage());
        assertEquals(GrimException.Reason.NAME_TAKEN, failure.reason());
        assertEquals(1, join(1, "two").node().number());
    }

    @Test
    void shouldRefuseAPortInUse() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(ports[0], 1, InetAddress.getLoopbackAddress()))
        {
            final String text = assertThrows(GrimException.class, () -> join(0, "one")).getMessage();

            assertTrue(text.startsWith("agent of host=host-0 cannot join a group at 127.0.0.1:" + ports[0] +
                " (grim.network.bind): "), text);
            assertTrue(taken.isBound());
        }
        assertFalse(base.resolve("0").resolve("test").toFile().exists());
    }

    @Test
    void shouldRefuseAnAddressOfAnotherMachineAndSpeakOfTheAddress()
    {
        final String text = assertThrows(GrimException.class, () ->
            open(config(0, "one").set("grim.network.bind", "192.0.2.1:" + ports[0]))).getMessage();

        assertTrue(text.startsWith("grim.network.bind=192.0.2.1 is address=192.0.2.1, at which this machine cannot " +
            "listen: "), text);
    }

    @Test
    void shouldJoinThoughANameOfDiscoveryHasNoAddress()
    {
        final List<String> hosts = List.of("no such host:7900", "127.0.0.1:" + ports[0]);
        final Grim one = open(config(0, "one").set("grim.network.discovery.hosts", hosts));
        final Grim two = open(config(1, "two").set("grim.network.discovery.hosts", hosts));

        await(() -> isUp(one, two) && isUp(two, one));
        assertEquals(1, two.node().number());
    }

    /** The proxy stands for address translation: nothing else reaches the port of the first host's agent. */
    @Test
    void shouldBeReachedAtTheAddressThatIsAnnounced() throws IOException
    {
        try (TcpProxy messages = TcpProxy.start("127.0.0.9", ports[2], "127.0.0.1", ports[0]))
        {
            final List<String> hosts = List.of("127.0.0.9:" + ports[2]);
            final Grim one = open(config(0, "one").set("grim.network.announce", "127.0.0.9:" + ports[2])
                .set("grim.network.discovery.hosts", hosts));
            final Grim two = open(config(1, "two").set("grim.network.discovery.hosts", hosts));

            await(() -> isUp(one, two) && isUp(two, one));
            assertEquals(1, two.node().number());
            assertTrue(messages.connectionCount() > 0);
            open.forEach(Grim::close);
        }
    }

    @Test
    void shouldRefuseASecondHostOfALabel()
    {
        final Grim one = open(Hosts.shortTimes(config(0, "one")));

        final GrimException failure = assertThrows(GrimException.class, () ->
            open(Hosts.shortTimes(config(1, "two").set("grim.node.host", "host-0"))));

        assertEquals("host=host-0 is refused by host=host-0: another host has the label=host-0: set grim.node.host " +
            "to another", failure.getMessage());
        assertEquals(GrimException.Reason.NAME_TAKEN, failure.reason());
        assertEquals(1, one.nodes().size());
    }

    @Test
    void shouldRefuseAHostWithAnotherNumberOfNodes()
    {
        join(0, "one");

        final GrimException failure = assertThrows(GrimException.class, () ->
            open(config(1, "two").set("grim.cluster.nodes-max", 9)));

        assertEquals("host=host-1 is refused by host=host-0: grim.cluster.nodes-max=9 of host=host-1 differs from " +
            "the cluster's 8", failure.getMessage());
        assertEquals(GrimException.Reason.BAD_DATA, failure.reason());
    }

    @Test
    void shouldSayWhatIsWrongWithSettings()
    {
        assertEquals("grim.network.bind=127.0.0.1:99999 is not a host name or address, with brackets if it has " +
            "colons, and a port of 1 to 65535 behind a colon", assertThrows(IllegalArgumentException.class, () ->
            open(config(0, "one").set("grim.network.bind", "127.0.0.1:99999"))).getMessage());
        assertEquals("grim.network.bind=0.0.0.0:7900 is not one address of this host, at which the others reach it",
            assertThrows(IllegalArgumentException.class, () ->
            open(config(0, "one").set("grim.network.bind", "0.0.0.0:7900"))).getMessage());
        assertEquals("grim.network.bind=no such host is not a host that can be resolved (no such host)",
            assertThrows(IllegalArgumentException.class, () ->
            open(config(0, "one").set("grim.network.bind", "no such host"))).getMessage());
        assertEquals("grim.network.announce=no such host is not a host that can be resolved (no such host)",
            assertThrows(IllegalArgumentException.class, () ->
            open(config(0, "one").set("grim.network.announce", "no such host"))).getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class, () ->
            open(config(0, "one").set("grim.network.discovery.dns", "grim.svc"))).getMessage()
            .startsWith("grim.network.discovery names 2 kinds of discovery, and one is needed: "));
    }

    private Grim join(final int host, final String name)
    {
        return open(config(host, name));
    }

    private Grim open(final GrimConfig.Builder config)
    {
        final Grim grim = Grim.enable(config.build());
        open.add(grim);
        return grim;
    }

    private GrimConfig.Builder config(final int host, final String name)
    {
        return Hosts.config(base, ports, host, name);
    }

    /** Whether a thread is in a method of some code, or in any if that has no name. */
    private static boolean isIn(final String thread, final Class<?> code, final String method)
    {
        return Thread.getAllStackTraces().entrySet().stream().anyMatch(entry ->
            entry.getKey().getName().equals(thread) && Stream.of(entry.getValue()).anyMatch(frame ->
                frame.getClassName().equals(code.getName()) &&
                (method.isEmpty() || frame.getMethodName().equals(method))));
    }

    private boolean isJoinLockFree() throws IOException
    {
        try (LockFile lock = LockFile.open(base.resolve("0").resolve("test").resolve("join.lock"), true))
        {
            return lock.tryLock(0);
        }
        catch (final NoSuchFileException ex)
        {
            return false;                       // It has left.
        }
    }

    /** Where the agent's thread logs: once it finds the heap full. */
    private static final class FailingLog extends PrintStream
    {
        private final OutOfMemoryError error = new OutOfMemoryError("made up");
        private boolean hasFailed;

        FailingLog(final PrintStream standardError)
        {
            super(standardError, true, UTF_8);
        }

        @Override
        public void println(final String line)
        {
            if (!hasFailed && Thread.currentThread().getName().startsWith("grim-agent-host"))
            {
                hasFailed = true;
                throw error;
            }
            super.println(line);
        }
    }
}
