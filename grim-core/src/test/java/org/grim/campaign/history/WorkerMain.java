// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimConfig;
import org.grim.death.History;
import org.slf4j.LoggerFactory;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A JVM of some nodes. It starts ahead of its time and waits for lines:
 * <pre>
 *  go SEED PACE HOST CONFIGURATION    (without blanks)
 *  node NAME KEY                 one more node
 *  peer NUMBER INCARNATION       is ready to be sent to
 *  rejoin INDEX NAME KEY         the node leaves, and another one comes by its name
 *  ask QUESTION                  all say whom they see
 *  quiet                         all stop sending
 *  leave                         all leave, and the process ends
 * </pre>
 * It ends when its standard input does.
 */
public final class WorkerMain
{
    private static final long WATCH_INTERVAL_MS = 100;
    private static final int WATCH_COUNT_MAX = 250;
    /** One that joins may wait for the joins of others before it. */
    private static final long JOINS_OF_A_HOST = 3;

    private final History.Sink history = History.toStandardOutput();
    private final Map<Integer, Integer> peers = new ConcurrentHashMap<>();
    private final List<CampaignNode> nodes = new CopyOnWriteArrayList<>();
    private Config config;
    private String host;
    private Pace pace;
    private long seed;
    private volatile boolean isQuiet;
    private volatile int question;

    private WorkerMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments none.
     */
    public static void main(final String[] arguments) throws IOException
    {
        new WorkerMain().run();
        Runtime.getRuntime().halt(1);
    }

    private void run() throws IOException
    {
        GrimConfig.builder().nodeName("warm-up").build();
        history.onRecord(History.READY, 0, 0, 0, 0);
        final BufferedReader input =
            new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
        String line = input.readLine();
        while (line != null)
        {
            run(line.split(" ", 5));
            line = input.readLine();
        }
    }

    private void run(final String[] words)
    {
        switch (words[0])
        {
            case "go" -> go(words);
            case "node" -> join(words[1], Integer.parseInt(words[2]));
            case "peer" -> peers.put(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "rejoin" -> rejoin(nodes.get(Integer.parseInt(words[1])), words[2], Integer.parseInt(words[3]));
            case "ask" -> ask(Integer.parseInt(words[1]));
            case "quiet" -> quiet();
            case "leave" -> leave();
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private void go(final String[] words)
    {
        seed = Long.parseLong(words[1]);
        pace = Pace.valueOf(words[2]);
        host = words[3];
        config = ConfigFactory.parseString(words[4]);
        final Thread watch = new Thread(this::watch, "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private void join(final String name, final int key)
    {
        final GrimConfig.Builder builder = GrimConfig.builder();
        config.entrySet().forEach(entry -> builder.set(entry.getKey(), entry.getValue().unwrapped()));
        final CampaignNode node = new CampaignNode(builder.nodeName(name).set("grim.node.host", host), name,
            nodes.size(), key, seed + key, pace, peers, history);
        node.ask(question);
        nodes.add(node);
        if (isQuiet)
        {
            node.quiet();
        }
        node.start();
    }

    private void rejoin(final CampaignNode node, final String name, final int key)
    {
        node.leave();
        final Thread next = new Thread(() ->
        {
            await(node);
            join(name, key);
        }, "rejoin");
        next.setDaemon(true);
        next.start();
    }

    private void ask(final int newQuestion)
    {
        question = newQuestion;
        nodes.forEach(node -> node.ask(newQuestion));
    }

    private void quiet()
    {
        isQuiet = true;
        nodes.forEach(CampaignNode::quiet);
    }

    private void leave()
    {
        nodes.forEach(CampaignNode::leave);
        final Thread end = new Thread(() ->
        {
            nodes.forEach(WorkerMain::await);
            Runtime.getRuntime().exit(0);
        }, "end");
        end.setDaemon(true);
        end.start();
    }

    private static void await(final CampaignNode node)
    {
        while (!node.isOver())
        {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** A node's thread that does not come back from a call shows here. Time in which the process stands is no time. */
    private void watch()
    {
        final Map<CampaignNode, long[]> last = new HashMap<>();
        while (true)
        {
            LockSupport.parkNanos(WATCH_INTERVAL_MS * 1_000_000);
            for (final CampaignNode node : nodes)
            {
                final long[] seen = last.computeIfAbsent(node, any -> new long[2]);
                seen[1] = node.stepCount != seen[0] || node.isOver() ? 0 : seen[1] + 1;
                seen[0] = node.stepCount;
                if (seen[1] == (node.stepCount == 0 ? JOINS_OF_A_HOST : 1) * WATCH_COUNT_MAX)
                {
                    reportHung(node);
                }
            }
        }
    }

    private void reportHung(final CampaignNode node)
    {
        final StringBuilder text = new StringBuilder("node at index " + node.index + " does not go on");
        Thread.getAllStackTraces().forEach((thread, frames) ->
        {
            text.append("\n ").append(thread.getName());
            List.of(frames).forEach(frame -> text.append("\n    ").append(frame));
        });
        LoggerFactory.getLogger(WorkerMain.class).error(text.toString());
        history.onRecord(HistoryRecord.HUNG, node.index, -1, -1, (int)(WATCH_COUNT_MAX * WATCH_INTERVAL_MS));
    }
}
