// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.buffer.Uninterrupted;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * A node of {@link DemoCluster}: sends numbered messages to all others, and verifies that theirs come whole, once and
 * in order.
 * <p>Thread: one.
 */
public final class DemoNode
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int[] SIZES = {0, 32, 1_000, 5_000, 20_000};
    private static final String MESSAGE = "demo.message";
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int PATTERN_LENGTH = 1 << 8;

    private final Map<Integer, Integer> receivedCounts = new HashMap<>();
    private final AtomicBuffer payload = Buffers.allocate(20_000 + PATTERN_LENGTH);
    private final int messageCount;
    private GrimException failure;

    private DemoNode(final int messageCount)
    {
        this.messageCount = messageCount;
        for (int i = 0; i < payload.capacity(); i++)
        {
            payload.putByte(i, (byte)i);
        }
    }

    /**
     * Runs until the first process ends or says so by closing standard input. Says that it is ready when it has joined.
     *
     * @param directory    of the host's clusters.
     * @param host         its name.
     * @param name         of the node.
     * @param bind         address of the host's agent.
     * @param hosts        addresses of all.
     * @param messageCount messages to each other node.
     * @param result       file that says in a line what came, once all has.
     */
    public record Task(
        Path directory, String host, String name, String bind, List<String> hosts, int messageCount, Path result)
        implements ChildTask
    {
        @Override
        public void run()
        {
            final ParentWatch watch = ParentWatch.start();
            final DemoNode node = new DemoNode(messageCount);
            try (Grim grim = Grim.enable(config()))
            {
                final HandlerId handler = grim.handlers().register(MESSAGE, node::onMessage);
                grim.start();
                watch.announceReady();
                final List<NodeInfo> others = new ArrayList<>(grim.awaitNodes(DemoCluster.NODE_COUNT, PATIENCE));
                others.removeIf(other -> other.number() == grim.node().number());
                node.exchange(grim, handler, others, watch);
                if (!watch.isEnded())
                {
                    write(result, node.report(grim, others));
                }
                while (!watch.isEnded())
                {
                    poll(grim);
                }
            }
        }

        private GrimConfig config()
        {
            return GrimConfig.builder().directory(directory).set("grim.cluster.name", DemoCluster.CLUSTER)
                .nodeName(name).set("grim.node.host", host).transports("shmem", "aeron").set("grim.network.bind", bind)
                .set("grim.network.discovery.hosts", hosts).build();
        }
    }

    private void exchange(
        final Grim grim, final HandlerId handler, final List<NodeInfo> others, final ParentWatch watch)
    {
        final Link[] links = others.stream().map(other -> grim.endpoint().link(grim.locate(other.name())))
            .toArray(Link[]::new);
        final int[] sentCounts = new int[links.length];
        int openCount = links.length;
        while (!watch.isEnded() && (openCount > 0 || !hasAll(others)))
        {
            openCount = 0;
            for (int i = 0; i < links.length; i++)
            {
                if (sentCounts[i] < messageCount && isSent(links[i], handler, grim.node().number(), sentCounts[i]))
                {
                    sentCounts[i]++;
                }
                openCount += sentCounts[i] < messageCount ? 1 : 0;
            }
            poll(grim);
            if (failure != null)
            {
                throw failure;
            }
        }
    }

    private boolean isSent(final Link link, final HandlerId handler, final int self, final int sequence)
    {
        final SendStatus status = link.send(
            handler, self, sequence, 0, 0, payload, sequence % PATTERN_LENGTH, SIZES[sequence % SIZES.length]);
        if (status.isAccepted() || status == SendStatus.BACK_PRESSURED)
        {
            return status.isAccepted();
        }
        throw new GrimException(UNREACHABLE, "send to " + link.destination() + " failed: status=" + status);
    }

    private void onMessage(final ActiveMessage message)
    {
        final int from = message.argument(0);
        final int sequence = message.argument(1);
        final int expected = receivedCounts.merge(from, 1, Integer::sum) - 1;
        final int length = SIZES[expected % SIZES.length];
        if (sequence != expected || message.length() != length || !isPattern(message, sequence))
        {
            failure = new GrimException(BAD_DATA, "message from node " + from + " is wrong: sequence=" + sequence +
                " expected=" + expected + " length=" + message.length() + " expected=" + length +
                (sequence == expected && message.length() == length ? ": its payload was changed" : ""));
        }
    }

    private boolean isPattern(final ActiveMessage message, final int sequence)
    {
        for (int i = 0; i < message.length(); i++)
        {
            if (message.buffer().getByte(message.offset() + i) != (byte)(sequence + i))
            {
                return false;
            }
        }
        return true;
    }

    private boolean hasAll(final List<NodeInfo> others)
    {
        return others.stream().allMatch(other -> receivedCounts.getOrDefault(other.number(), 0) >= messageCount);
    }

    private String report(final Grim grim, final List<NodeInfo> others)
    {
        return grim.node().name() + " on " + grim.node().host() + ": sent=" + messageCount * others.size() +
            " received=" + receivedCounts.values().stream().mapToInt(Integer::intValue).sum() + " messages of " +
            others.size() + " nodes, verified: whole, once, in order";
    }

    private static void poll(final Grim grim)
    {
        if (grim.endpoint().poll() == 0)
        {
            Uninterrupted.park(IDLE_NS);
        }
    }

    private static void write(final Path result, final String text)
    {
        try
        {
            final Path part = result.resolveSibling(result.getFileName() + ".part");
            Files.writeString(part, text);
            Files.move(part, result, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
