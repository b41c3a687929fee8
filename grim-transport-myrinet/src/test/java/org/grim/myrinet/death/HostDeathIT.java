// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.death.Faults;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * One of two hosts dies while both send, and comes again under its name; or it stands still for a while. With boards of
 * their own, and on the board of a third node. {@code campaign.seconds} and {@code campaign.seed} say for how long and
 * with which seed; {@code ./campaign boards} sets them.
 */
@Tag("process")
@Tag("slow")
@Timeout(7_200)
final class HostDeathIT
{
    private static final int KILL_COUNT_MIN = 3;
    private static final long SEED_DEFAULT = 1;
    private static final String BOARD = "board";

    private final Path directory = ShmDirectory.create();
    private final Faults faults = new Faults();

    @TempDir
    private Path logs;

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldTellAndAccountWhenAHostWithABoardOfItsOwnDies()
    {
        killAgainAndAgain("", "own boards");
    }

    @Test
    void shouldTellAndAccountWhenAHostOnASharedBoardDies()
    {
        try (Grim board = startBoard())
        {
            killAgainAndAgain(board.node().name(), "shared board");
        }
    }

    @Test
    void shouldLoseNothingWhenAHostStandsStill()
    {
        try (HostRun first = host(1, "first", "second", ""); HostRun second = host(2, "second", "first", ""))
        {
            send(first, second);
            for (int i = 0; i < 5; i++)
            {
                second.jvm.stop();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                second.jvm.resume();
                awaitProgress(first, second);
            }
            first.command("stop");
            second.command("stop");
            HostRun.await(() -> first.deliveredCount == second.acceptedCount &&
                second.deliveredCount == first.acceptedCount, "all messages: " + first.acceptedCount);

            assertEquals(0, faults.total(), faults::toString);
            assertEquals(0, first.lossReportCount + second.lossReportCount);
        }
    }

    private void killAgainAndAgain(final String board, final String what)
    {
        final long durationNs = TimeUnit.SECONDS.toNanos(Integer.getInteger("campaign.seconds", 0)) / 2;
        final SplittableRandom random = new SplittableRandom(Long.getLong("campaign.seed", SEED_DEFAULT));
        final List<Long> goneNs = new ArrayList<>();
        final long beginNs = System.nanoTime();
        final List<HostRun> runs = new ArrayList<>();
        try (HostRun survivor = host(1, "first", "second", board))
        {
            runs.add(survivor);
            while ((goneNs.size() < KILL_COUNT_MIN || System.nanoTime() - beginNs < durationNs) && faults.total() == 0)
            {
                final HostRun victim = host(2 + goneNs.size(), "second", "first", board);
                runs.add(victim);
                send(survivor, victim);
                LockSupport.parkNanos(random.nextInt(30) * 1_000_000L);
                final int goneBefore = survivor.nodeGoneCount;
                final long peerGoneBefore = survivor.peerGoneNs;
                final long startNs = System.nanoTime();
                victim.kill();
                HostRun.await(() -> survivor.peerGoneNs != peerGoneBefore, "PEER_GONE");
                HostRun.await(() -> survivor.nodeGoneCount > goneBefore, "onNodeGone");
                goneNs.add(survivor.peerGoneNs - startNs);
                survivor.command("stop");               // Until the next one has a handler.
            }
            Accounts.verifySums(faults, survivor, runs.subList(1, runs.size()));
            Accounts.verifyStreams(faults, runs);
            Collections.sort(goneNs);
            final String report = what + ": kills=" + goneNs.size() + " accepted=" + survivor.acceptedCount +
                " undelivered=" + survivor.undelivered + " unknown=" + survivor.unknown + " PEER_GONE p50=" +
                ms(goneNs.get(goneNs.size() / 2)) + " ms max=" + ms(goneNs.get(goneNs.size() - 1)) + " ms\nfaults: " +
                faults;

            LoggerFactory.getLogger(HostDeathIT.class).warn(report);
            assertEquals(0, faults.total(), () -> report + "\n" + ShmDirectory.text(logs.resolve("log")));
        }
        finally
        {
            runs.forEach(HostRun::close);
        }
    }

    private static void send(final HostRun first, final HostRun second)
    {
        first.command("send");
        second.command("send");
        awaitProgress(first, second);
    }

    private static void awaitProgress(final HostRun first, final HostRun second)
    {
        final long atFirst = first.deliveredCount;
        final long atSecond = second.deliveredCount;
        HostRun.await(() -> first.deliveredCount > atFirst && second.deliveredCount > atSecond, "messages both ways");
    }

    private HostRun host(final int key, final String name, final String peer, final String board)
    {
        final Map<String, Object> settings = settings();
        settings.put("grim.myrinet.board", board);
        final HostRun run = new HostRun(faults, logs.resolve("log"), key,
            ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise()), name, peer);
        run.go();
        run.awaitJoined();
        return run;
    }

    private Grim startBoard()
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(BOARD);
        settings().forEach(builder::set);
        final Grim board = Grim.enable(builder.set("grim.myrinet.contexts", 3)
            .set("grim.myrinet.board-channels", 3 * Host.CHANNEL_COUNT).build());
        board.startPolling();
        return board;
    }

    private Map<String, Object> settings()
    {
        final Map<String, Object> settings = new HashMap<>();
        settings.put("grim.cluster.directory", directory.toString());
        settings.put("grim.transports", List.of("myrinet"));
        settings.put("grim.channels.count", Host.CHANNEL_COUNT);
        settings.put("grim.channels.host", Host.CHANNEL_COUNT);
        settings.put("grim.myrinet.queue-length", "16KiB");
        settings.put("grim.myrinet.arrival.frame-length", 4_096);
        settings.put("grim.myrinet.arrival.frame-count", Host.FRAME_COUNT);
        settings.put("grim.myrinet.registered-length", 0);
        settings.put("grim.myrinet.deadline", "20s");
        settings.put("grim.handlers.resolve-timeout", "30s");
        settings.put("grim.myrinet.firmware", "duty-cycle");
        return settings;
    }

    private static long ms(final long ns)
    {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
