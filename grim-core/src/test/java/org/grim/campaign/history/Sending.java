// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MessageStream;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.death.History;
import org.grim.death.Patterns;
import org.grim.large.OutgoingStream;
import org.grim.transport.HopClaim;

/**
 * All kinds of send, at random: plain, by claim, as a stream, blocking; short and long; each written down when it was
 * accepted. Each link is a stream of its own, so that its messages belong to one pair of incarnations.
 * <p>Thread: the node's.
 */
public final class Sending
{
    /** Channels of each node. */
    public static final int CHANNEL_COUNT = 3;
    /** Greatest payload. */
    static final int LENGTH_MAX = 200_000;

    private static final int SHORT_LENGTH = 33;

    private final Grim grim;
    private final int index;
    private final int key;
    private final SplittableRandom random;
    private final Map<Integer, Integer> peers;
    private final History.Sink history;
    private final ActiveTime activeTime;
    private final Pace pace;
    private final Map<Integer, Flow> flows = new HashMap<>();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final UnsafeBuffer answerScratch = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final UnsafeBuffer streamScratch = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final MessageStream open = new OutgoingStream();
    private Flow openFlow;
    private int openSequence;
    private int streamCount;
    private HandlerId[] sinks = new HandlerId[0];

    Sending(
        final Grim grim, final int index, final int key, final SplittableRandom random,
        final Map<Integer, Integer> peers, final History.Sink history, final ActiveTime activeTime,
        final Pace pace)
    {
        this.grim = grim;
        this.index = index;
        this.key = key;
        this.random = random;
        this.peers = peers;
        this.history = history;
        this.activeTime = activeTime;
        this.pace = pace;
    }

    /** Ids of the handlers, any of which takes any message. */
    void sinks(final HandlerId... newSinks)
    {
        sinks = newSinks.clone();
    }

    HandlerId sink()
    {
        return sinks[random.nextInt(sinks.length)];
    }

    int key()
    {
        return key;
    }

    /** One attempt. */
    boolean step()
    {
        final boolean hasProgressed = open.isOpen() && goOn();
        final Flow flow = flow(random.nextInt(CHANNEL_COUNT), anyPeer());
        if (flow == null)
        {
            return hasProgressed;
        }
        final int dice = random.nextInt(100);
        final boolean isAccepted;
        if (dice < 70)
        {
            isAccepted = send(flow, scratch, length(flow.link, 10), HistoryRecord.SEND);
        }
        else if (dice < 84)
        {
            isAccepted = claim(flow, length(flow.link, 20));
        }
        else if (dice < 97)
        {
            isAccepted = !open.isOpen() && openStream(flow, length(flow.link, 50));
        }
        else
        {
            isAccepted = sendBlocking(flow, length(flow.link, 30));
        }
        return isAccepted || hasProgressed;
    }

    /** From a handler: to the sender of its message, or to anybody. */
    void answer(final int sourceNode, final int channel, final ActiveMessage message)
    {
        final int dice = random.nextInt(24);
        final Flow flow = dice > 1 ? null : flow(channel, dice == 0 ? sourceNode : anyPeer());
        if (flow != null && dice == 0 && message != null && random.nextBoolean())
        {
            reply(flow, message, length(flow.link, 5));
        }
        else if (flow != null)
        {
            send(flow, answerScratch, length(flow.link, 5), HistoryRecord.IN_HANDLER);
        }
    }

    /** Another attempt to end what was begun; only by abort if it has to end. */
    boolean finish(final boolean isLast)
    {
        if (open.isOpen() && isLast)
        {
            open.abort();
        }
        else if (open.isOpen())
        {
            goOn();
        }
        return !open.isOpen();
    }

    int nextStream(final int destination, final int kind)
    {
        streamCount++;
        history.onRecord(HistoryRecord.OPENED, index, streamCount, destination, kind);
        return streamCount;
    }

    int anyPeer()
    {
        final Integer[] numbers = peers.keySet().toArray(new Integer[0]);
        return numbers.length == 0 ? -1 : numbers[random.nextInt(numbers.length)];
    }

    /** Returns the incarnation that is up in the directory and ready at the coordinator, packed; -1 if they differ. */
    int incarnationUp(final int number)
    {
        for (final NodeInfo node : grim.nodes())
        {
            if (node.number() == number && node.state() == NodeInfo.State.UP)
            {
                final Integer ready = peers.get(number);
                return ready != null && ready == HistoryRecord.countOf(node.incarnation()) ?
                    HistoryRecord.incarnationOf(number, node.incarnation()) : -1;
            }
        }
        return -1;
    }

    private Flow flow(final int channel, final int number)
    {
        if (number < 0 || number == grim.endpoint().id().node())
        {
            return null;
        }
        final EndpointId id = EndpointId.of(number, 0, channel);
        final int place = number * CHANNEL_COUNT + channel;
        try
        {
            final Link link = grim.endpoint().link(channel, id);
            final Flow known = flows.get(place);
            if (known != null && known.link == link)
            {
                return known;
            }
            // It is the link to this incarnation if it is up, the link is the valid one, and it still is up.
            final int before = incarnationUp(number);
            if (before < 0 || grim.endpoint().link(channel, id) != link || incarnationUp(number) != before)
            {
                return null;
            }
            final Flow flow = new Flow(link, nextStream(before, HistoryRecord.KIND_OWN), channel, before);
            flows.put(place, flow);
            return flow;
        }
        catch (final GrimException ex)
        {
            return null;                // Gone, or it has no queue for one more sender.
        }
    }

    private boolean send(final Flow flow, final UnsafeBuffer buffer, final int length, final int operation)
    {
        final int next = flow.next();
        Patterns.fill(buffer, 0, length, key, next);
        final int checksum = Patterns.checksum(buffer, 0, length, key, flow.stream, next);
        try
        {
            return isAccepted(flow, flow.link.send(sink(), key, flow.stream, next, checksum, buffer, 0, length), next,
                length, operation);
        }
        catch (final GrimException ex)
        {
            requireCeiling(ex);
            return false;
        }
    }

    /** On a stream of its own: it goes to the sender's successor if that is up by now. */
    private void reply(final Flow flow, final ActiveMessage message, final int length)
    {
        final int stream = nextStream(flow.destination, HistoryRecord.KIND_SINGLE);
        Patterns.fill(answerScratch, 0, length, key, 1);
        final int checksum = Patterns.checksum(answerScratch, 0, length, key, stream, 1);
        try
        {
            final SendStatus status = message.reply(sink(), key, stream, 1, checksum, answerScratch, 0, length);
            if (status.isAccepted())
            {
                accepted(stream, status, 1, length, HistoryRecord.REPLY);
            }
        }
        catch (final GrimException ex)
        {
            // Gone meanwhile, or no path can be made now: its driver's disk is full.
            if (ex.reason() != GrimException.Reason.NOT_FOUND && ex.reason() != GrimException.Reason.UNREACHABLE)
            {
                requireCeiling(ex);
            }
        }
    }

    private boolean claim(final Flow flow, final int length)
    {
        final int next = flow.next();
        Patterns.fill(scratch, 0, length, key, next);
        final HopClaim claim = new HopClaim();
        final SendStatus status = flow.exclusive().tryClaim(sink(), length, claim);
        if (!status.isAccepted())
        {
            return isAccepted(flow, status, next, length, HistoryRecord.CLAIM);
        }
        claim.buffer().putBytes(claim.offset(), scratch, 0, length);
        if (random.nextInt(5) == 0)
        {
            claim.abort();
            return true;
        }
        claim.arguments(key, flow.stream, next, Patterns.checksum(scratch, 0, length, key, flow.stream,
            next)).publish();
        return isAccepted(flow, status, next, length, HistoryRecord.CLAIM);
    }

    private boolean openStream(final Flow flow, final int length)
    {
        final int next = flow.next();
        Patterns.fill(streamScratch, 0, length, key, next);
        final SendStatus status = flow.exclusive().tryOpenStream(sink(), key, flow.stream, next,
            Patterns.checksum(streamScratch, 0, length, key, flow.stream, next), length, open);
        if (!status.isAccepted())
        {
            return isAccepted(flow, status, next, length, HistoryRecord.STREAM);
        }
        openFlow = flow;
        openSequence = next;
        return true;
    }

    private boolean goOn()
    {
        if (random.nextInt(500) == 0)
        {
            open.abort();
            return true;
        }
        final int rest = (int)(open.totalLength() - open.position());
        if (rest == 0)
        {
            return isAccepted(openFlow, open.end(), openSequence, (int)open.totalLength(), HistoryRecord.STREAM);
        }
        final int taken = open.add(streamScratch, (int)open.position(), Math.min(rest, 1 + random.nextInt(50_000)));
        if (taken > 0)
        {
            openFlow.progressed();
        }
        else if (open.isOpen())
        {
            refused(openFlow);
        }
        return taken > 0;
    }

    /** On a stream of its own: the endpoint may find another link than this side knows of. */
    private boolean sendBlocking(final Flow flow, final int length)
    {
        if (open.isOpen())
        {
            return false;               // It would wait behind it for ever.
        }
        final int stream = nextStream(flow.destination, HistoryRecord.KIND_SINGLE);
        Patterns.fill(scratch, 0, length, key, 1);
        try
        {
            final SendStatus status =
                grim.endpoint().link(EndpointId.of(HistoryRecord.numberOf(flow.destination), 0, flow.channel))
                    .sendBlocking(sink(), key, stream, 1, Patterns.checksum(scratch, 0, length, key, stream, 1),
                        scratch, 0, length, grim.endpoint().idleStrategy());
            if (status.isAccepted())
            {
                accepted(stream, status, 1, length, HistoryRecord.SEND);
            }
            return status.isAccepted();
        }
        catch (final GrimException ex)
        {
            return false;               // Gone meanwhile.
        }
    }

    private boolean isAccepted(
        final Flow flow, final SendStatus status, final int sequence, final int length, final int operation)
    {
        if (status.isAccepted())
        {
            accepted(flow.stream, status, sequence, length, operation);
            flow.progressed();
        }
        else if (status == SendStatus.BACK_PRESSURED)
        {
            refused(flow);
        }
        else if (status == SendStatus.CLOSED)
        {
            throw new IllegalStateException("stream=" + flow.stream + " sequence=" + sequence + " is CLOSED");
        }
        return status.isAccepted();
    }

    private void accepted(
        final int stream, final SendStatus status, final int sequence, final int length, final int operation)
    {
        history.onRecord(HistoryRecord.ACCEPTED, index, stream, sequence,
            length | operation << HistoryRecord.OPERATION_SHIFT |
            (status == SendStatus.QUEUED ? HistoryRecord.QUEUED_FLAG : 0));
    }

    private void refused(final Flow flow)
    {
        final long stuckNs = flow.refused(activeTime.ns(), pace.hungNs);
        if (stuckNs > 0)
        {
            history.onRecord(HistoryRecord.HUNG, index, flow.stream, flow.destination, (int)(stuckNs / 1_000_000));
        }
    }

    /** Uniform in its order of magnitude, and mostly short. */
    private int length(final Endpoint.Sender link, final int longPercent)
    {
        if (random.nextInt(100) < longPercent)
        {
            final int least = link.payloadLengthMax() + 1;
            return least + (int)((LENGTH_MAX - least) * Math.pow(random.nextDouble(), 3));
        }
        return random.nextInt(3) > 0 ? random.nextInt(SHORT_LENGTH) : random.nextInt(link.payloadLengthMax() + 1);
    }

    static void requireCeiling(final GrimException ex)
    {
        if (ex.reason() != GrimException.Reason.NO_ROOM)
        {
            throw ex;
        }
    }
}
