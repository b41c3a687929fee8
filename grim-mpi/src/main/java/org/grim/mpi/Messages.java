// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import org.grim.group.Reduction;

/**
 * Collective operations as messages between pairs, in the library's context: those of intercommunicators, and those
 * whose parts have layouts of their own. Each operation has a tag, so that several may be in progress.
 * <p>Thread: one at a time.
 */
final class Messages
{
    private static final int TAGS_OF_LEADERS = -2;          // And below; -1 is any.
    private static final int TAG_MASK = Integer.MAX_VALUE;

    private final Members all;              // Of both groups of an intercommunicator.
    private final int first;                // Of those that this process communicates with, among all.
    private final int count;
    private final Elements nothing = new Elements().set(new byte[0], 0, 0, Layout.BYTES);
    private final Elements parts = new Elements();
    private int lastTag;

    Messages(final Members all, final int first, final int count)
    {
        this.all = all;
        this.first = first;
        this.count = count;
    }

    Members all()
    {
        return all;
    }

    /** Rank among all of one of those that this process communicates with. */
    int inAll(final int rank)
    {
        return first + rank;
    }

    /** Every process of both groups gets what each has. */
    void exchange(final Collective c, final Elements send, final Elements receive)
    {
        begin(c);
        for (int i = 0; i < all.size(); i++)
        {
            c.receive(i, lastTag, receive, i * receive.count, receive.count);
            c.send(i, lastTag, send, 0, send.count);
        }
    }

    /** Exchanges a message with a peer; returns the values that came behind the first two, 0 without a peer. */
    int exchange(final Engine engine, final int peer, final int tag, final int[] ours, final int[] theirs)
    {
        final Receive receive = new Receive();
        receive.elements(theirs, 1, theirs.length - 1, Layout.INTS);
        engine.begin(receive, all, inAll(peer), TAGS_OF_LEADERS - tag);
        final Send send = new Send();
        send.elements(ours, 0, ours.length, Layout.INTS);
        engine.begin(send, all, inAll(peer), TAGS_OF_LEADERS - tag, Send.Mode.STANDARD);
        engine.await(send);
        engine.await(receive);
        return receive.outcome() == Operation.Outcome.DONE ? (int)(receive.length() / Integer.BYTES) - 1 : 0;
    }

    void barrier(final Collective c)
    {
        allGather(c, nothing, nothing);
    }

    void broadcast(final Collective c, final int root, final Elements elements)
    {
        begin(c);
        if (root == Communicator.ROOT)
        {
            for (int i = 0; i < count; i++)
            {
                send(c, i, elements, 0, elements.count);
            }
        }
        else if (root != Communicator.NOBODY)
        {
            receive(c, root, elements, 0, elements.count);
        }
    }

    /** Parts of a root; all of one length if there are no counts. */
    void gather(
        final Collective c, final int root, final Elements send, final Elements receive, final int[] counts,
        final int[] displacements)
    {
        begin(c);
        if (root == Communicator.ROOT)
        {
            receiveParts(c, receive, counts, displacements);
        }
        else if (root != Communicator.NOBODY)
        {
            send(c, root, send, 0, send.count);
        }
    }

    /** Gives parts of a root. */
    void scatter(
        final Collective c, final int root, final Elements send, final int[] counts, final int[] displacements,
        final Elements receive)
    {
        begin(c);
        if (root == Communicator.ROOT)
        {
            sendParts(c, send, counts, displacements);
        }
        else if (root != Communicator.NOBODY)
        {
            receive(c, root, receive, 0, receive.count);
        }
    }

    void allGather(final Collective c, final Elements send, final Elements receive)
    {
        allGatherV(c, send, receive, null, null);
    }

    void allGatherV(
        final Collective c, final Elements send, final Elements receive, final int[] counts,
        final int[] displacements)
    {
        begin(c);
        receiveParts(c, receive, counts, displacements);
        for (int i = 0; i < count; i++)
        {
            send(c, i, send, 0, send.count);
        }
    }

    void allToAllV(
        final Collective c, final Elements send, final int[] sendCounts, final int[] sendDisplacements,
        final Elements receive, final int[] receiveCounts, final int[] receiveDisplacements)
    {
        begin(c);
        receiveParts(c, receive, receiveCounts, receiveDisplacements);
        sendParts(c, send, sendCounts, sendDisplacements);
    }

    void allToAllW(final Collective c, final Elements[] send, final Elements[] receive)
    {
        begin(c);
        for (int i = 0; i < count; i++)
        {
            receive(c, i, receive[i], 0, receive[i].count);
        }
        for (int i = 0; i < count; i++)
        {
            send(c, i, send[i], 0, send[i].count);
        }
    }

    void neighborAllToAllW(
        final Collective c, final int[] sources, final Elements[] receive, final int[] destinations,
        final Elements[] send)
    {
        begin(c);
        for (int i = 0; i < sources.length; i++)
        {
            if (sources[i] >= 0)
            {
                receive(c, sources[i], receive[i], 0, receive[i].count);
            }
        }
        for (int i = 0; i < destinations.length; i++)
        {
            if (destinations[i] >= 0)
            {
                send(c, destinations[i], send[i], 0, send[i].count);
            }
        }
    }

    void reduce(
        final Collective c, final int root, final Elements send, final Elements receive, final Reduction reduction)
    {
        begin(c);
        if (root == Communicator.ROOT)
        {
            combine(c, receive, 0, receive.count, receive.count, reduction);
        }
        else if (root != Communicator.NOBODY)
        {
            send(c, root, send, 0, send.count);
        }
    }

    void allReduce(final Collective c, final Elements send, final Elements receive, final Reduction reduction)
    {
        begin(c);
        combine(c, receive, 0, receive.count, receive.count, reduction);
        for (int i = 0; i < count; i++)
        {
            send(c, i, send, 0, send.count);
        }
    }

    /** Counts are of the own group's parts. The other group has others of the same sum, so all is sent. */
    void reduceScatter(
        final Collective c, final Elements send, final Elements receive, final int[] counts, final int own,
        final Reduction reduction)
    {
        begin(c);
        int total = 0;
        int before = 0;
        for (int i = 0; i < counts.length; i++)
        {
            before += i < own ? counts[i] : 0;
            total = Math.addExact(total, counts[i]);
        }
        combine(c, receive, before, counts[own], total, reduction);
        for (int i = 0; i < count; i++)
        {
            send(c, i, send, 0, total);
        }
    }

    /** Elements of all of the other group come as bytes, and are combined by rank; some of them are the result. */
    private void combine(
        final Collective c, final Elements receive, final int before, final int elementCount, final int total,
        final Reduction reduction)
    {
        c.output.row(receive, 0, elementCount, false);
        final int length = receive.packedLength(total);
        c.input.room(Math.multiplyExact(length, count));
        parts.set(c.input.memory, 0, length, Layout.BYTES);
        for (int i = 0; i < count; i++)
        {
            receive(c, i, parts, i * length, length);
        }
        c.setCombined(count, length, receive.packedLength(before), reduction);
    }

    private void receiveParts(
        final Collective c, final Elements receive, final int[] counts, final int[] displacements)
    {
        for (int i = 0; i < count; i++)
        {
            receive(c, i, receive, counts == null ? i * receive.count : displacements[i],
                counts == null ? receive.count : counts[i]);
        }
    }

    private void sendParts(final Collective c, final Elements send, final int[] counts, final int[] displacements)
    {
        for (int i = 0; i < count; i++)
        {
            send(c, i, send, counts == null ? i * send.count : displacements[i],
                counts == null ? send.count : counts[i]);
        }
    }

    private void begin(final Collective c)
    {
        lastTag = lastTag + 1 & TAG_MASK;
        c.setMessages(all);
    }

    private void send(final Collective c, final int to, final Elements elements, final int from, final int elementCount)
    {
        c.send(inAll(to), lastTag, elements, from, elementCount);
    }

    private void receive(
        final Collective c, final int from, final Elements elements, final int at, final int elementCount)
    {
        c.receive(inAll(from), lastTag, elements, at, elementCount);
    }
}
