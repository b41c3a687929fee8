// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.Sender;
import org.grim.SharedLink;
import org.grim.bench.process.FarHandler;
import org.grim.buffer.Buffers;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.process.PrivateDirectory;

/**
 * Two nodes of one process, or one over the null transport: the near one sends, the far one counts. Boards are stepped
 * by whoever sends or polls.
 * <p>Thread: the maker's, which sends and polls; the far node may be given to another one. Owns: nodes and cluster.
 */
final class NodePair implements AutoCloseable
{
    static final String NULL_TRANSPORT = "null";

    private static final String COUNT = "bench.count";
    private static final String NEAR = "near";
    private static final String FAR = "far";

    private final PrivateDirectory directory;
    private final String transport;
    private final int channelCount;
    private final AtomicBuffer payload;
    private final Grim near;
    private final Grim far;
    private final Link[] links;
    private final HandlerId handler;
    private volatile long receivedCount;        // Written by one thread only.

    NodePair(final String transport, final int channelCount, final int payloadLengthMax, final Path base)
    {
        this.transport = transport;
        this.channelCount = channelCount;
        payload = Buffers.allocate(Math.max(Long.BYTES, payloadLengthMax));
        directory = PrivateDirectory.create("grim-pair-", base);
        near = Grim.enable(config(NEAR));
        near.handlers().register(COUNT, this::onMessage);
        near.join();
        far = isAlone() ? near : Grim.enable(config(FAR));
        if (!isAlone())
        {
            FarHandler.register(near, far, COUNT, this::onMessage);
        }
        handler = near.handlers().resolve(COUNT);
        final EndpointId destination = isAlone() ? near.endpoint().id() : near.locate(FAR);
        links = new Link[channelCount];
        for (int channel = 0; channel < channelCount; channel++)
        {
            links[channel] = near.endpoint().link(channel, destination.onChannel(channel));
        }
    }

    /** Whether one node sends to itself. */
    boolean isAlone()
    {
        return transport.equals(NULL_TRANSPORT);
    }

    /** Sends, or says that there is no room. */
    boolean trySend(final int channel, final int length)
    {
        return isSent(links[channel], length);
    }

    /** Sends where there is room, because nothing is under way. */
    void send(final int channel, final int length)
    {
        if (!isSent(links[channel], length))
        {
            throw new GrimException("no room although nothing is under way: transport=" + transport + " channel=" +
                channel);
        }
    }

    /** A link that other threads than the near node's may send on. */
    SharedLink newSharedLink()
    {
        return near.endpoint().sharedLink(isAlone() ? near.endpoint().id() : near.locate(FAR));
    }

    /** As {@link #trySend}, on a link of the caller's. */
    boolean isSent(final Sender link, final int length)
    {
        final SendStatus status = link.send(handler, 1, 2, 3, 4, payload, 0, length);
        if (status == SendStatus.SENT || status == SendStatus.BACK_PRESSURED)
        {
            return status == SendStatus.SENT;
        }
        throw new GrimException("send failed: transport=" + transport + " status=" + status);
    }

    int pollNear()
    {
        return near.poll();
    }

    int pollFar()
    {
        return far.poll();
    }

    /** A thread of the library's polls the far node from now on, and sleeps where nothing comes. */
    void startPollingFar()
    {
        far.endpoint().releaseOwnership();
        far.startPolling();
    }

    /** Messages that the handler saw. */
    long receivedCount()
    {
        return receivedCount;
    }

    @Override
    public void close()
    {
        if (!isAlone())
        {
            far.close();
        }
        near.close();
        directory.close();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")          // One writer.
    private void onMessage(final ActiveMessage message)
    {
        receivedCount++;
    }

    private GrimConfig config(final String name)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(name).directory(directory.path());
        if (channelCount > 1)
        {
            // Room for many channels: messages are small, and one at a time.
            builder.set("grim.channels.count", channelCount).set("grim.channels.host", channelCount)
                .set("grim.queue.exclusive", 1).set("grim.queue.slot-count", 256).set("grim.queue.ring-length", 65536)
                .set("grim.myrinet.sram-length", 8 << 20).set("grim.myrinet.queue-length", 16 << 10)
                .set("grim.myrinet.arrival.frame-length", 4096);
        }
        return BoardKind.TRANSPORT.equals(transport) ? BoardKind.DUTY_CYCLE.apply(builder.build()) :
            builder.transports(transport).build();
    }
}
