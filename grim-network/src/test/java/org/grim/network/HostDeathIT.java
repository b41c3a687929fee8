// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.death.PeerJvm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.network.Hosts.await;
import static org.grim.network.Hosts.goneReason;
import static org.grim.network.Hosts.isGone;
import static org.grim.network.Hosts.isUp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Processes of a host are killed and stopped; two other hosts look on. */
@Tag("process")
@Tag("long")
@Timeout(180)
final class HostDeathIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostDeathIT.class);

    @TempDir
    private Path base;
    private int[] ports;
    private final List<PeerJvm> peers = new ArrayList<>();
    private final List<Grim> open = new ArrayList<>();
    private boolean hasShortTimes;

    @BeforeEach
    void choosePorts()
    {
        ports = new int[] {Hosts.freePort(), Hosts.freePort(), Hosts.freePort()};
    }

    @AfterEach
    void close()
    {
        open.forEach(Grim::close);
        peers.forEach(PeerJvm::close);
    }

    /** The next agent has all the time that it needs, on a busy machine, for its first connections. */
    @Test
    void shouldFollowAKilledAgent() throws IOException
    {
        final Grim one = join(1, "one");
        final Grim two = join(2, "two");
        final PeerJvm agent = start("agent");
        start("other");
        await(() -> isUp(one, "other", 1) && isUp(two, "agent", 1));

        agent.kill();
        logTime("process", one, "agent");
        await(() -> isGone(two, "agent"));
        assertEquals(NodeInfo.GoneReason.DIED, goneReason(one, "agent"));
        start("third");

        await(() -> isUp(one, "other", 1) && isUp(one, "third", 1) && isUp(two, "third", 1));
        assertEquals(4, one.locate("third").node());
    }

    @Test
    void shouldTakeAKilledHostForGone() throws IOException
    {
        hasShortTimes = true;
        final Grim one = join(1, "one");
        final Grim two = join(2, "two");
        final PeerJvm other = start("other");
        final PeerJvm third = start("third");
        await(() -> isUp(one, "other", 1) && isUp(one, "third", 1) && isUp(two, "third", 1));

        other.kill();
        third.kill();
        logTime("host", one, "other");
        await(() -> isGone(two, "other") && isGone(two, "third") && isGone(one, "third"));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(two, "third"));
        final PeerJvm again = start("other");
        await(() -> isUp(one, "other", 2) && isUp(two, "other", 2));
        assertTrue(again.process().isAlive());
        again.process().getOutputStream().close();
        await(() -> isGone(one, "other") && isGone(two, "other"));
        assertEquals(NodeInfo.GoneReason.LEFT, goneReason(one, "other"));
        assertEquals(NodeInfo.GoneReason.LEFT, goneReason(two, "other"));
    }

    @Test
    void shouldJoinAgainEachTimeTheOnlyNodeOfAHostIsKilled() throws IOException
    {
        hasShortTimes = true;
        final Grim one = join(1, "one");
        final Grim two = join(2, "two");

        for (int life = 1; life <= 4; life++)
        {
            final PeerJvm only = start("only");
            final int incarnation = life;
            await(() -> isUp(one, "only", incarnation) && isUp(two, "only", incarnation));
            only.kill();
        }

        await(() -> isGone(one, "only") && isGone(two, "only"));
        assertEquals(3, join(1, "more").node().number());
    }

    @Test
    void shouldFenceAHostThatWasStopped() throws IOException
    {
        hasShortTimes = true;
        final Grim one = join(1, "one");
        final Grim two = join(2, "two");
        final PeerJvm stopped = start("stopped");
        await(() -> isUp(one, "stopped", 1) && isUp(two, "stopped", 1));

        stopped.stop();
        logTime("stopped host", one, "stopped");
        await(() -> isGone(two, "stopped"));
        stopped.resume();

        assertEquals("FENCED", stopped.process().inputReader(StandardCharsets.UTF_8).readLine());
        stopped.process().getOutputStream().close();
        assertTrue(stopped.hasEnded(TimeUnit.SECONDS.toNanos(60)));
        assertEquals(0, stopped.process().exitValue());
        start("stopped");
        await(() -> isUp(one, "stopped", 2) && isUp(two, "stopped", 2));
    }

    private static void logTime(final String what, final Grim grim, final String name)
    {
        final long startNs = System.nanoTime();
        await(() -> isGone(grim, name));
        LOGGER.info("{} gone after {} ms", what, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
    }

    private Grim join(final int host, final String name)
    {
        final GrimConfig.Builder config = Hosts.config(base, ports, host, name);
        final Grim grim = Grim.enable((hasShortTimes ? Hosts.shortTimes(config) : config).build());
        open.add(grim);
        return grim;
    }

    private PeerJvm start(final String name) throws IOException
    {
        final PeerJvm peer = new PeerJvm(base.resolve(name + ".log"),
            List.of("-D" + HostMain.SHORT_TIMES + "=" + hasShortTimes), HostMain.class,
            Stream.concat(Stream.of(base.toString(), "0", name), IntStream.of(ports).mapToObj(Integer::toString))
                .toArray(String[]::new));
        peers.add(peer);
        assertEquals("joined", peer.process().inputReader(StandardCharsets.UTF_8).readLine(),
            () -> Hosts.text(base.resolve(name + ".log")));
        return peer;
    }
}
