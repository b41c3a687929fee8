// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.death.Faults;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.myrinet.BoardMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The process that runs the board of two hosts dies while they send to each other, and comes again, many times. The
 * hosts live on. It is the cluster's first node, too, and so keeps the handlers' names. {@code campaign.seconds}
 * says for how long, {@code campaign.seed} repeats a run as far as chance allows; {@code ./campaign boards} sets them.
 */
@Tag("process")
@Tag("slow")
final class BoardDeathIT
{
    private static final int KILL_COUNT_MIN = 3;
    private static final long SEED_DEFAULT = 1;
    private static final int SPARE_COUNT = 2;
    private static final String BOARD = "board";

    private final Path directory = ShmDirectory.create();
    private final Faults faults = new Faults();
    private final Deque<PeerJvm> spares = new ArrayDeque<>();

    @TempDir
    private Path logs;

    @AfterEach
    void delete()
    {
        spares.forEach(PeerJvm::close);
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(7_200)
    void shouldAccountForEveryMessageWhenTheBoardOfTwoHostsDiesAgainAndAgain()
    {
        final long durationNs = TimeUnit.SECONDS.toNanos(Integer.getInteger("campaign.seconds", 0));
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final SplittableRandom random = new SplittableRandom(seed);
        final long startNs = System.nanoTime();
        PeerJvm board = startBoard();
        try (HostRun first = host(1, "first", "second"); HostRun second = host(2, "second", "first"))
        {
            first.command("send");
            second.command("send");
            awaitProgress(first, second, "at the start");
            int count = 0;
            while ((count < KILL_COUNT_MIN || System.nanoTime() - startNs < durationNs) && faults.total() == 0)
            {
                LockSupport.parkNanos(random.nextInt(40) * 1_000_000L);
                board.kill();
                board.awaitExit(60_000);
                count++;
                board = startBoard();
                if (random.nextInt(4) > 0)                          // Else it dies while the hosts come again.
                {
                    awaitProgress(first, second, "after kill " + count);
                }
            }
            awaitProgress(first, second, "at the end");
            first.command("stop");
            second.command("stop");
            awaitQuiet(first, second);
            Accounts.verifySums(faults, first, List.of(second));
            Accounts.verifySums(faults, second, List.of(first));
            Accounts.verifyStreams(faults, List.of(first, second));
            final String report = report(seed, count, first, second, startNs);

            LoggerFactory.getLogger(BoardDeathIT.class).warn(report);
            assertEquals(0, faults.total(), () -> report + "\n" + ShmDirectory.text(logs.resolve("log")));
            assertTrue(first.lossReportCount + second.lossReportCount > 0, report);
        }
        finally
        {
            board.close();
        }
    }

    private String report(
        final long seed, final int count, final HostRun first, final HostRun second, final long startNs)
    {
        return "board deaths: seed=" + seed + " kills=" + count + " in " +
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) + " ms; accepted=" +
            (first.acceptedCount + second.acceptedCount) + " delivered=" +
            (first.deliveredCount + second.deliveredCount) + " undelivered=" +
            (first.undelivered + second.undelivered) + " unknown=" + (first.unknown + second.unknown) +
            " reports of loss=" + (first.lossReportCount + second.lossReportCount) + "\nfaults: " + faults;
    }

    /** Both receive something from the other. */
    private void awaitProgress(final HostRun first, final HostRun second, final String when)
    {
        final long atFirst = first.deliveredCount;
        final long atSecond = second.deliveredCount;
        try
        {
            HostRun.await(() -> (first.deliveredCount > atFirst && second.deliveredCount > atSecond) ||
                faults.total() > 0, "messages at both hosts " + when);
        }
        catch (final IllegalStateException ex)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, ex.getMessage() + " first: " + atFirst + " to " +
                first.deliveredCount + " second: " + atSecond + " to " + second.deliveredCount);
        }
    }

    /** Waits for a moment without news; for a long one while messages have no outcome, which may be late. */
    private static void awaitQuiet(final HostRun first, final HostRun second)
    {
        final long[] before = {-1, System.nanoTime()};
        HostRun.await(() ->
        {
            final long now = first.deliveredCount + second.deliveredCount + first.lossReportCount +
                second.lossReportCount;
            if (now != before[0])
            {
                before[0] = now;
                before[1] = System.nanoTime();
            }
            final boolean isSettled = isSettled(first, second) && isSettled(second, first);
            return System.nanoTime() - before[1] > TimeUnit.SECONDS.toNanos(isSettled ? 2 : 30);
        }, "silence");
    }

    private static boolean isSettled(final HostRun sender, final HostRun receiver)
    {
        return receiver.deliveredCount + sender.undelivered + sender.unknown >= sender.acceptedCount;
    }

    private HostRun host(final int key, final String name, final String peer)
    {
        final Map<String, Object> settings = settings();
        settings.put("grim.myrinet.board", BOARD);
        final HostRun run = new HostRun(faults, logs.resolve("log"), key, render(settings), name, peer);
        run.go();
        run.awaitJoined();
        return run;
    }

    /** From a store of processes that have started already. */
    private PeerJvm startBoard()
    {
        while (spares.size() <= SPARE_COUNT)
        {
            final Map<String, Object> settings = settings();
            settings.put("grim.myrinet.firmware", "duty-cycle");
            settings.put("grim.myrinet.contexts", 3);
            settings.put("grim.myrinet.board-channels", 3 * Host.CHANNEL_COUNT);
            spares.add(new PeerJvm(logs.resolve("log"), BoardMain.class, render(settings), BOARD, "wait"));
        }
        final PeerJvm board = spares.remove();
        board.tell("go");
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
        return settings;
    }

    private static String render(final Map<String, Object> settings)
    {
        return ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise());
    }
}
