// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.util.List;
import java.util.Map;

import org.grim.counters.NiCounters;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What {@code stat} shows of a node's network interface; its components are the JSON.
 *
 * @param number       of the NI.
 * @param lanaiModel   4 or 9; null where there is no board.
 * @param epoch        the board's life; null where there is no board.
 * @param isAsleep     whether who steps it sleeps on a doorbell; null where there is no board.
 * @param counters     by name.
 * @param dropped      packets by reason, those that are not zero.
 * @param contexts     that somebody has.
 * @param channels     that somebody has, or left something in.
 * @param triples      that had trouble.
 * @param errors       distinct errors.
 * @param missing      what could not be read, in words.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NiReport(
    int number, Integer lanaiModel, Integer epoch, Boolean isAsleep, Map<String, Long> counters,
    Map<String, Long> dropped, List<Context> contexts, List<Channel> channels, List<Triple> triples,
    List<DistinctError> errors, List<String> missing)
{
    /**
     * A context.
     *
     * @param context          its number.
     * @param ownerNode        node that has it.
     * @param ownerIncarnation of that node.
     * @param state            asking, attached, refused with the reason, or draining.
     * @param firstChannel     of the owner's NI channels.
     * @param channelCount     of the owner.
     */
    public record Context(
        int context, int ownerNode, int ownerIncarnation, String state, int firstChannel, int channelCount)
    {
    }

    /**
     * An NI channel.
     *
     * @param channel      its number.
     * @param ownerNode    node that has it; -1 for nobody.
     * @param ownerChannel channel of that node; -1 for nobody.
     * @param status       running, off, or why the board stopped it.
     * @param queuedLength bytes that stand in its queue in SRAM; -1 if its positions do not fit.
     * @param queueLength  bytes that the queue holds.
     * @param front        position of the oldest message without a fate.
     * @param next         position of the next message to be taken.
     * @param back         position behind the last whole message.
     * @param filled       bytes written of the message at the back.
     * @param delivered    messages that arrived for it.
     * @param undelivered  messages of it that certainly did not arrive.
     * @param unknown      messages of it of which nobody knows whether they arrived.
     * @param refused      messages of it that were refused for good.
     * @param arrivals     its arrival queue.
     */
    public record Channel(
        int channel, int ownerNode, int ownerChannel, String status, int queuedLength, int queueLength, long front,
        long next, long back, int filled, long delivered, long undelivered, long unknown, long refused,
        Arrivals arrivals)
    {
    }

    /**
     * An arrival queue.
     *
     * @param mode         none, tail-flag, queue-pointer, or corrupt.
     * @param unreadCount  frames with a tail flag, bytes with a queue pointer; -1 if its positions do not fit.
     * @param capacity     frames or bytes.
     * @param messageCount messages that stand in it.
     */
    public record Arrivals(String mode, int unreadCount, int capacity, int messageCount)
    {
    }

    /**
     * A triple that had trouble.
     *
     * @param channel            that sends; -1 for all triples that came too late for counters of their own.
     * @param ni                 that it sends to.
     * @param destinationChannel that it sends to.
     * @param nacks              answers that there was no room.
     * @param rollbacks          times that it went back to an earlier message.
     * @param repeats            messages that were sent again.
     */
    public record Triple(int channel, int ni, int destinationChannel, long nacks, long rollbacks, long repeats)
    {
    }

    /**
     * One distinct error.
     *
     * @param observationCount how often it was seen.
     * @param firstMs          first time, ms since the epoch.
     * @param lastMs           last time, ms since the epoch.
     * @param text             with stack trace.
     */
    public record DistinctError(int observationCount, long firstMs, long lastMs, String text)
    {
    }

    /**
     * The report of a node's NI.
     *
     * @param sample all boards.
     * @param node   its number.
     * @return null if it has no board.
     */
    public static NiReport of(final NiSample sample, final int node)
    {
        final BoardSample board = sample.board(node);
        if (board == null)
        {
            return null;
        }
        final BoardSample.Header header = board.header();
        final NiCountersSample counters = board.counters();
        return new NiReport(board.ni(), header == null ? null : header.lanaiModel(),
            header == null ? null : header.epoch(), header == null ? null : header.isAsleep(), counters.totals(),
            counters.dropped(), board.contexts().stream().map(NiReport::context).toList(),
            board.channels().stream().map(NiReport::channel).toList(),
            counters.triples().entrySet().stream().map(entry -> triple(entry.getKey(), entry.getValue())).toList(),
            counters.errors().stream().map(error -> new DistinctError(error.observationCount(), error.firstMs(),
                error.lastMs(), error.text())).toList(), board.missing());
    }

    private static Context context(final ContextSample context)
    {
        return new Context(context.number(), context.ownerNode(), context.ownerIncarnation(), context.stateText(),
            context.firstChannel(), context.channelCount());
    }

    private static Channel channel(final ChannelSample channel)
    {
        final ChannelSample.Fates fates = channel.fates();
        final ArrivalSample arrivals = channel.arrivals();
        return new Channel(channel.number(), channel.context() == null ? -1 : channel.context().ownerNode(),
            channel.ownerChannel(), channel.statusText(), channel.queuedLength(), channel.queueLength(),
            Integer.toUnsignedLong(channel.front()), Integer.toUnsignedLong(channel.next()),
            Integer.toUnsignedLong(channel.back()), channel.filled(), fates.delivered(), fates.undelivered(),
            fates.unknown(), fates.refused(),
            new Arrivals(arrivals.mode(), arrivals.unread(), arrivals.capacity(), arrivals.messageCount()));
    }

    private static Triple triple(final int key, final NiCountersSample.Triple triple)
    {
        final boolean isOwn = key != NiCounters.OTHER_TRIPLES_KEY;
        return new Triple(isOwn ? NiCounters.channelOf(key) : -1, isOwn ? NiCounters.niOf(key) : -1,
            isOwn ? NiCounters.destinationChannelOf(key) : -1, triple.nacks(), triple.rollbacks(), triple.repeats());
    }
}
