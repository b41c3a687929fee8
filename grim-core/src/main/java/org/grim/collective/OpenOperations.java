// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.grim.SendStatus;
import org.grim.endpoint.EndpointLink;
import org.grim.group.Group.Status;
import org.grim.group.Reduction;
import org.grim.wire.MessageHeader;

/**
 * Operations of one group that are in progress, by number, and what came for those that are still to be called. All are
 * of one epoch.
 * <p>Thread: the host endpoint's owner.
 */
final class OpenOperations
{
    private static final int CAPACITY_FIRST = 16;

    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final EarlyMessages early = new EarlyMessages();
    private CollectiveRequest[] requests = new CollectiveRequest[CAPACITY_FIRST];
    private int count;
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
        else if (word != request.signature())
        {
            mismatched(request);
        }
        else if (early.has(epoch, ofSequence, node) || !request.tryTake(from, buffer, offset, length))
        {
            early.add(epoch, ofSequence, node, word, buffer, offset, length);
        }
        request.progress();
    }

    /** The next part of an operation from a member that came early; null if there is none. */
    EarlyMessages.Early takeEarly(final CollectiveRequest request, final int from)
    {
        final EarlyMessages.Early found = early.take(current.epoch(), request.sequence(), current.nodes()[from]);
        if (found != null && found.word() != request.signature())
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
        return sendWord(to, request, GroupTraffic.READY | request.signature());
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

    int eagerLength()
    {
        return settings.eagerLength();
    }

    /** Bytes of the next message, of so many that are left: whole elements. */
    static int partLength(final EndpointLink link, final Reduction reduction, final int left)
    {
        final int most = GroupTraffic.partLengthMax(link);
        return left <= most || reduction == null ? Math.min(left, most) : most - most % reduction.elementLength();
    }

    /** Members do different things: all are told. */
    void mismatched(final CollectiveRequest request)
    {
        for (int other = 0; other < current.size(); other++)
        {
            if (other != rank)
            {
                sendWord(other, request, GroupTraffic.MISMATCH);
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

    private boolean sendWord(final int to, final CollectiveRequest request, final int word)
    {
        return traffic.send(current.nodes()[to], GroupTraffic.PART,
            MessageHeader.pair(current.id(), current.epoch()), MessageHeader.pair(request.sequence(), word), null, 0, 0)
            .isAccepted();
    }

    private void onWord(final CollectiveRequest request, final int from, final int word)
    {
        if (word == GroupTraffic.MISMATCH)
        {
            request.finish(Status.MISMATCHED);
        }
        else if (word == (GroupTraffic.READY | request.signature()))
        {
            request.onReady(from);
        }
        else
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
