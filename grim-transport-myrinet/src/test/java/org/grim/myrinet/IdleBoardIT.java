// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.death.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Cost of a process with an idle board, and the time until it is awake again. Prints what it measured. */
@Tag("process")
@Tag("slow")
@Timeout(180)
final class IdleBoardIT
{
    private static final long WINDOW_MS = 10_000;
    /** Twice what a node without a board may take: it wakes as often, and looks after its board, too. */
    private static final double CORE_SHARE_MAX = 0.02;
    private static final int WAKE_COUNT = 20;
    private static final long SLEEP_MS = 60;                        // Long past the last yield.
    private static final long WAKE_MS_MAX = 100;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;
    private long replyCount;

    @Test
    void shouldSleepAndBeWokenByAnotherBoard()
    {
        measure("", "another board");
    }

    @Test
    void shouldSleepAndBeWokenByAHostThatUsesItsBoard()
    {
        measure(SharedBoard.NAME, "host on its board");
    }

    private void measure(final String board, final String what)
    {
        final Map<String, Object> boardSettings = new HashMap<>(settings());
        boardSettings.put("grim.myrinet.contexts", 2);
        boardSettings.put("grim.myrinet.board-channels", 4);
        try (PeerJvm peer = new PeerJvm(directory.resolve("log"), BoardMain.class,
            ConfigFactory.parseMap(boardSettings).root().render(ConfigRenderOptions.concise()), SharedBoard.NAME);
            Grim watch = open("watch", ""))
        {
            final long deadlineNs = System.nanoTime() + DEADLINE_NS;
            while (watch.nodes().stream()
                .noneMatch((node) -> node.name().equals(SharedBoard.NAME) && node.state() == NodeInfo.State.UP))
            {
                poll(watch, deadlineNs);
            }
            final Grim near = board.isEmpty() ? watch : open("near", board);
            try
            {
                wake(near, watch);
                final long[] wakesNs = new long[WAKE_COUNT];
                for (int i = 0; i < WAKE_COUNT; i++)
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SLEEP_MS));
                    wakesNs[i] = wake(near, watch);
                }
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
                final double share = coreShare(peer.process().toHandle());

                Arrays.sort(wakesNs);
                LoggerFactory.getLogger(IdleBoardIT.class).warn(String.format(
                    "idle board: core=%.2f %% over %d ms; round trip after sleep, %s: p50=%d us max=%d us",
                    share * 100, WINDOW_MS, what, wakesNs[WAKE_COUNT / 2] / 1_000, wakesNs[WAKE_COUNT - 1] / 1_000));
                assertTrue(share < CORE_SHARE_MAX, "share of a core=" + share);
                assertTrue(wakesNs[WAKE_COUNT / 2] < TimeUnit.MILLISECONDS.toNanos(WAKE_MS_MAX),
                    () -> Arrays.toString(wakesNs));
            }
            finally
            {
                if (near != watch)
                {
                    near.close();
                }
            }
        }
    }

    private long wake(final Grim near, final Grim watch)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        if (near.handlers().tryResolve("reply") == null)
        {
            near.handlers().register("reply", message -> replyCount++);
        }
        while (near.handlers().tryResolve("reply") == null || near.handlers().tryResolve(BoardMain.ECHO) == null)
        {
            watch.endpoint().poll();
            poll(near, deadlineNs);
        }
        final long before = replyCount;
        final long startNs = System.nanoTime();
        final SendStatus status = near.endpoint().link(near.locate(SharedBoard.NAME))
            .send(near.handlers().tryResolve(BoardMain.ECHO), near.handlers().tryResolve("reply").number(), 0, 0, 0);
        if (status != SendStatus.SENT)
        {
            throw new GrimException(UNREACHABLE, "status=" + status);
        }
        final IdleStrategy idle = near.endpoint().idleStrategy();
        while (replyCount == before)
        {
            idle.idle(near.endpoint().poll());
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(TIMED_OUT, "the board does not wake");
            }
        }
        return System.nanoTime() - startNs;
    }

    private static void poll(final Grim grim, final long deadlineNs)
    {
        grim.endpoint().poll();
        if (System.nanoTime() - deadlineNs > 0)
        {
            throw new GrimException(TIMED_OUT, "the other process does not come");
        }
    }

    private Grim open(final String name, final String board)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(name);
        settings().forEach(builder::set);
        return Grim.enable(builder.set("grim.myrinet.board", board).build());
    }

    private Map<String, Object> settings()
    {
        return Map.of("grim.cluster.directory", directory.toString(), "grim.transports", List.of("myrinet"),
            "grim.myrinet.firmware", "duty-cycle");
    }

    private static double coreShare(final ProcessHandle process)
    {
        final Duration before = process.info().totalCpuDuration().orElseThrow();
        final long startNs = System.nanoTime();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WINDOW_MS));
        final Duration used = process.info().totalCpuDuration().orElseThrow().minus(before);
        return (double)used.toNanos() / (System.nanoTime() - startNs);
    }
}
