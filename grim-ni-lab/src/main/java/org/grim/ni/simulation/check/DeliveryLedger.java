// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.grim.ni.event.Outcome;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Checker of the promises: compares the messages that hosts sent, the outcomes that NIs reported, and the messages that
 * hosts received. It knows of the firmware only what its listener says, and what stands in host memory.
 * <p>An active message carries who sent it (argument 0: source NI, source channel, destination channel), its
 * destination and its source's incarnation (argument 1), its number among those of the pair (argument 2) and a seed
 * made of all that (argument 3), from which its payload follows.
 * <p>Thread: the simulation's.
 */
public final class DeliveryLedger
{
    private static final int NI_SHIFT = 16;
    private static final int CHANNEL_SHIFT = 8;
    private static final int BYTE_MASK = 0xFF;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int KEY_HALF = 32;

    private final ChannelLedger[][] channels;
    private final Long2ObjectHashMap<PairLedger> pairs = new Long2ObjectHashMap<>();
    private final Trace trace;
    private final boolean isUndisturbed;
    private final MulticastLedger multicasts;
    private long sentCount;
    private long deliveredCount;
    private long multicastCount;

    /** Empty books for all channels of all hosts. */
    public DeliveryLedger(final SimulationParameters parameters, final Trace trace)
    {
        this.trace = trace;
        isUndisturbed = !parameters.canLosePeers();
        final int channelCount = parameters.count(Setting.CHANNEL_COUNT);
        channels = new ChannelLedger[parameters.count(Setting.NODE_COUNT)][channelCount];
        multicasts = new MulticastLedger(this, trace, channels.length, isUndisturbed);
        for (int ni = 0; ni < channels.length; ni++)
        {
            for (int channel = 0; channel < channelCount; channel++)
            {
                channels[ni][channel] = new ChannelLedger(ni, channel, parameters.count(Setting.QUEUE_LENGTH));
            }
        }
    }

    /**
     * The page of one pair of channels, which begins when it is first asked for.
     *
     * @param sourceNi           of the sender.
     * @param sourceChannel      of that NI.
     * @param destinationNi      of the receiver; it need not exist.
     * @param destinationChannel of that NI.
     * @return always the same for the same pair.
     */
    public PairLedger pair(
        final int sourceNi, final int sourceChannel, final int destinationNi, final int destinationChannel)
    {
        final long key = (long)(sourceNi << NI_SHIFT | sourceChannel) << KEY_HALF |
            Integer.toUnsignedLong(destinationNi << NI_SHIFT | destinationChannel);
        PairLedger pair = pairs.get(key);
        if (pair == null)
        {
            pair = new PairLedger(sourceNi, sourceChannel, destinationNi, destinationChannel);
            pairs.put(key, pair);
        }
        return pair;
    }

    /** The page of a channel's queue. */
    public ChannelLedger channel(final int ni, final int channel)
    {
        return channels[ni][channel];
    }

    /** {@return what was multicast; always the same} */
    public MulticastLedger multicasts()
    {
        return multicasts;
    }

    /** NIs have channels of their own behind those of hosts; they are not in the books. */
    boolean hasChannel(final int channel)
    {
        return channel < channels[0].length;
    }

    /** Returns arguments 0 and 1 of an active message, which identify its sender. */
    public static long arguments01(final PairLedger pair, final int incarnation)
    {
        return MessageHeader.pair(sender(pair.sourceNi, pair.sourceChannel, pair.destinationChannel),
            receiver(pair.destinationNi, incarnation));
    }

    /**
     * Argument 0 of a message.
     *
     * @param ni                 of the sender.
     * @param channel            of that NI.
     * @param destinationChannel or tree.
     * @return all three.
     */
    public static int sender(final int ni, final int channel, final int destinationChannel)
    {
        return ni << NI_SHIFT | channel << CHANNEL_SHIFT | destinationChannel;
    }

    /**
     * Argument 1 of a message.
     *
     * @param ni          that it is sent to.
     * @param incarnation of the sending process.
     * @return both.
     */
    public static int receiver(final int ni, final int incarnation)
    {
        return ni << NI_SHIFT | (incarnation & SHORT_MASK);
    }

    /**
     * Returns the seed of an active message's payload.
     *
     * @param arguments01 of the message.
     * @param number      among those of its pair.
     * @return argument 3.
     */
    public static int seed(final long arguments01, final int number)
    {
        return MessagePattern.seed((int)(arguments01 >>> KEY_HALF), (int)arguments01, number);
    }

    /** A host has appended a message. */
    public void accepted(final PairLedger pair, final int position, final MessageKind kind, final int length)
    {
        final ChannelLedger channel = channels[pair.sourceNi][pair.sourceChannel];
        trace.event(EventKind.APPENDED, null, pair.sourceNi, pair.sourceChannel, channel.acceptedCount(),
            pair.destinationNi, pair.destinationChannel, length, position);
        channel.accepted(position, pair, kind);
        if (kind == MessageKind.MULTICAST)
        {
            multicasts.accepted(pair);
        }
        sentCount++;
    }

    void settled(final int ni, final int channelNumber, final int position, final Outcome outcome)
    {
        final ChannelLedger channel = channels[ni][channelNumber];
        final int ordinal = channel.find(position);
        trace.event(EventKind.SETTLED, outcome, ni, channelNumber, ordinal);
        channel.settled(ordinal, outcome, isUndisturbed);
        if (outcome == Outcome.UNKNOWN)
        {
            trace.reach(Probe.OUTCOME_UNKNOWN);
        }
        else if (outcome == Outcome.UNDELIVERED)
        {
            trace.reach(Probe.OUTCOME_UNDELIVERED);
        }
    }

    /** A host has read a message from its arrival queue. */
    public void delivered(final int ni, final int channel, final DirectBuffer region, final int index, final int length)
    {
        if (MulticastFormat.isMulticast(MessageHeader.typeCode(region.getLong(index, BIG_ENDIAN))))
        {
            multicasts.delivered(ni, channel, region, index, length);
            deliveredCount++;
            multicastCount++;
            return;
        }
        final long first = MessageHeader.arguments01(region, index);
        final long second = MessageHeader.arguments23(region, index);
        final int sender = (int)(first >>> KEY_HALF);
        final int sourceNi = sender >>> NI_SHIFT;
        final int sourceChannel = sender >>> CHANNEL_SHIFT & BYTE_MASK;
        final int number = (int)(second >>> KEY_HALF);
        final int seed = seed(first, number);
        final long words = region.getLong(index, BIG_ENDIAN);
        final boolean isReadable = MessageHeader.typeCode(words) == MessageType.ACTIVE_MESSAGE.code() &&
            seed == (int)second && sourceNi < channels.length && hasChannel(sourceChannel);
        if (!isReadable)
        {
            throw new ViolationException("content", "NI " + ni + " channel " + channel + " at " + index +
                ": the header was changed, arguments " + Long.toHexString(first) + " " + Long.toHexString(second));
        }
        final PairLedger pair = pair(sourceNi, sourceChannel, (int)first >>> NI_SHIFT, sender & BYTE_MASK);
        if (pair.destinationNi != ni || pair.destinationChannel != channel)
        {
            throw new ViolationException("misdelivery", "NI " + ni + " channel " + channel + " has number " + number +
                " of " + pair);
        }
        final int payloadLength =
            MessageHeader.payloadLength(words, region.getLong(index + SIZE_OF_LONG, BIG_ENDIAN));
        final int paddedLength = MessageHeader.LENGTH + BitUtil.align(payloadLength, SIZE_OF_INT);
        final int mismatch = paddedLength != length ? length :
            MessagePattern.mismatch(region, index + MessageHeader.LENGTH, payloadLength, seed);
        if (mismatch >= 0)
        {
            throw new ViolationException("content", pair + ": number " + number + " of length " + length +
                " has a changed byte at " + mismatch);
        }
        trace.event(EventKind.DELIVERED, null, ni, channel, sourceNi, sourceChannel, number, length);
        pair.delivered(number);
        deliveredCount++;
    }

    /** {@return messages that all hosts appended; of every kind} */
    public long sentCount()
    {
        return sentCount;
    }

    /** {@return active messages that all hosts read; each once} */
    public long deliveredCount()
    {
        return deliveredCount;
    }

    /** {@return of these, multicasts} */
    public long multicastCount()
    {
        return multicastCount;
    }

    /** At rest: what is acknowledged was delivered. */
    public void checkAtRest()
    {
        pairs.values().forEach(PairLedger::checkAtRest);
        multicasts.checkAtRest();
    }
}
