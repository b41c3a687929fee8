// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.group.Group.Status;
import org.grim.group.Reduction;
import org.grim.memory.MemoryPeers;
import org.grim.wire.MessageHeader;

/**
 * Operations of one group that are in progress, by number, and what came for those that are still to be called. All are
 * of one epoch.
 * <p>Thread: the host endpoint's owner.
 */
final class OpenOperations
{
    private static final int CAPACITY_FIRST = 16;
    private static final byte UNKNOWN = 0;
    private static final byte SHARED = 1;
    private static final byte APART = 2;

    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final EarlyMessages early = new EarlyMessages();
    private CollectiveRequest[] requests = new CollectiveRequest[CAPACITY_FIRST];
    private int count;
    private final MutableDirectBuffer offer = Buffers.wrap(new byte[GroupTraffic.OFFER_LENGTH]);
    private byte[] sharing = {};                    // By rank: whether the member maps this node's memory.
    private MemoryPeers.Reader[] readers = {};           // By rank; null until the first offer.
    private EndpointLink[] links = {};              // By rank; null until the first one is asked for.
    private Roster current;
    private int rank;
    private int sequence;

    OpenOperations(final GroupTraffic traffic, final GroupSettings settings)
    {
        this.traffic = traffic;
        this.settings = settings;
    }

    /** A new epoch begins; all operations of the one before have ended. */
    void adopt(final Roster roster)
    {
        current = roster;
        rank = roster.rankOf(traffic.self());
        links = new EndpointLink[roster.size()];
        closeReaders();
        readers = new MemoryPeers.Reader[roster.size()];
        sharing = new byte[roster.size()];
        sequence = 0;
        early.dropBefore(roster.epoch());
    }

    Roster roster()
    {
        return current;
    }

    int rank()
    {
        return rank;
    }

    /** Whether the node has left: nobody polls for them any more. */
    boolean isOver()
    {
        return traffic.isClosed();
    }

    /** Number of the next operation. */
    int sequence()
    {
        return sequence;
    }

    /** Begins one. */
    void begin(final CollectiveRequest request, final int signature, final Reduction reduction)
    {
        add(request);
        request.begin(sequence++, signature, reduction);
        if (!early.isEmpty())
        {
            takeEarlyWords(request);
        }
        request.progress();
    }

    /** Goes on with all, as far as there is room. */
    void progress()
    {
        for (int i = count - 1; i >= 0; i--)
        {
            requests[i].progress();
        }
    }

    /** Ends all. */
    void end(final Status status)
    {
        while (count > 0)
        {
            requests[count - 1].finish(status);
        }
    }

    /** Ends all for good. */
    void close()
    {
        end(Status.CLOSED);
        closeReaders();
    }

    /** A part of an operation, or the word that a member is ready for one. */
    void onPart(
        final int node, final int epoch, final int ofSequence, final int word, final DirectBuffer buffer,
        final int offset, final int length)
    {
        if (epoch < current.epoch())
        {
            return;                                     // Of an operation that ended with its epoch.
        }
        final CollectiveRequest request = epoch == current.epoch() ? requestOf(ofSequence) : null;
        final int from = request == null ? -1 : current.rankOf(node);
        if (request == null || from < 0)
        {
            if (epoch > current.epoch() || ofSequence - sequence >= 0)
            {
                early.add(epoch, ofSequence, node, word, buffer, offset, length);
            }
            return;
        }
        if ((word & GroupTraffic.FLAGS) != 0)
        {
            onWord(request, from, word);
        }
        else if ((word & ~GroupTraffic.OFFER) != request.signature())
        {
            mismatched(request);
        }
        else if (early.has(epoch, ofSequence, node) || !request.tryTake(from, word, buffer, offset, length))
        {
            early.add(epoch, ofSequence, node, word, buffer, offset, length);
        }
        request.progress();
        if (request.isComplete())
        {
            traffic.endPoll();
        }
    }

    /** The next part of an operation from a member that came early; null if there is none. */
    EarlyMessages.Early takeEarly(final CollectiveRequest request, final int from)
    {
        final EarlyMessages.Early found = early.take(current.epoch(), request.sequence(), current.nodes()[from]);
        if (found != null && (found.word() & ~GroupTraffic.OFFER) != request.signature())
        {
            early.release(found);
            mismatched(request);
            return null;
        }
        return found;
    }

    void release(final EarlyMessages.Early message)
    {
        early.release(message);
    }

    /** Says that this member is ready for a long part; false if there is no room now. */
    boolean sendReady(final int to, final CollectiveRequest request)
    {
        return sendAnswer(to, request, GroupTraffic.READY);
    }

    /** Says something of a part; false if there is no room now. */
    boolean sendAnswer(final int to, final CollectiveRequest request, final int flags)
    {
        return sendWord(to, request, flags | request.signature(), null, 0);
    }

    /** Offers memory that a member may read; false if there is no room now. */
    boolean sendOffer(final int to, final CollectiveRequest request, final long address, final int length)
    {
        offer.putLong(0, address);
        offer.putInt(Long.BYTES, length);
        return sendWord(to, request, GroupTraffic.OFFER | request.signature(), offer, GroupTraffic.OFFER_LENGTH);
    }

    /** Where a member can read memory; 0 if it cannot. */
    long addressFor(final int to, final DirectBuffer place, final int offset, final int length)
    {
        if (sharing[to] == UNKNOWN)
        {
            sharing[to] = traffic.sharesMemory(current.nodes()[to]) ? SHARED : APART;
        }
        return sharing[to] == SHARED ? traffic.readableAddress(place, offset, length) : 0;
    }

    /** What reads a member's memory; null if it cannot be reached. */
    MemoryPeers.Reader reader(final int from)
    {
        if (readers[from] == null)
        {
            readers[from] = traffic.tryRead(current.nodes()[from]);
        }
        return readers[from];
    }

    /** The link to a member; null if it cannot be reached. */
    EndpointLink linkTo(final int to)
    {
        if (links[to] == null || !links[to].isUsable())
        {
            links[to] = traffic.linkTo(current.nodes()[to]);
        }
        return links[to];
    }

    SendStatus sendPart(
        final EndpointLink link, final CollectiveRequest request, final DirectBuffer source, final int offset,
        final int length)
    {
        return link.sendBuiltIn(GroupTraffic.PART, MessageHeader.pair(current.id(), current.epoch()),
            MessageHeader.pair(request.sequence(), request.signature()), source, offset, length);
    }

    int inPlaceLength()
    {
        return settings.inPlaceLength();
    }

    int eagerLength()
    {
        return settings.eagerLength();
    }

    /** Bytes of the next message, of so many that are left: whole elements. */
    static int partLength(final EndpointLink link, final Reduction reduction, final int left)
    {
        return wholeLength(GroupTraffic.partLengthMax(link), reduction, left);
    }

    /** The most of so many bytes that are left: whole elements. */
    static int wholeLength(final int most, final Reduction reduction, final int left)
    {
        return left <= most || reduction == null ? Math.min(left, most) : most - most % reduction.elementLength();
    }

    /** Members do different things: all are told. */
    void mismatched(final CollectiveRequest request)
    {
        for (int other = 0; other < current.size(); other++)
        {
            if (other != rank)
            {
                sendWord(other, request, GroupTraffic.MISMATCH, null, 0);
            }
        }
        request.finish(Status.MISMATCHED);
    }

    void finished(final CollectiveRequest request)
    {
        for (int i = 0; i < count; i++)
        {
            if (requests[i] == request)
            {
                count--;
                if (i < count)
                {
                    requests[i] = requests[count];
                }
                return;
            }
        }
    }

    void await(final CollectiveRequest request)
    {
        traffic.requireOutsideHandler("await");
        if (request.isComplete())
        {
            traffic.pollOnce();                         // Who never has to wait must not starve the others.
        }
        while (!request.isComplete())
        {
            if (!traffic.poll())
            {
                end(Status.CLOSED);
            }
            request.progress();
        }
    }

    private void closeReaders()
    {
        for (int i = 0; i < readers.length; i++)
        {
            if (readers[i] != null)
            {
                readers[i].close();
                readers[i] = null;
            }
        }
    }

    private boolean sendWord(
        final int to, final CollectiveRequest request, final int word, final DirectBuffer source, final int length)
    {
        return traffic.send(current.nodes()[to], GroupTraffic.PART,
            MessageHeader.pair(current.id(), current.epoch()), MessageHeader.pair(request.sequence(), word), source, 0,
            length).isAccepted();
    }

    private void onWord(final CollectiveRequest request, final int from, final int word)
    {
        if (word == GroupTraffic.MISMATCH)
        {
            request.finish(Status.MISMATCHED);
        }
        else if ((word & ~GroupTraffic.FLAGS) != request.signature() ||
            !request.tryTakeAnswer(from, word & GroupTraffic.FLAGS))
        {
            mismatched(request);
        }
    }

    /** Words that came before the operation was called: no receipt asks for them. */
    private void takeEarlyWords(final CollectiveRequest request)
    {
        EarlyMessages.Early found = early.takeFlagged(current.epoch(), request.sequence(), GroupTraffic.FLAGS);
        while (found != null)
        {
            final int from = current.rankOf(found.node());
            if (from >= 0 && !request.isComplete())
            {
                onWord(request, from, found.word());
            }
            early.release(found);
            found = early.takeFlagged(current.epoch(), request.sequence(), GroupTraffic.FLAGS);
        }
    }

    private CollectiveRequest requestOf(final int ofSequence)
    {
        for (int i = 0; i < count; i++)
        {
            if (requests[i].sequence() == ofSequence)
            {
                return requests[i];
            }
        }
        return null;
    }

    /** Places beyond the count keep what stood there: mostly the next one is that, and nothing has to be stored. */
    private void add(final CollectiveRequest request)
    {
        if (count == requests.length)
        {
            requests = Arrays.copyOf(requests, count * 2);
        }
        if (requests[count] != request)
        {
            requests[count] = request;
        }
        count++;
    }
}
