// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.grim.board.ChannelRegisters;
import org.grim.ni.board.Wire;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;

/**
 * Boards on a {@link ScriptedNet}, stepped by hand, with an account of what was sent, what arrived and what was said
 * about it. Numbers are given in the order of sending.
 */
final class Bench
{
    static final FirmwareConfig CONFIG = FirmwareConfig.DEFAULT.with(values -> values.hasReplyChannel = false);
    static final int QUEUE_LENGTH = 16 * 1024;
    static final int NONE = -1;

    private static final int SETTLE_LIMIT = 200_000;
    private static final int QUIET_COUNT = 20;
    private static final int STEP_NS = 100;

    final long[] nowNs = new long[1];
    final ScriptedNet net;
    final BoardRig[] rigs;
    final boolean[] isReceiving;
    final List<Sent> sent = new ArrayList<>();
    final List<String> rollBacks = new ArrayList<>();
    Runnable onSettled = () -> { };
    int receivingChannelCount = Integer.MAX_VALUE;
    private final FirmwareConfig config;
    private final Guards guards;
    private final boolean hasEnvelopes;
    private final Map<String, Integer> numbers = new HashMap<>();

    /** State of a message that was sent; outcome null before a report. */
    static final class Sent
    {
        final int ni;
        final int channel;
        final int destinationNi;
        final int destinationChannel;
        Outcome outcome;

        Sent(final int ni, final int channel, final int destinationNi, final int destinationChannel)
        {
            this.ni = ni;
            this.channel = channel;
            this.destinationNi = destinationNi;
            this.destinationChannel = destinationChannel;
        }

        boolean isOfTriple(final Sent other)
        {
            return ni == other.ni && channel == other.channel && destinationNi == other.destinationNi &&
                destinationChannel == other.destinationChannel;
        }
    }

    Bench(final Guards guards, final FirmwareConfig config, final int niCount, final int channelCount)
    {
        this(guards, config, niCount, channelCount, QUEUE_LENGTH, 4, false);
    }

    Bench(
        final Guards guards, final FirmwareConfig config, final int niCount, final int channelCount,
        final int queueLength, final int frameCount, final boolean hasEnvelopes)
    {
        this.guards = guards;
        this.config = config;
        this.hasEnvelopes = hasEnvelopes;
        net = new ScriptedNet(niCount);
        rigs = new BoardRig[niCount];
        isReceiving = new boolean[niCount];
        for (int ni = 0; ni < niCount; ni++)
        {
            rigs[ni] = new BoardRig(ni, niCount, channelCount, queueLength, null, nowNs, listener(ni));
            isReceiving[ni] = true;
            for (int channel = 0; channel < channelCount; channel++)
            {
                rigs[ni].enable(channel, ChannelRegisters.ARRIVAL_TAIL_FLAG, frameCount);
            }
            restart(ni, 1);
        }
    }

    void restart(final int ni, final int epoch)
    {
        final Wire raw = net.wire(ni);
        rigs[ni].wire(hasEnvelopes ? guards.envelope(raw, ni, epoch, 70_000) : raw);
        rigs[ni].start(epoch, config, guards);
    }

    /** Sends from channel to channel 0; the queue must have room. Returns the message's number. */
    int send(final int ni, final int destinationNi)
    {
        return send(ni, 0, destinationNi, 0, 8);
    }

    int send(
        final int ni, final int channel, final int destinationNi, final int destinationChannel,
        final int payloadLength)
    {
        final int number = trySend(ni, channel, destinationNi, destinationChannel, payloadLength);
        if (number == NONE)
        {
            throw new AssertionError("channel " + channel + " of NI " + ni + " has no room");
        }
        return number;
    }

    int trySend(
        final int ni, final int channel, final int destinationNi, final int destinationChannel,
        final int payloadLength)
    {
        final int number = sent.size();
        if (!rigs[ni].send(channel, destinationNi, destinationChannel, number, payloadLength))
        {
            return NONE;
        }
        return account(channel, rigs[ni].position, new Sent(ni, channel, destinationNi, destinationChannel));
    }

    /** A message stands at a position of a channel's queue. Returns its number. */
    int account(final int channel, final int position, final Sent message)
    {
        sent.add(message);
        numbers.put(key(message.ni, channel, position), sent.size() - 1);
        return sent.size() - 1;
    }

    void step()
    {
        stepAt(STEP_NS);
    }

    void run(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            step();
        }
    }

    /** Time passes in larger pieces, as when nothing happens. */
    void pass(final long elapsedNs)
    {
        final long endNs = nowNs[0] + elapsedNs;
        while (nowNs[0] < endNs)
        {
            if (stepAt(0) == 0)
            {
                nowNs[0] = Math.min(endNs, Math.max(nowNs[0] + STEP_NS, nextDeadlineNs()));
            }
        }
        work();
    }

    /** Lets everything happen that can at this moment. */
    void work()
    {
        for (int quietCount = 0, i = 0; quietCount < QUIET_COUNT; i++)
        {
            quietCount = stepAt(0) == 0 ? quietCount + 1 : 0;
            if (i > SETTLE_LIMIT)
            {
                throw new AssertionError("always at work");
            }
        }
    }

    /** Lets time pass until nothing moves any more. */
    void settle()
    {
        for (int quietCount = 0, i = 0; quietCount < QUIET_COUNT; i++)
        {
            if (i > SETTLE_LIMIT)
            {
                throw new AssertionError("does not come to rest");
            }
            final int workCount = stepAt(STEP_NS);
            final long nextNs = nextDeadlineNs();
            quietCount = workCount == 0 && nextNs == Long.MAX_VALUE ? quietCount + 1 : 0;
            if (workCount == 0 && nextNs != Long.MAX_VALUE)
            {
                nowNs[0] = Math.max(nowNs[0], nextNs);
            }
        }
    }

    /** Null, or the message that was lost, repeated, out of order, or reported wrongly. */
    String problem()
    {
        final int[] receivedCounts = new int[sent.size()];
        for (final BoardRig rig : rigs)
        {
            final List<Integer> received = rig.received;
            for (int i = 0; i < received.size(); i++)
            {
                final int number = received.get(i);
                if (number < 0 || number >= sent.size() || sent.get(number).destinationNi != rig.ni)
                {
                    return "NI " + rig.ni + " received " + number + ", which was not for it";
                }
                receivedCounts[number]++;
                for (int j = 0; j < i; j++)
                {
                    if (received.get(j) > number && sent.get(received.get(j)).isOfTriple(sent.get(number)))
                    {
                        return "message " + number + " received after " + received.get(j);
                    }
                }
            }
        }
        for (int number = 0; number < receivedCounts.length; number++)
        {
            final String problem = problem(number, sent.get(number).outcome, receivedCounts[number]);
            if (problem != null)
            {
                return problem;
            }
        }
        return null;
    }

    /** Null if that many messages have that outcome. */
    String problemUnless(final Outcome outcome, final long count)
    {
        final long outcomeCount = sent.stream().filter(message -> message.outcome == outcome).count();
        return outcomeCount == count ? problem() : outcomeCount + " messages are " + outcome + ", not " + count;
    }

    private static String problem(final int number, final Outcome outcome, final int count)
    {
        final boolean isRight = outcome != null && switch (outcome)
        {
            case ACKNOWLEDGED -> count == 1;
            case REFUSED, UNDELIVERED -> count == 0;
            case UNKNOWN -> count <= 1;
        };
        return isRight ? null : "message " + number + " is " + outcome + " and was received " + count + " times";
    }

    private int stepAt(final long elapsedNs)
    {
        nowNs[0] += elapsedNs;
        int workCount = 0;
        for (final BoardRig rig : rigs)
        {
            workCount += rig.step();
            for (int channel = 0; channel < Math.min(rig.readers.length, receivingChannelCount); channel++)
            {
                workCount += isReceiving[rig.ni] ? rig.receive(channel, 100) : 0;
            }
        }
        return workCount;
    }

    private long nextDeadlineNs()
    {
        long nextNs = Long.MAX_VALUE;
        for (final BoardRig rig : rigs)
        {
            nextNs = rig.program == null ? nextNs : Math.min(nextNs, rig.program.nextDeadlineNs());
        }
        return nextNs;
    }

    private NiListener listener(final int ni)
    {
        return new NiListener()
        {
            @Override
            public void onSettled(final int channel, final int position, final Outcome outcome)
            {
                final Integer number = numbers.get(key(ni, channel, position));
                if (number != null && sent.get(number).outcome == null)
                {
                    sent.get(number).outcome = outcome;
                }
                onSettled.run();
            }

            @Override
            public void onRolledBack(
                final int channel, final int destinationNi, final int destinationChannel, final int messageCount,
                final boolean isTimeOut)
            {
                rollBacks.add(channel + (isTimeOut ? " timed out" : " refused"));
            }
        };
    }

    private static String key(final int ni, final int channel, final int position)
    {
        return ni + "/" + channel + "/" + position;
    }
}
