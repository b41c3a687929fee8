// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.death.History;
import org.grim.death.Patterns;

/**
 * One node that sends to its peer on two channels, as fast as it may, and writes down what was accepted, delivered and
 * lost. Each link is a stream of its own, so that its messages belong to one pair of incarnations.
 * <p>Thread: its own.
 */
final class Host implements Endpoint.NodeGoneListener
{
    /** Name of the handler. */
    static final String SINK = "sink";
    /** Channels that it sends on. */
    static final int CHANNEL_COUNT = 2;
    /** Messages that the arrival queue of a channel holds. */
    static final int FRAME_COUNT = 16;

    private static final int LENGTH_MAX = 1_500;
    private static final int SHORT_LENGTH = 32;
    private static final int LIMIT = 40;
    private static final long PAUSE_NS = 200_000;

    private final GrimConfig config;
    private final String peerName;
    private final SplittableRandom random;
    private final Queue<String> commands;
    private final History.Sink history;
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final Link[] links = new Link[CHANNEL_COUNT];
    private final int[] streams = new int[CHANNEL_COUNT];
    private final int[] sequences = new int[CHANNEL_COUNT];
    private final boolean[] isGoneReported = new boolean[CHANNEL_COUNT];
    private Grim grim;
    private int key;
    private int streamCount;
    private boolean isSending;

    Host(
        final GrimConfig config, final String peerName, final long seed, final Queue<String> commands,
        final History.Sink history)
    {
        this.config = config;
        this.peerName = peerName;
        this.commands = commands;
        this.history = history;
        random = new SplittableRandom(seed);
    }

    void run()
    {
        String command = commands.poll();
        while (command == null)
        {
            LockSupport.parkNanos(PAUSE_NS);
            command = commands.poll();
        }
        key = Integer.parseInt(command.substring("go ".length()));
        try (Grim node = Grim.enable(config))
        {
            grim = node;
            grim.endpoint().onNodeGone(this);
            grim.handlers().register(SINK, this::onMessage);
            grim.start();              // Now it can be sent to.
            history.onRecord(History.JOINED, 0, grim.node().number(), grim.node().incarnation(), key);
            while (true)
            {
                step();
            }
        }
    }

    @Override
    public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
    {
        history.onRecord(HostRecord.NODE_GONE, 0, (int)undelivered, (int)unknown, node.number());
    }

    @Override
    public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
    {
        history.onRecord(HostRecord.PATH_LOST, 0, (int)undelivered, (int)unknown, node.number());
    }

    private void step()
    {
        int workCount = grim.endpoint().poll();
        final HandlerId sink = grim.handlers().tryResolve(SINK);
        if (isSending && sink != null)
        {
            for (int i = 0; i < LIMIT; i++)
            {
                workCount += send(sink, random.nextInt(CHANNEL_COUNT)) ? 1 : 0;
            }
        }
        final String command = commands.poll();
        if (command != null)
        {
            isSending = command.equals("send");
            history.onRecord(HostRecord.DONE, 0, 0, 0, 0);
        }
        if (workCount == 0 || random.nextInt(LIMIT) == 0)
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private boolean send(final HandlerId sink, final int channel)
    {
        final Link link = link(channel);
        if (link == null)
        {
            return false;
        }
        if (link != links[channel])
        {
            links[channel] = link;
            streamCount++;
            streams[channel] = streamCount;
            sequences[channel] = 0;
            isGoneReported[channel] = false;
        }
        final int next = sequences[channel] + 1;
        final int length = random.nextInt(3) > 0 ? random.nextInt(SHORT_LENGTH) : random.nextInt(LENGTH_MAX);
        Patterns.fill(scratch, 0, length, key, next);
        final SendStatus status = link.send(sink, key, streams[channel], next,
            Patterns.checksum(scratch, 0, length, key, streams[channel], next), scratch, 0, length);
        if (status.isAccepted())
        {
            sequences[channel] = next;
            history.onRecord(HostRecord.ACCEPTED, 0, streams[channel], next, length);
        }
        else if (status == SendStatus.PEER_GONE && !isGoneReported[channel])
        {
            isGoneReported[channel] = true;
            final long nowNs = System.nanoTime();
            history.onRecord(
                HostRecord.PEER_GONE, 0, (int)(nowNs >>> Integer.SIZE), (int)nowNs, link.destination().node());
        }
        return status.isAccepted();
    }

    /** The present one, or the last one while the peer or the board is away, which says so; null before the first. */
    private Link link(final int channel)
    {
        try
        {
            return grim.endpoint().link(channel, EndpointId.of(grim.locate(peerName).node(), 0, channel));
        }
        catch (final GrimException ex)
        {
            return links[channel];
        }
    }

    private void onMessage(final ActiveMessage message)
    {
        final int checksum = Patterns.checksum(message.buffer(), message.offset(), message.length(),
            message.argument(0), message.argument(1), message.argument(2));
        history.onRecord(checksum == message.argument(3) ? HostRecord.DELIVERED : HostRecord.FAULT_CORRUPT, 0,
            message.argument(0), message.argument(1), message.argument(2));
    }
}
