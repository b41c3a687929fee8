// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.cluster.ClusterDirectory;
import org.grim.fragment.BlockDescriptor;
import org.grim.fragment.InPlaceWords;
import org.grim.transport.PeerMemory;
import org.grim.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at messages that stand in their senders' memory. A node's memory is looked up when it is first needed, and kept
 * while the node lives; after that, as long as messages of it still come.
 * <p>Thread: the endpoint's owner. Owns: its uses of the peers' memory.
 */
final class InPlaceArrivals
{
    private static final Logger LOGGER = LoggerFactory.getLogger(InPlaceArrivals.class);

    private final ClusterDirectory directory;
    private final List<Transport> transports;
    private final int lengthMax;
    private final PeerMemory[] memories;
    private final int[] incarnations;
    private final boolean[] isUsed;
    private final InPlaceWords words = new InPlaceWords();
    private AtomicBuffer buffer;
    private int blockIndex;

    InPlaceArrivals(final ClusterDirectory directory, final List<Transport> transports, final int lengthMax)
    {
        this.directory = directory;
        this.transports = transports;
        this.lengthMax = lengthMax;
        memories = new PeerMemory[directory.nodeCountMax()];
        incarnations = new int[memories.length];
        isUsed = new boolean[memories.length];
    }

    /** Tells whether the node that is up now under a number shares memory with this one. */
    boolean sharesMemory(final int node)
    {
        return memoryOf(node, directory.incarnationOf(directory.status(node))) != null;
    }

    /** Finds the message that a notice names; says why if there is none to look at. */
    RejectReason find(final DirectBuffer notice, final int offset, final int length, final long way)
    {
        final RejectReason reason = words.read(notice, offset, length);
        if (reason != null)
        {
            return reason;
        }
        final int node = (int)(way >>> Integer.SIZE) >>> 12;
        final PeerMemory memory = memoryOf(node, words.incarnation());
        if (memory == null || words.totalLength() > lengthMax ||
            !memory.tryView(words.blockAddress(), words.totalLength() + BlockDescriptor.PAYLOAD_OFFSET))
        {
            return RejectReason.NOT_IN_PLACE;
        }
        isUsed[node] = true;
        buffer = memory.buffer();
        blockIndex = memory.index();
        return (blockIndex & Integer.BYTES - 1) == 0 ? null : RejectReason.BAD_PART;
    }

    /** The notice, as it was read. */
    InPlaceWords words()
    {
        return words;
    }

    /** The sender's memory. */
    AtomicBuffer buffer()
    {
        return buffer;
    }

    /** First byte of the message there. */
    int payloadIndex()
    {
        return blockIndex + BlockDescriptor.PAYLOAD_OFFSET;
    }

    /** The handler has returned. */
    void done()
    {
        // Partner: the acquire load in Outbox: what the handler read comes before the sender's next use of the block.
        buffer.putIntRelease(blockIndex + BlockDescriptor.DONE_OFFSET, words.sequence());
    }

    /** Lets go of the memory of nodes that are gone, when nothing of it has been looked at for a while. */
    int housekeep()
    {
        int count = 0;
        for (int node = 0; node < memories.length; node++)
        {
            if (memories[node] != null)
            {
                if (!isUsed[node] && directory.status(node) != directory.upStatus(incarnations[node]))
                {
                    letGo(node);
                    count++;
                }
                isUsed[node] = false;
            }
        }
        return count;
    }

    void close()
    {
        for (int node = 0; node < memories.length; node++)
        {
            letGo(node);
        }
    }

    private PeerMemory memoryOf(final int node, final int incarnation)
    {
        if (incarnations[node] == incarnation)
        {
            return memories[node];
        }
        // Of its latest life only: a peer's word does not make this node map files of its choice.
        if (directory.incarnationOf(directory.status(node)) != incarnation)
        {
            return null;
        }
        letGo(node);
        incarnations[node] = incarnation;
        memories[node] = tryMap(node, incarnation);
        return memories[node];
    }

    private PeerMemory tryMap(final int node, final int incarnation)
    {
        try
        {
            for (int i = 0; i < transports.size(); i++)
            {
                final PeerMemory memory = transports.get(i).peerMemory(node, incarnation);
                if (memory != null)
                {
                    return memory;
                }
            }
        }
        catch (final GrimException ex)
        {
            LOGGER.warn("memory of node={} cannot be looked at, long messages to it go in parts: {}", node,
                ex.getMessage());
        }
        return null;
    }

    private void letGo(final int node)
    {
        if (memories[node] != null)
        {
            memories[node].close();
            memories[node] = null;
        }
    }
}
