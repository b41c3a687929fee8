// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.grim.buffer.Buffers;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.process.PrivateDirectory;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * Two nodes of one process, or one over the null transport: the near one sends, the far one counts. Boards are stepped
 * by the thread that sends or polls.
 * <p>Thread: the maker's, which sends and polls; the far node may be given to another one. Owns: nodes and cluster.
 */
public final class NodePair implements AutoCloseable
{
    private static final String NULL_TRANSPORT = "null";
    private static final String COUNT = "bench.count";
    private static final String NEAR = "near";
    private static final String FAR = "far";

    private final FrameClaim claim;
    private final PrivateDirectory directory;
    private final String transport;
    private final int channelCount;
    private final Map<String, Object> settings;
    private final AtomicBuffer payload;
    private final Grim near;
    private final Grim far;
    private final Link[] links;
    private final HandlerId handler;
    private volatile long receivedCount;        // Written by one thread only.

    /** Joins a cluster of their own. */
    public NodePair(
        final String transport, final int channelCount, final int payloadLengthMax, final Path base,
        final Map<String, Object> settings)
    {
        this.transport = transport;
        this.channelCount = channelCount;
        this.settings = Map.copyOf(settings);
        payload = Buffers.allocate(Math.max(Long.BYTES, payloadLengthMax));
        directory = PrivateDirectory.create("grim-pair-", base);
        near = Grim.enable(config(NEAR));
        claim = near.endpoint().newClaim();
        near.handlers().register(COUNT, this::onMessage);
        near.start();
        far = isAlone() ? near : Grim.enable(config(FAR));
        if (!isAlone())
        {
            registerAtFar();
        }
        handler = near.handlers().resolve(COUNT);
        final EndpointId destination = isAlone() ? near.endpoint().id() : near.locate(FAR);
        links = new Link[channelCount];
        for (int channel = 0; channel < channelCount; channel++)
        {
            links[channel] = near.endpoint().link(channel, destination.onChannel(channel));
        }
    }

    /** The far node cannot ask the near one for handlers unless that one is polled: by this thread, meanwhile. */
    private void registerAtFar()
    {
        final CompletableFuture<Void> registered = CompletableFuture.runAsync(() ->
        {
            far.handlers().register(COUNT, this::onMessage);
            far.start();
            far.endpoint().releaseOwnership();
        });
        while (!registered.isDone())
        {
            near.endpoint().poll();
            Thread.onSpinWait();
        }
        registered.join();
    }

    /** {@return the node that sends} */
    public Grim near()
    {
        return near;
    }

    /** {@return the node that counts; the same one over the null transport} */
    public Grim far()
    {
        return far;
    }

    /** {@return whether one node sends to itself; true over the null transport} */
    public boolean isAlone()
    {
        return transport.equals(NULL_TRANSPORT);
    }

    /** Sends. */
    public boolean trySend(final int channel, final int length)
    {
        return isSent(links[channel], length);
    }

    /** Sends where there is room, because nothing is under way. */
    public void send(final int channel, final int length)
    {
        if (!isSent(links[channel], length))
        {
            throw new GrimException(NO_ROOM,
                "no room although nothing is under way: transport=" + transport + " channel=" +
                channel);
        }
    }

    /** Opens a link that other threads than the near node's may send on. */
    public SharedLink newSharedLink()
    {
        return near.endpoint().sharedLink(isAlone() ? near.endpoint().id() : near.locate(FAR));
    }

    /** Sends on a link of the caller's. Returns false if there is no room, or another thread is in a shared link. */
    public boolean isSent(final Endpoint.Sender link, final int length)
    {
        final SendStatus status = link.send(handler, 1, 2, 3, 4, payload, 0, length);
        if (status == SendStatus.SENT || status == SendStatus.BACK_PRESSURED || status == SendStatus.BUSY)
        {
            return status == SendStatus.SENT;
        }
        throw new GrimException(UNREACHABLE, "send failed: transport=" + transport + " status=" + status);
    }

    /** Claims room on the first channel, and publishes it as it is. */
    public void claimAndPublish(final int length)
    {
        final SendStatus status = links[0].tryClaim(handler, length, claim);
        if (status != SendStatus.SENT)
        {
            throw new GrimException(UNREACHABLE, "claim failed: transport=" + transport + " status=" + status);
        }
        claim.arguments(1, 2, 3, 4).publish();
    }

    /** Polls the near node. */
    public int pollNear()
    {
        return near.endpoint().poll();
    }

    /** Polls the far node. */
    public int pollFar()
    {
        return far.endpoint().poll();
    }

    /** Lets a thread of the library poll the far node, and sleep where nothing comes. */
    public void startPollingFar()
    {
        far.endpoint().releaseOwnership();
        far.startPolling();
    }

    /** {@return messages that the handler saw} */
    public long receivedCount()
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
        settings.forEach(builder::set);
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
