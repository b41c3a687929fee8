// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.grim.RejectReason;
import org.grim.wire.FlowKey;

/**
 * The receiver's side of all transfers to one endpoint. A message that is handled as a whole gets a block of a bounded
 * memory before its bytes may come; requests that find none wait, in order. Where the memory has room for two messages
 * of the maximum length, one node that is stopped does not stop the others: see {@link ReassemblyMemory}.
 * <p>Thread: the endpoint's owner. Sends nothing itself; allocates nothing once as many transfers as ever were
 * under way.
 * <p>Owns: the reassembly memory. Bounds: its length; {@value #PER_NODE_COUNT_MAX} transfers per node.
 */
public final class Reassembler implements AutoCloseable
{
    /** Most transfers of one node at a time; an honest node has one per link. */
    public static final int PER_NODE_COUNT_MAX = 4096;

    private final int messageLengthMax;
    private final ReassemblyMemory memory;
    private final int[] countByNode;
    private final long[] lookByNode;
    private final Long2ObjectHashMap<Transfer> transfers = new Long2ObjectHashMap<>();
    private final List<Transfer> open = new ArrayList<>();
    private final List<Transfer> waiting = new ArrayList<>();
    private final List<Transfer> free = new ArrayList<>();
    private long look;

    /**
     * Makes it, without memory yet.
     *
     * @param messageLengthMax most bytes of a message that is handled as a whole.
     * @param memoryLength     bytes of all of them together, at least as much.
     * @param nodeCountMax     nodes of the cluster.
     */
    public Reassembler(final int messageLengthMax, final long memoryLength, final int nodeCountMax)
    {
        if (memoryLength < messageLengthMax)
        {
            throw new IllegalArgumentException("memory length=" + memoryLength + " is below one message of length=" +
                messageLengthMax);
        }
        this.messageLengthMax = messageLengthMax;
        memory = new ReassemblyMemory(messageLengthMax, memoryLength, nodeCountMax);
        countByNode = new int[nodeCountMax];
        lookByNode = new long[nodeCountMax];
    }

    /**
     * Finds what is under way from one incarnation of the sender's node.
     *
     * @param flowKey     of its messages, as {@link FlowKey}.
     * @param incarnation of the sender's node.
     * @return the transfer, or null.
     */
    public Transfer find(final long flowKey, final int incarnation)
    {
        Transfer transfer = transfers.get(flowKey);
        while (transfer != null && transfer.incarnation() != incarnation)
        {
            transfer = transfer.older;
        }
        return transfer;
    }

    /**
     * Finds a transfer under way from one endpoint, by its name: an abort may come over the path of another device.
     *
     * @param sourceKey of the sender's endpoint and channel.
     * @param name      of the transfer.
     * @return the transfer, or null.
     */
    public Transfer findNamed(final int sourceKey, final long name)
    {
        for (int i = 0; i < open.size(); i++)
        {
            if (FlowKey.sourceKey(open.get(i).flowKey()) == sourceKey && open.get(i).transfer() == name)
            {
                return open.get(i);
            }
        }
        return null;
    }

    /**
     * Begins a transfer on a path that has none from that incarnation of the sender's node.
     *
     * @param flowKey of its messages, as {@link FlowKey}.
     * @param words that were judged.
     * @return the transfer, or null if the node has too many.
     */
    public Transfer begin(final long flowKey, final BeginWords words)
    {
        final Transfer transfer = free.isEmpty() ? new Transfer() : free.remove(free.size() - 1);
        transfer.begin(flowKey, words);
        if (countByNode[transfer.node()] >= PER_NODE_COUNT_MAX)
        {
            free.add(transfer);
            return null;
        }
        countByNode[transfer.node()]++;
        transfer.older = transfers.put(flowKey, transfer);
        open.add(transfer);
        return transfer;
    }

    /** Returns whether a message may be handled as a whole. False if it is longer than the maximum. */
    public boolean isHoldable(final long totalLength)
    {
        return totalLength <= messageLengthMax;
    }

    /**
     * The pieces are taken as they come: they need no memory.
     *
     * @param transfer begun.
     */
    public void grantWithoutMemory(final Transfer transfer)
    {
        transfer.isGranted = true;
    }

    /**
     * The message needs memory: {@link #tryGrant()} says when it has got some.
     *
     * @param transfer begun, of a length that is holdable.
     */
    public void request(final Transfer transfer)
    {
        assert !transfer.isWhole && !transfer.isGranted;
        transfer.isWhole = true;
        waiting.add(transfer);
    }

    /**
     * Gives memory to the next request, in their order; those of a node that waits for its own blocks are passed over.
     * Returns a transfer that was granted, or null if none can be now.
     */
    public Transfer tryGrant()
    {
        look++;
        for (int i = 0; i < waiting.size(); i++)
        {
            final Transfer transfer = waiting.get(i);
            final int node = transfer.node();
            if (lookByNode[node] != look)
            {
                if (transfer.totalLength() == 0 || memory.tryTake(transfer, node))
                {
                    waiting.remove(i);
                    transfer.isGranted = true;
                    return transfer;
                }
                if (!memory.isHeldBy(node))
                {
                    return null;                // Else short messages would overtake a long one for ever.
                }
                lookByNode[node] = look;        // Nor may shorter ones of its own.
            }
        }
        return null;
    }

    /**
     * Judges a part.
     *
     * @param transfer       that its path has from its incarnation, or null.
     * @param name           of the transfer that it names.
     * @param position       that it names.
     * @param length         of its payload.
     * @param isFinal        whether it says that it is the last one.
     * @return null if it comes next, otherwise why not.
     */
    public static RejectReason invalid(
        final Transfer transfer, final long name, final long position, final int length, final boolean isFinal)
    {
        if (transfer == null || transfer.transfer() != name || !transfer.isGranted())
        {
            return RejectReason.UNKNOWN_TRANSFER;
        }
        final long rest = transfer.totalLength() - transfer.position();
        final boolean isGood = position == transfer.position() && length >= 0 &&
            (isFinal ? length == rest : length > 0 && length <= rest);
        return isGood ? null : RejectReason.BAD_PART;
    }

    /**
     * Takes a part that was judged.
     *
     * @param transfer of the part.
     * @param source   holding the bytes.
     * @param offset   first byte.
     * @param length   bytes.
     */
    public void take(final Transfer transfer, final DirectBuffer source, final int offset, final int length)
    {
        if (transfer.blockLength > 0)
        {
            transfer.memory.putBytes((int)transfer.position(), source, offset, length);
        }
        transfer.advance(length);
    }

    /**
     * Forgets a transfer, which is over, and frees its memory.
     *
     * @param transfer begun and not yet ended.
     */
    public void end(final Transfer transfer)
    {
        final int node = transfer.node();
        unlink(transfer);
        open.remove(transfer);
        if (!transfer.isGranted)
        {
            waiting.remove(transfer);
        }
        if (transfer.blockLength > 0)
        {
            memory.free(transfer, node);
        }
        transfer.memory.wrap(0, 0);
        transfer.attach(null);
        countByNode[node]--;
        assert countByNode[node] >= 0 && waiting.size() <= open.size();
        free.add(transfer);
    }

    /** Transfers under way, granted or not. Returns the count. */
    public int openCount()
    {
        return open.size();
    }

    /**
     * One of them.
     *
     * @param index 0 to {@link #openCount()} - 1; changes with every end.
     * @return the transfer.
     */
    public Transfer open(final int index)
    {
        return open.get(index);
    }

    /** {@return bytes of memory that transfers hold; at most what was given} */
    public long heldLength()
    {
        return memory.takenLength();
    }

    /** Gives the memory back. */
    @Override
    public void close()
    {
        memory.close();
    }

    private void unlink(final Transfer transfer)
    {
        Transfer newer = transfers.get(transfer.flowKey());
        if (newer != transfer)
        {
            while (newer.older != transfer)
            {
                newer = newer.older;
            }
            newer.older = transfer.older;
        }
        else if (transfer.older == null)
        {
            transfers.remove(transfer.flowKey());
        }
        else
        {
            transfers.put(transfer.flowKey(), transfer.older);
        }
        transfer.older = null;
    }
}
