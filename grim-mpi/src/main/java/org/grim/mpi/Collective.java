// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.grim.group.Group;
import org.grim.group.Reduction;
import org.grim.thread.ErrorReports;

/** A collective operation of a {@link Communicator}. It can be used again, also for another kind, when it is done. */
public final class Collective extends Operation
{
    private static final int LONG = 1 << 14;        // Bytes; from here on a hop may be full.

    final Region input = new Region();
    final Region output = new Region();
    private final List<Send> sends = new ArrayList<>();     // In place of a group's operation; more than are used.
    private final List<Receive> receives = new ArrayList<>();
    private Members among;
    private Kind kind;
    private int root;
    private int length;                     // Bytes, or elements of a reduction.
    private Reduction reduction;
    private boolean hasResult;
    private Group group;
    private ArrayDeque<Group.Request> requests;     // Of the group, that are not used.
    private Group.Request request;
    private int sendCount;
    private int receiveCount;
    private int combinedCount;              // Parts of the input that are combined at the end.
    private int resultOffset;               // Of the result among what they are combined to.

    /** Makes one that is not in progress. */
    public Collective()
    {
        // Idle.
    }

    /** Operations. */
    enum Kind
    {
        BARRIER, BROADCAST, GATHER, GATHER_V, SCATTER, SCATTER_V, ALL_GATHER, ALL_GATHER_V, ALL_TO_ALL, ALL_TO_ALL_V,
        REDUCE, ALL_REDUCE, REDUCE_SCATTER, SCAN, EXCLUSIVE_SCAN,
        /** Messages between pairs. */
        MESSAGES
    }

    /** Throws if it is in progress: its regions are in use. */
    void requireDone()
    {
        if (!isDone())
        {
            throw new IllegalStateException("the collective operation is in progress");
        }
    }

    /** Sets what is done, with both regions. */
    void set(
        final Kind newKind, final int newRoot, final int newLength, final Reduction newReduction,
        final boolean isResult)
    {
        kind = newKind;
        root = newRoot;
        length = newLength;
        reduction = newReduction;
        hasResult = isResult;
    }

    /** Sets whose group does it. */
    void setGroup(final Members ofMembers, final Group newGroup, final ArrayDeque<Group.Request> newRequests)
    {
        among = ofMembers;
        group = newGroup;
        requests = newRequests;
    }

    /** Sets that messages are sent and received, which follow. */
    void setMessages(final Members all)
    {
        among = all;
        kind = Kind.MESSAGES;
        sendCount = 0;
        receiveCount = 0;
        combinedCount = 0;
        hasResult = false;
    }

    /** Sets that parts of the input, which messages bring, are combined and unpacked at the end. */
    void setCombined(
        final int partCount, final int partLength, final int newResultOffset, final Reduction newReduction)
    {
        resultOffset = newResultOffset;
        combinedCount = partCount;
        length = partLength;
        reduction = newReduction;
        hasResult = true;
    }

    /** Adds elements that are sent. */
    void send(final int to, final int newTag, final Elements elements, final int first, final int elementCount)
    {
        elements.check(first, elementCount);
        if (sendCount == sends.size())
        {
            sends.add(new Send());
        }
        final Send send = sends.get(sendCount++);
        send.elements(elements.place, elements.start(first), elementCount, elements.layout);
        send.to(among, to, newTag, Send.Mode.STANDARD);
    }

    /** Adds elements that are received. */
    void receive(final int from, final int newTag, final Elements elements, final int first, final int elementCount)
    {
        elements.check(first, elementCount);
        if (receiveCount == receives.size())
        {
            receives.add(new Receive());
        }
        final Receive receive = receives.get(receiveCount++);
        receive.elements(elements.place, elements.start(first), elementCount, elements.layout);
        receive.from(among, from, newTag);
    }

    @Override
    public String inWords()
    {
        final String name = kind == Kind.MESSAGES ? "operation" : kind.name().toLowerCase(Locale.ROOT);
        return "collective " + name.replace('_', '-') + ' ' +
            Members.inWords(Members.contextOf(Members.numberOf(among.context)));
    }

    @Override
    public int awaitedPeer()
    {
        if (kind == Kind.MESSAGES)
        {
            for (int i = 0; i < receiveCount; i++)
            {
                if (!receives.get(i).isDone())
                {
                    return receives.get(i).peer;
                }
            }
            return ANY;
        }
        final int rank = request.awaitedRank();
        return rank < 0 ? ANY : among.ranks[rank];
    }

    boolean isAmong(final Members members)
    {
        return among == members;
    }

    /** Begins. Under the lock. */
    void call(final Transfers transfers)
    {
        if (!among.isRevoked() && kind != Kind.MESSAGES)
        {
            call();
            return;
        }
        begin();
        if (among.isRevoked())
        {
            receiveCount = 0;
            sendCount = 0;
            end(Outcome.REVOKED);
            return;
        }
        for (int i = 0; i < receiveCount; i++)
        {
            transfers.begin(receives.get(i));
        }
        for (int i = 0; i < sendCount; i++)
        {
            transfers.begin(sends.get(i));
        }
    }

    private void call()
    {
        request = requests.poll();
        if (request == null)
        {
            request = group.newRequest();
        }
        boolean isCalled = false;
        try
        {
            callGroup();
            isCalled = true;
        }
        finally
        {
            if (!isCalled)
            {
                requests.push(request);
            }
        }
        begin();
    }

    /** Looks whether it has ended; then brings elements to their places. */
    boolean isOver(final ErrorReports reports)
    {
        return isDone() || (kind == Kind.MESSAGES ? areMessagesOver(reports) : isRequestOver());
    }

    private boolean areMessagesOver(final ErrorReports reports)
    {
        Outcome worst = Outcome.DONE;
        for (int i = 0; i < sendCount + receiveCount; i++)
        {
            final Operation each = i < sendCount ? sends.get(i) : receives.get(i - sendCount);
            if (!each.isDone())
            {
                return false;
            }
            worst = each.outcome == Outcome.DONE ? worst : each.outcome;
        }
        if (worst == Outcome.DONE && hasResult)
        {
            worst = combine(reports);
        }
        input.clear();
        output.clear();
        end(worst);
        return true;
    }

    private Outcome combine(final ErrorReports reports)
    {
        try
        {
            for (int i = 1; i < combinedCount; i++)
            {
                reduction.reduce(input.memory, input.offset, input.memory, input.offset + i * length,
                    length / reduction.elementLength());
            }
            output.memory.putBytes(output.offset, input.memory, input.offset + resultOffset,
                output.length);
            output.unpack();
            return Outcome.DONE;
        }
        catch (final RuntimeException ex)               // Of the reduction, as in a group.
        {
            reports.onError(ex);
            return Outcome.FAILED;
        }
    }

    private boolean isRequestOver()
    {
        final Group.Status status = request.status();
        if (status == Group.Status.IN_PROGRESS)
        {
            return false;
        }
        if (status == Group.Status.DONE && hasResult)
        {
            output.unpack();
        }
        requests.push(request);
        input.clear();
        output.clear();
        end(status != Group.Status.DONE && among.isRevoked() ? Outcome.REVOKED : outcome(status));
        return true;
    }

    boolean isLong()
    {
        return Math.max(input.length, output.length) > LONG;
    }

    private static Outcome outcome(final Group.Status status)
    {
        return switch (status)
        {
            case DONE -> Outcome.DONE;
            case GROUP_CHANGED -> Outcome.PEER_FAILED;
            case MISMATCHED -> Outcome.MISMATCHED;
            case FAILED -> Outcome.FAILED;
            default -> Outcome.CLOSED;
        };
    }

    private void callGroup()
    {
        switch (kind)
        {
            case BARRIER -> group.barrier(request);
            case BROADCAST -> group.broadcast(root, output.memory, output.offset, length, request);
            case GATHER -> group.gather(
                root, input.memory, input.offset, length, output.memory, output.offset, request);
            case GATHER_V -> group.gatherV(root, input.memory, input.offset, length, output.memory, output.offset,
                output.lengths, output.displacements, request);
            case SCATTER -> group.scatter(
                root, input.memory, input.offset, length, output.memory, output.offset, request);
            case SCATTER_V -> group.scatterV(root, input.memory, input.offset, input.lengths, input.displacements,
                output.memory, output.offset, length, request);
            case ALL_GATHER -> group.allGather(
                input.memory, input.offset, length, output.memory, output.offset, request);
            case ALL_GATHER_V -> group.allGatherV(input.memory, input.offset, length, output.memory, output.offset,
                output.lengths, output.displacements, request);
            case ALL_TO_ALL -> group.allToAll(
                input.memory, input.offset, length, output.memory, output.offset, request);
            case ALL_TO_ALL_V -> group.allToAllV(input.memory, input.offset, input.lengths, input.displacements,
                output.memory, output.offset, output.lengths, output.displacements, request);
            default -> reduce();
        }
    }

    private void reduce()
    {
        switch (kind)
        {
            case REDUCE -> group.reduce(root, input.memory, input.offset, output.memory, output.offset, length,
                reduction, request);
            case ALL_REDUCE -> group.allReduce(input.memory, input.offset, output.memory, output.offset, length,
                reduction, request);
            case REDUCE_SCATTER -> group.reduceScatterV(input.memory, input.offset, output.memory, output.offset,
                input.lengths, reduction, request);
            case SCAN -> group.scan(input.memory, input.offset, output.memory, output.offset, length, reduction,
                request);
            default -> group.exclusiveScan(input.memory, input.offset, output.memory, output.offset, length,
                reduction, request);
        }
    }
}
