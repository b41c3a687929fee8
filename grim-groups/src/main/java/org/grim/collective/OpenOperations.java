// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.LongArrayList;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.group.Group.Status;
import org.grim.memory.MemoryPeers;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

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
    /** The failures of the last operations here; of older ones no member asks: it has begun later ones itself. */
    private static final int FAILURES_MAX = 64;
    private static final long ASK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final EarlyMessages early = new EarlyMessages();
    private final LongArrayList unanswered = new LongArrayList();           // Nodes, and sequences that they ask of.
    private final long[] failures = new long[FAILURES_MAX];                 // Of this epoch: sequence, kind of word.
    private final MutableDirectBuffer description =
        Buffers.wrap(new byte[PartWords.DESCRIPTION_LENGTH + SplitOrigin.LENGTH]);
    private final MutableDirectBuffer offer =
        Buffers.wrap(new byte[PartWords.DESCRIPTION_LENGTH + GroupTraffic.OFFER_LENGTH]);
    private MutableDirectBuffer described = Buffers.wrap(new byte[0]);      // An eager part behind its description.
    private CollectiveRequest[] requests = new CollectiveRequest[CAPACITY_FIRST];
    private int count;
    private byte[] sharing = {};                    // By rank: whether the member maps this node's memory.
    private MemoryPeers.Reader[] readers = {};           // By rank; null until the first offer.
    private EndpointLink[] links = {};              // By rank; null until the first one is asked for.
    private Roster current;
    private int rank;
    private int sequence;
    private int sequenceAsked;                      // Operations before this one ask for those that they wait for.
    private long askDeadlineNs;
    private SplitOrigin origin;                     // Null for a group that no split has made.
    private boolean hasChanged;                     // The epoch is over: all of its operations have ended.

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
        sequenceAsked = 0;
        hasChanged = false;
        unanswered.clear();
        Arrays.fill(failures, 0);
        early.dropBefore(roster.epoch());
    }

    /** The group was made by a split: questions to members that may not have made it name that. */
    void setOrigin(final SplitOrigin newOrigin)
    {
        origin = newOrigin;
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
    void begin(final CollectiveRequest request, final int signature, final long ofAll)
    {
        add(request);
        request.begin(sequence++, signature, ofAll);
        if (!early.isEmpty())
        {
            takeEarlyWords(request);
        }
        request.progress();
    }

    /**
     * Goes on with all, as far as there is room. An operation that waits for long checks whether it does so in vain.
     */
    void step(final long nowNs)
    {
        for (int i = count - 1; i >= 0; i--)
        {
            requests[i].progress();
        }
        if (askDeadlineNs - nowNs <= 0)
        {
            askDeadlineNs = nowNs + ASK_INTERVAL_NS;
            for (int i = count - 1; i >= 0; i--)
            {
                if (requests[i].sequence() - sequenceAsked < 0)
                {
                    requests[i].askAwaited();
                }
            }
            sequenceAsked = sequence;
        }
        answerLate();
    }

    /** Ends all. */
    void end(final Status status)
    {
        hasChanged = true;
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

    /** A part of an operation, or a word about one. */
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
            else if (PartWords.kind(word) == PartWords.ASK)
            {
                answer(node, ofSequence);
            }
            return;
        }
        if ((word & PartWords.WORD) != 0)
        {
            onWord(request, from, word, buffer, offset, length);
        }
        else if (!isOf(request, from, word, buffer, offset, length))
        {
            request.fail(Status.MISMATCHED);
        }
        else if (early.has(epoch, ofSequence, node) || !tryTake(request, from, word, buffer, offset, length))
        {
            early.add(epoch, ofSequence, node, word, buffer, offset, length);
        }
        request.progress();
        if (request.isComplete())
        {
            traffic.endPoll();
        }
    }

    /** Goes on with the next part of an operation from a member that came early; false if there is none. */
    boolean tryTakeEarly(final CollectiveRequest request, final int from)
    {
        final EarlyMessages.Early found = early.take(current.epoch(), request.sequence(), current.nodes()[from]);
        if (found == null)
        {
            return false;
        }
        if (!isOf(request, from, found.word(), found.bytes(), 0, found.length()))
        {
            request.fail(Status.MISMATCHED);
        }
        else
        {
            tryTake(request, from, found.word(), found.bytes(), 0, found.length());
        }
        early.release(found);
        return true;
    }

    /** Whether something that came early from a member is still to be taken. */
    boolean hasEarly(final CollectiveRequest request, final int from)
    {
        return early.has(current.epoch(), request.sequence(), current.nodes()[from]);
    }

    /** Says something of a part, or asks; false if there is no room now. */
    boolean sendAnswer(final int to, final CollectiveRequest request, final int kind, final long ofPart)
    {
        final int word = kind | request.signature();
        int length = PartWords.descriptionLength(word);
        if (length > 0)
        {
            description.putLong(0, ofPart, LITTLE_ENDIAN);
        }
        if (origin != null && kind == PartWords.ASK)
        {
            origin.writeTo(description, length);
            length += SplitOrigin.LENGTH;
        }
        return sendWord(to, request.sequence(), word, description, length).isAccepted();
    }

    /** Says how an operation has ended here; false if there is no room now. */
    boolean sendEnded(final int to, final int ofSequence, final int kind)
    {
        return sendWord(to, ofSequence, kind, null, 0) != SendStatus.BACK_PRESSURED;
    }

    /** Offers memory that a member may read; false if there is no room now. */
    boolean sendOffer(
        final int to, final CollectiveRequest request, final long ofPart, final long address, final int length)
    {
        final int word = PartWords.OFFER | request.signature();
        final int begin = PartWords.descriptionLength(word);
        offer.putLong(0, ofPart, LITTLE_ENDIAN);
        offer.putLong(begin, address);
        offer.putInt(begin + Long.BYTES, length);
        return sendWord(to, request.sequence(), word, offer, begin + GroupTraffic.OFFER_LENGTH).isAccepted();
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

    /** The reader of a member's memory; null if it cannot be reached. */
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

    /** Sends a part that the receiver knows to be of its operation, or that says it in short. */
    SendStatus sendPart(
        final EndpointLink link, final CollectiveRequest request, final DirectBuffer source, final int offset,
        final int length)
    {
        return sendPart(link, request, PartWords.PART, source, offset, length);
    }

    /** Sends a part behind its description. */
    SendStatus sendDescribedPart(
        final EndpointLink link, final CollectiveRequest request, final long ofPart, final DirectBuffer source,
        final int offset, final int length)
    {
        final int whole = PartWords.DESCRIPTION_LENGTH + length;
        if (described.capacity() < whole)
        {
            described = Buffers.wrap(new byte[Math.max(whole, 2 * described.capacity())]);
        }
        described.putLong(0, ofPart, LITTLE_ENDIAN);
        described.putBytes(PartWords.DESCRIPTION_LENGTH, source, offset, length);
        return sendPart(link, request, PartWords.DESCRIBED, described, 0, whole);
    }

    int inPlaceLength()
    {
        return settings.inPlaceLength();
    }

    int eagerLength()
    {
        return settings.eagerLength();
    }

    /** Ends an operation whose reduction threw. */
    void onReductionError(final Throwable ex)
    {
        traffic.onHandlerError(ex);
    }

    /** Takes one out of those in progress. Messages that came early for one that failed are dropped. */
    void finished(final CollectiveRequest request, final Status status)
    {
        if (status != Status.DONE)
        {
            early.drop(current.epoch(), request.sequence());
            failures[request.sequence() & FAILURES_MAX - 1] = MessageHeader.pair(request.sequence(), endOf(status));
        }
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
        if (traffic.isClosed())
        {
            return;                                     // Every operation is complete: CLOSED, if it was not before.
        }
        traffic.requireOutsideHandler("await");
        if (request.isComplete())
        {
            traffic.pollOnce();                         // A caller that never has to wait must not starve the others.
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

    private SendStatus sendPart(
        final EndpointLink link, final CollectiveRequest request, final int kind, final DirectBuffer source,
        final int offset, final int length)
    {
        return link.sendBuiltIn(GroupTraffic.PART, MessageHeader.pair(current.id(), current.epoch()),
            MessageHeader.pair(request.sequence(), kind | request.signature()), source, offset, length, true);
    }

    private SendStatus sendWord(
        final int to, final int ofSequence, final int word, final DirectBuffer source, final int length)
    {
        return traffic.send(current.nodes()[to], GroupTraffic.PART,
            MessageHeader.pair(current.id(), current.epoch()), MessageHeader.pair(ofSequence, word), source, 0, length);
    }

    /** Whether a message is of the operation that was called here. */
    private static boolean isOf(
        final CollectiveRequest request, final int from, final int word, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final int begin = PartWords.descriptionLength(word);
        return PartWords.signature(word) == request.signature() && length >= begin &&
            (begin == 0 || request.isSame(from, buffer.getLong(offset, LITTLE_ENDIAN)));
    }

    private static boolean tryTake(
        final CollectiveRequest request, final int from, final int word, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final int begin = PartWords.descriptionLength(word);
        return request.tryTake(from, PartWords.kind(word) == PartWords.OFFER, buffer, offset + begin, length - begin);
    }

    private void onWord(
        final CollectiveRequest request, final int from, final int word, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final int kind = PartWords.kind(word);
        if (kind == PartWords.ENDED || kind == PartWords.MISMATCHED || kind == PartWords.FAILED)
        {
            request.onEnded(from, kind);
        }
        else if (!isOf(request, from, word, buffer, offset, length) || !request.tryTakeAnswer(from, kind))
        {
            request.fail(Status.MISMATCHED);
        }
    }

    /** Words that came before the operation was called: no receipt asks for them. */
    private void takeEarlyWords(final CollectiveRequest request)
    {
        EarlyMessages.Early found = early.takeWord(current.epoch(), request.sequence());
        while (found != null)
        {
            final int from = current.rankOf(found.node());
            if (from >= 0 && !request.isComplete())
            {
                onWord(request, from, found.word(), found.bytes(), 0, found.length());
            }
            early.release(found);
            found = early.takeWord(current.epoch(), request.sequence());
        }
    }

    /** Answers who asks of an operation that is over here; when there is no room now, later. */
    private void answer(final int node, final int ofSequence)
    {
        final int rank = hasChanged ? -1 : current.rankOf(node);
        final long failure = failures[ofSequence & FAILURES_MAX - 1];
        final boolean hasFailed = failure != 0 && (int)(failure >> Integer.SIZE) == ofSequence;
        if (rank >= 0 && !sendEnded(rank, ofSequence, hasFailed ? (int)failure : PartWords.ENDED))
        {
            unanswered.addLong(MessageHeader.pair(node, ofSequence));
        }
    }

    /** The word that says how an operation has ended here. */
    static int endOf(final Status status)
    {
        return status == Status.FAILED ? PartWords.FAILED :
            status == Status.MISMATCHED ? PartWords.MISMATCHED : PartWords.ENDED;
    }

    private void answerLate()
    {
        for (int i = unanswered.size() - 1; i >= 0; i--)
        {
            final long asked = unanswered.fastUnorderedRemove(i);
            answer((int)(asked >> Integer.SIZE), (int)asked);
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
