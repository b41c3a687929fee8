// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.grim.ActiveMessage;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.Dispatcher;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.LinkResources;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.MessageLimits;
import org.grim.endpoint.ReceivedMessage;
import org.grim.endpoint.ReceivedStream;
import org.grim.endpoint.StreamAdapter;
import org.grim.wire.FlowKey;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

/**
 * Messages above the MTU as they arrive at one endpoint: judges their parts, answers requests, and runs a handler on
 * the whole, or a {@link ActiveMessage.Stream.Handler} on each piece.
 * <p>Thread: the endpoint's owner. Owns: the reassembly memory. Allocates nothing once as many messages as ever were
 * under way at a time.
 */
public final class LargeArrivals implements Dispatcher.Parts
{
    /** Looks, one per liveness check, without news of a transfer whose path was lost until it is given up. */
    private static final int LOST_PATH_REST_COUNT = 100;

    private final Dispatcher dispatcher;
    private final HandlerErrors errors;
    private final HandlerTable handlers;
    private final ClusterDirectory directory;
    private final LinkTable links;
    private final OutboxFiles outboxes;
    private final NodeCounters counters;
    private final AtomicCounter receivedCount;
    private final AtomicCounter reassemblyLength;
    private final Notices notices;
    private final Reassembler reassembler;
    private final InPlaceArrivals inPlace;
    private final MessageHeader header = new MessageHeader();
    private final BeginWords begin = new BeginWords();
    private final AtomicBuffer wholeHeader = Buffers.allocate(MessageHeader.LENGTH);
    private final ReceivedMessage whole;
    private final List<ReceivedStream> freeStreams = new ArrayList<>();
    private final Long2ObjectHashMap<Refusal> refusals = new Long2ObjectHashMap<>();
    private long heldLengthSeen;

    /** The last transfer of a flow that was refused, and the link that its sender learned it over. */
    private static final class Refusal
    {
        private final long flowKey;
        private final long name;
        private EndpointLink link;              // null: none could be made yet

        Refusal(final long flowKey, final long name, final EndpointLink link)
        {
            this.flowKey = flowKey;
            this.name = name;
            this.link = link;
        }
    }

    /**
     * Makes the receiving side of one endpoint.
     *
     * @param dispatcher of the endpoint.
     * @param resources  of the endpoint's links.
     * @param handlers   of the node.
     * @param directory  of the cluster.
     * @param links      that answers go to.
     * @param outboxes   of the nodes that send.
     */
    public LargeArrivals(
        final Dispatcher dispatcher, final LinkResources resources, final HandlerTable handlers,
        final ClusterDirectory directory, final LinkTable links, final OutboxFiles outboxes)
    {
        this.dispatcher = dispatcher;
        errors = dispatcher.errors();
        this.handlers = handlers;
        this.directory = directory;
        this.links = links;
        this.outboxes = outboxes;
        counters = resources.counters();
        final MessageLimits limits = resources.limits();
        inPlace = new InPlaceArrivals(outboxes, limits.lengthMax());
        receivedCount = counters.node(CounterKind.LARGE_MESSAGES_RECEIVED);
        reassemblyLength = counters.node(CounterKind.REASSEMBLY_LENGTH);
        notices = new Notices(resources.state(), this::onUnanswerable, links, directory, counters.errorLog());
        reassembler = new Reassembler(limits.lengthMax(), limits.reassemblyLength(), directory.nodeCountMax());
        whole = new ReceivedMessage(links);
    }

    @Override
    public RejectReason onPart(
        final int id, final MutableDirectBuffer buffer, final int headerOffset, final int payloadOffset,
        final int payloadLength, final long flowKey)
    {
        header.wrap(buffer, headerOffset);
        return switch (id)
        {
            case LargeMessageIds.BEGIN -> onBegin(buffer, payloadOffset, payloadLength, flowKey);
            case LargeMessageIds.BODY, LargeMessageIds.FINAL ->
                onBytes(id == LargeMessageIds.FINAL, buffer, payloadOffset, payloadLength, flowKey);
            case LargeMessageIds.GRANT -> onVerdict(flowKey);
            case LargeMessageIds.ABORT -> onAbort(flowKey);
            case LargeMessageIds.IN_PLACE -> onInPlace(buffer, headerOffset, payloadOffset, payloadLength, flowKey);
            case LargeMessageIds.NOT_IN_PLACE -> onNotInPlace(flowKey);
            default -> RejectReason.UNKNOWN_HANDLER;
        };
    }

    /** Sends answers that wait for room. Returns the number of answers sent. */
    public int flush()
    {
        return notices.flush();
    }

    /**
     * Frees memory of senders that died, or whose path is lost, when nothing of theirs comes any more. Repeats a grant
     * or a refusal that may be lost: a sender that has given its transfer up then answers so. Returns the number of
     * transfers and areas freed.
     */
    public int housekeep()
    {
        int count = inPlace.housekeep() + outboxes.housekeep();
        for (int i = reassembler.openCount() - 1; i >= 0; i--)
        {
            final Transfer transfer = reassembler.open(i);
            if (isSenderGone(transfer))
            {
                abandon(transfer);
                count++;
            }
            else if (isSenderUp(transfer) && transfer.isGranted() && transfer.isGrantDue(linkToSender(transfer)))
            {
                answer(transfer.flowKey(), transfer.transfer(), FragmentDescriptor.VERDICT_GRANTED);
            }
        }
        if (count > 0)
        {
            grant();
        }
        repeatRefusals();
        notices.retry();
        return count;
    }

    /** Nobody can be asked to send, or to stop sending, a transfer: its sender is gone. */
    void onUnanswerable(final long flowKey, final long name)
    {
        final Transfer transfer = reassembler.find(flowKey, Transfer.incarnationOf(name));
        if (transfer != null && transfer.transfer() == name)
        {
            abandon(transfer);
        }
    }

    /**
     * Ends arriving messages when the endpoint closes and its node stays, and informs their senders as far as possible.
     */
    public void refuseAll()
    {
        for (int i = reassembler.openCount() - 1; i >= 0; i--)
        {
            final Transfer transfer = reassembler.open(i);
            answer(transfer.flowKey(), transfer.transfer(), FragmentDescriptor.VERDICT_REFUSED);
        }
        notices.flush();
        while (reassembler.openCount() > 0)
        {
            abandon(reassembler.open(reassembler.openCount() - 1));     // Handlers that learn it may close the node.
        }
    }

    /** Frees everything. */
    public void close()
    {
        reassembler.close();
        inPlace.close();
    }

    private RejectReason onBegin(
        final MutableDirectBuffer buffer, final int payloadOffset, final int payloadLength, final long flowKey)
    {
        final RejectReason reason = begin.read(buffer, payloadOffset, payloadLength);
        if (reason != null)
        {
            return reason;
        }
        final int incarnation = Transfer.incarnationOf(begin.transfer());
        final int node = FlowKey.sourceNode(flowKey);
        if (directory.status(node) != directory.upStatus(incarnation))
        {
            return null;                    // Its sender left while it waited for an answer: nothing was sent.
        }
        refusals.remove(flowKey);           // One at a time per path: its sender knows.
        final Transfer before = reassembler.find(flowKey, incarnation);
        if (before != null)
        {
            abandon(before);                // One at a time per path: so that one is over.
        }
        final ActiveMessage.Handler handler = handlers.handlerAt(flowKey, begin.handler());
        final RejectReason refusal = handler == null ? HandlerTable.noHandler(flowKey) :
            handler instanceof StreamAdapter || reassembler.isHoldable(begin.totalLength()) ? null :
            RejectReason.BAD_LENGTH;
        final Transfer transfer = refusal != null ? null : reassembler.begin(flowKey, begin);
        if (transfer == null)
        {
            answer(flowKey, begin.transfer(), FragmentDescriptor.VERDICT_REFUSED);
            refusals.put(flowKey, new Refusal(flowKey, begin.transfer(), linkToSender(flowKey)));
            return refusal == null ? RejectReason.BAD_PART : refusal;
        }
        transfer.arguments(MessageHeader.pair(header.argument(0), header.argument(1)),
            MessageHeader.pair(header.argument(2), header.argument(3)));
        if (handler instanceof final StreamAdapter adapter)
        {
            beginStream(transfer, adapter);
        }
        else
        {
            reassembler.request(transfer);
        }
        grant();
        return null;
    }

    private RejectReason onBytes(
        final boolean isFinal, final MutableDirectBuffer buffer, final int payloadOffset, final int payloadLength,
        final long flowKey)
    {
        final long name = name();
        final Transfer transfer = reassembler.find(flowKey, Transfer.incarnationOf(name));
        final long position = MessageHeader.pair(header.argument(FragmentDescriptor.POSITION_ARGUMENT),
            header.argument(FragmentDescriptor.POSITION_ARGUMENT + 1));
        final RejectReason reason = Reassembler.invalid(
            transfer, name, position, payloadLength, isFinal);
        if (reason != null)
        {
            if (reason == RejectReason.BAD_PART)
            {
                abandon(transfer);
                grant();
            }
            if (isFinal)
            {
                answer(flowKey, name, FragmentDescriptor.VERDICT_LOST);
            }
            return reason;
        }
        reassembler.take(transfer, buffer, payloadOffset, payloadLength);
        final ReceivedStream stream = (ReceivedStream)transfer.attachment();
        if (stream != null && payloadLength > 0)
        {
            takePiece(transfer, stream, buffer, payloadOffset, payloadLength, position);
        }
        if (isFinal)
        {
            finish(transfer);
        }
        return null;
    }

    private RejectReason onVerdict(final long flowKey)
    {
        final long name = name();
        final int verdict = header.argument(FragmentDescriptor.VERDICT_ARGUMENT);
        if (links.onVerdict(flowKey, name, verdict))
        {
            return null;
        }
        if (verdict == FragmentDescriptor.VERDICT_GRANTED)
        {
            // It keeps memory for a message of an earlier incarnation, or of a lost path: nothing will come.
            notices.add(LargeMessageIds.ABORT, flowKey, Notices.ANY_INCARNATION, name, 0);
        }
        return RejectReason.UNKNOWN_TRANSFER;
    }

    private RejectReason onAbort(final long flowKey)
    {
        final Transfer transfer = reassembler.findNamed(FlowKey.sourceKey(flowKey), name());
        if (transfer == null)
        {
            return RejectReason.UNKNOWN_TRANSFER;
        }
        abandon(transfer);
        grant();
        return null;
    }

    private RejectReason onInPlace(
        final MutableDirectBuffer buffer, final int headerOffset, final int payloadOffset, final int payloadLength,
        final long flowKey)
    {
        final RejectReason reason = inPlace.find(buffer, payloadOffset, payloadLength, flowKey);
        if (reason != null)
        {
            if (reason == RejectReason.NOT_IN_PLACE)
            {
                final int incarnation = inPlace.words().incarnation();
                notices.add(LargeMessageIds.NOT_IN_PLACE, flowKey, incarnation,
                    MessageHeader.pair(incarnation, inPlace.words().sequence()), 0);
            }
            return reason;
        }
        final int handlerId = inPlace.words().handler();
        final ActiveMessage.Handler handler = handlers.handlerAt(flowKey, handlerId);
        try
        {
            if (handler == null)
            {
                return HandlerTable.noHandler(flowKey);
            }
            received(inPlace.words().totalLength(), flowKey);
            whole.open(buffer, headerOffset, inPlace.buffer(), inPlace.payloadIndex(),
                inPlace.words().totalLength(), flowKey, handlerId);
            handler.onMessage(whole);
            return null;
        }
        catch (final Throwable ex)          // Of the application's handler.
        {
            errors.onError(ex, handlerId, flowKey);
            return null;
        }
        finally
        {
            whole.close();
            inPlace.done();
        }
    }

    private RejectReason onNotInPlace(final long flowKey)
    {
        return links.onNotInPlace(flowKey, header.argument(0), header.argument(1)) ? null :
            RejectReason.UNKNOWN_TRANSFER;
    }

    private void beginStream(final Transfer transfer, final StreamAdapter adapter)
    {
        final ReceivedStream stream = freeStreams.isEmpty() ? new ReceivedStream(links) :
            freeStreams.remove(freeStreams.size() - 1);
        stream.open(adapter.streamHandler(), transfer.flowKey(), transfer.handler(), transfer.totalLength(),
            transfer.arguments01(), transfer.arguments23());
        reassembler.grantWithoutMemory(transfer);
        try
        {
            adapter.streamHandler().onBegin(stream);        // If it throws, nobody hears of the pieces.
            transfer.attach(stream);
        }
        catch (final Throwable ex)
        {
            onError(ex, transfer);
        }
        finally
        {
            answer(transfer.flowKey(), transfer.transfer(), FragmentDescriptor.VERDICT_GRANTED);
        }
    }

    /** A handler that throws sees no more of its stream. */
    private void takePiece(
        final Transfer transfer, final ReceivedStream stream, final MutableDirectBuffer buffer, final int offset,
        final int length, final long position)
    {
        transfer.attach(null);
        try
        {
            stream.streamHandler().onPiece(stream, buffer, offset, length, position);
            transfer.attach(stream);
        }
        catch (final Throwable ex)
        {
            onError(ex, transfer);
        }
    }

    private void finish(final Transfer transfer)
    {
        final ReceivedStream stream = (ReceivedStream)transfer.attachment();
        received(transfer.totalLength(), transfer.flowKey());
        try
        {
            if (stream != null)
            {
                stream.streamHandler().onEnd(stream);
            }
            else if (transfer.hasMemory())
            {
                runWhole(transfer);
            }
        }
        catch (final Throwable ex)
        {
            onError(ex, transfer);
        }
        finally
        {
            end(transfer);
            grant();
        }
    }

    private void runWhole(final Transfer transfer)
    {
        final ActiveMessage.Handler handler = handlers.handlerAt(transfer.flowKey(), transfer.handler());
        MessageHeader.write(wholeHeader, 0, 0, 0, transfer.arguments01(), transfer.arguments23());
        whole.open(
            wholeHeader, 0, transfer.memory(), 0, (int)transfer.totalLength(), transfer.flowKey(), transfer.handler());
        try
        {
            handler.onMessage(whole);
        }
        finally
        {
            whole.close();
        }
    }

    /** The application's handler failed: the transfer goes on. */
    private void onError(final Throwable error, final Transfer transfer)
    {
        errors.onError(error, transfer.handler(), transfer.flowKey());
    }

    private void received(final long length, final long flowKey)
    {
        counters.channel(FlowKey.channelTo(flowKey)).received(length);
        receivedCount.increment();
    }

    /** The transfer ends without a message. */
    private void abandon(final Transfer transfer)
    {
        final ReceivedStream stream = (ReceivedStream)transfer.attachment();
        if (stream != null)
        {
            dispatcher.runGuarded(
                transfer.handler(), transfer.flowKey(), () -> stream.streamHandler().onAbort(stream));
        }
        end(transfer);
    }

    private void end(final Transfer transfer)
    {
        if (transfer.attachment() instanceof final ReceivedStream stream)
        {
            freeStreams.add(stream);
        }
        reassembler.end(transfer);
        countHeld();
    }

    private void grant()
    {
        Transfer granted = reassembler.tryGrant();
        while (granted != null)
        {
            countHeld();
            answer(granted.flowKey(), granted.transfer(), FragmentDescriptor.VERDICT_GRANTED);
            granted = reassembler.tryGrant();
        }
    }

    private void answer(final long flowKey, final long name, final int verdict)
    {
        notices.add(LargeMessageIds.GRANT, flowKey, Transfer.incarnationOf(name), name, MessageHeader.pair(verdict, 0));
    }

    /** The name of the transfer that a part, or an answer, carries. */
    private long name()
    {
        return MessageHeader.pair(header.argument(0), header.argument(1));
    }

    /**
     * Returns whether nothing of a dead sender is unread any more, or a live sender's path was lost and nothing comes.
     */
    private boolean isSenderGone(final Transfer transfer)
    {
        if (!isSenderUp(transfer))
        {
            return outboxes.isOver(transfer.node(), transfer.incarnation());
        }
        final EndpointLink link = linkToSender(transfer);
        return link != null && link.incarnation() == transfer.incarnation() && link.isPeerGone() &&
            transfer.restCount() >= LOST_PATH_REST_COUNT;
    }

    /** The answer may have gone over a link that was lost: what its sender does not know it waits for, for ever. */
    private void repeatRefusals()
    {
        if (refusals.isEmpty())
        {
            return;
        }
        refusals.values().removeIf(refusal -> directory.status(FlowKey.sourceNode(refusal.flowKey)) !=
            directory.upStatus(Transfer.incarnationOf(refusal.name)));
        refusals.values().forEach(refusal ->
        {
            final EndpointLink link = linkToSender(refusal.flowKey);
            if (link != null && (link.isPeerGone() || refusal.link != link))
            {
                answer(refusal.flowKey, refusal.name, FragmentDescriptor.VERDICT_REFUSED);
            }
            refusal.link = link;
        });
    }

    private boolean isSenderUp(final Transfer transfer)
    {
        return directory.status(transfer.node()) == directory.upStatus(transfer.incarnation());
    }

    private EndpointLink linkToSender(final Transfer transfer)
    {
        return linkToSender(transfer.flowKey());
    }

    private EndpointLink linkToSender(final long flowKey)
    {
        return links.find(FlowKey.channelTo(flowKey), FlowKey.sourceKey(flowKey));
    }

    private void countHeld()
    {
        final long length = reassembler.heldLength();
        if (length != heldLengthSeen)
        {
            reassemblyLength.getAndAdd(length - heldLengthSeen);
            heldLengthSeen = length;
        }
    }
}
