// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.ContractSupport;
import org.grim.Endpoint;
import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.buffer.Uninterrupted;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two hosts with a node each, which send numbered messages to each other, check what comes, and keep accounts.
 * <p>Thread: one.
 */
final class HostilePair implements AutoCloseable
{
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final int PAYLOAD_LENGTH_MAX = 1_200;
    private static final int BURST_COUNT = 16;

    final int[] ports = {FreePorts.pair(), FreePorts.pair()};
    final Peer[] peers = new Peer[2];
    final AtomicInteger errorCount = new AtomicInteger();
    private final AtomicBuffer pattern = Buffers.allocate(2 * PAYLOAD_LENGTH_MAX);

    /** One node, and what it knows of the messages to and from it. */
    final class Peer
    {
        final Grim grim;
        private final String other;
        private HandlerId take;
        private long sentCount;
        private long receivedCount;
        private long lastSequence = -1;
        private long missingCount;
        private long lostCount;
        private long wrongCount;

        private Peer(final Grim grim, final String other)
        {
            this.grim = grim;
            this.other = other;
            grim.endpoint().onNodeGone(new Endpoint.NodeGoneListener()
            {
                @Override
                public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
                {
                    errorCount.incrementAndGet();           // Both live.
                }

                @Override
                public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
                {
                    lostCount += undelivered + unknown;
                }
            });
        }

        private void onMessage(final ActiveMessage message)
        {
            final long sequence = (message.argument(0) & 0xFFFF_FFFFL) << 32 | (message.argument(1) & 0xFFFF_FFFFL);
            boolean isGood = sequence > lastSequence && message.length() == length(sequence);
            for (int i = 0; isGood && i < message.length(); i++)
            {
                isGood = message.buffer().getByte(message.offset() + i) == pattern.getByte(offset(sequence) + i);
            }
            if (isGood)
            {
                missingCount += sequence - lastSequence - 1;
                lastSequence = sequence;
                receivedCount++;
            }
            else
            {
                wrongCount++;
            }
        }

        private int send()
        {
            try
            {
                final Link link = grim.endpoint().link(grim.locate(other));
                int count = 0;
                while (count < BURST_COUNT && link.send(take, (int)(sentCount >>> 32), (int)sentCount, 0, 0, pattern,
                    offset(sentCount), length(sentCount)) == SendStatus.SENT)
                {
                    sentCount++;
                    count++;
                }
                return count;
            }
            catch (final GrimException ex)
            {
                return 0;                           // No link at this moment.
            }
        }
    }

    HostilePair(final Path directory, final Path keyFile, final long seed)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < pattern.capacity(); i++)
        {
            pattern.putByte(i, (byte)random.nextInt());
        }
        for (int host = 0; host < peers.length; host++)
        {
            peers[host] = new Peer(Grim.enable(config(directory, keyFile, host)), "host-" + (1 - host));
        }
        for (int host = 0; host < peers.length; host++)
        {
            peers[host].grim.handlers().register("take-" + host, peers[host]::onMessage);
        }
        for (final Peer peer : peers)
        {
            await(() -> isUp(peer) && peer.grim.handlers().tryResolve("take-0") != null &&
                peer.grim.handlers().tryResolve("take-1") != null);
        }
        for (int host = 0; host < peers.length; host++)
        {
            peers[host].take = peers[host].grim.handlers().tryResolve("take-" + (1 - host));
        }
    }

    /** Sends and receives for a while. {@return messages that came} */
    long run(final long durationNs)
    {
        final long before = receivedCount();
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < durationNs)
        {
            step(true);
        }
        return receivedCount() - before;
    }

    /** Sends until messages come in both directions, again. */
    void awaitTraffic()
    {
        final long[] before = {peers[0].receivedCount, peers[1].receivedCount};
        await(() ->
        {
            step(true);
            return peers[0].receivedCount > before[0] + BURST_COUNT && peers[1].receivedCount > before[1] + BURST_COUNT;
        });
    }

    /**
     * Receives until everything that was sent has come, or was reported lost. A loss is reported some milliseconds
     * after the first message of the next link may have come, so that the newest message alone says nothing.
     */
    void awaitAccounts()
    {
        await(() -> openCount() <= 0 && missingCount() <= lostCount());
    }

    /** {@return messages that came in vain: repeated, out of order, made up, corrupt} */
    long wrongCount()
    {
        return peers[0].wrongCount + peers[1].wrongCount;
    }

    /** {@return messages that did not come} */
    long missingCount()
    {
        return peers[0].missingCount + peers[1].missingCount;
    }

    /** {@return messages that were reported as lost or unknown} */
    long lostCount()
    {
        return peers[0].lostCount + peers[1].lostCount;
    }

    long receivedCount()
    {
        return peers[0].receivedCount + peers[1].receivedCount;
    }

    /** {@return what the nodes refused, by reason} */
    String refused()
    {
        final StringBuilder text = new StringBuilder();
        for (final RejectReason reason : RejectReason.values())
        {
            final long count = ContractSupport.counter(peers[0].grim, "rejected " + reason) +
                ContractSupport.counter(peers[1].grim, "rejected " + reason);
            text.append(count == 0 ? "" : " " + reason + "=" + count);
        }
        return text.toString();
    }

    @Override
    public void close()
    {
        for (final Peer peer : peers)
        {
            peer.grim.close();
        }
    }

    /** Sent, and neither seen to have come or to be missing, nor reported as lost. */
    private long openCount()
    {
        long count = 0;
        for (int i = 0; i < peers.length; i++)
        {
            count += Math.max(0, peers[i].sentCount - 1 - peers[1 - i].lastSequence - peers[i].lostCount);
        }
        return count;
    }

    private void step(final boolean isSending)
    {
        int workCount = 0;
        for (final Peer peer : peers)
        {
            workCount += (isSending ? peer.send() : 0) + peer.grim.endpoint().poll();
        }
        if (workCount == 0)
        {
            Uninterrupted.park(20_000);
        }
    }

    private void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "in vain: received=" + receivedCount() + " wrong=" +
                wrongCount() + " missing=" + missingCount() + " lost=" + lostCount() + " refused:" + refused());
            step(false);
        }
    }

    private static boolean isUp(final Peer peer)
    {
        return peer.grim.nodes().stream().anyMatch(node ->
            node.name().equals(peer.other) && node.state() == NodeInfo.State.UP &&
            node.incarnation() == peer.grim.node().incarnation());
    }

    /** Whether both nodes see each other, and never took each other for gone. */
    boolean isOneCluster()
    {
        return errorCount.get() == 0 && isUp(peers[0]) && isUp(peers[1]);
    }

    private static int length(final long sequence)
    {
        return (int)(sequence * 31 % PAYLOAD_LENGTH_MAX);
    }

    private static int offset(final long sequence)
    {
        return (int)(sequence * 7 % PAYLOAD_LENGTH_MAX);
    }

    private GrimConfig config(final Path directory, final Path keyFile, final int host)
    {
        final GrimConfig.Builder builder = AeronSettings.shortTimes(
            directory.resolve("host-" + host), "host-" + host).transports(ProxiedAeronProvider.NAME)
            .set("grim.node.host", "host-" + host).set("grim.cluster.nodes-max", 8)
            .set("grim.aeron.term-length", "1MiB").set("grim.aeron.connect-timeout", "100ms")
            .set("grim.aeron.silence-timeout", "10s")   // A shared machine may stand still for some seconds.
            .set("grim.network.bind", "127.0.0.1:" + ports[host])
            .set("grim.network.discovery.hosts", List.of("127.0.0.1:" + ports[0], "127.0.0.1:" + ports[1]))
            .errorHandler(error -> errorCount.incrementAndGet());
        return (keyFile == null ? builder : builder.set("grim.network.key-file", keyFile.toString())).build();
    }
}
