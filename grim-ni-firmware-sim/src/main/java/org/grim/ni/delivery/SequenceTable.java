// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import java.util.function.Consumer;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Peers, and the triples of each, sparsely: only those that have been used take memory. A triple's key is the NI, its
 * source channel and its destination channel.
 * <p>Thread: the board's stepper. Grows with the number of peers and triples ever used; allocates nothing otherwise.
 */
final class SequenceTable
{
    private static final int NI_SHIFT = 16;
    private static final int CHANNEL_SHIFT = 8;

    private final Int2ObjectHashMap<Peer> peers = new Int2ObjectHashMap<>();
    private final Long2ObjectHashMap<SendTriple> sendTriples = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<ReceiveTriple> receiveTriples = new Long2ObjectHashMap<>();

    Peer peer(final int ni)
    {
        return peers.get(ni);
    }

    void add(final Peer peer)
    {
        peers.put(peer.ni, peer);
    }

    SendTriple sendTriple(final int sourceChannel, final int destinationNi, final int destinationChannel)
    {
        return sendTriples.get(key(destinationNi, sourceChannel, destinationChannel));
    }

    void add(final SendTriple triple)
    {
        sendTriples.put(key(triple.peer.ni, triple.channel.channel(), triple.destinationChannel), triple);
        triple.peer.sendTriples = triple;
    }

    ReceiveTriple receiveTriple(final int sourceNi, final int sourceChannel, final int destinationChannel)
    {
        return receiveTriples.get(key(sourceNi, sourceChannel, destinationChannel));
    }

    void add(final Peer peer, final ReceiveTriple triple, final int destinationChannel)
    {
        receiveTriples.put(key(peer.ni, triple.sourceChannel, destinationChannel), triple);
        peer.receiveTriples = triple;
    }

    /** A peer's triples count no more. */
    void removeTriples(final Peer peer)
    {
        for (SendTriple triple = peer.sendTriples; triple != null; triple = triple.followingOfPeer)
        {
            sendTriples.remove(key(peer.ni, triple.channel.channel(), triple.destinationChannel));
        }
        receiveTriples.values().removeIf(triple -> triple.sourceNi == peer.ni);
    }

    void forEachSendTriple(final Consumer<SendTriple> action)
    {
        for (final Peer peer : peers.values())
        {
            for (SendTriple triple = peer.sendTriples; triple != null; triple = triple.followingOfPeer)
            {
                action.accept(triple);
            }
        }
    }

    int peerCount()
    {
        return peers.size();
    }

    int sendTripleCount()
    {
        return sendTriples.size();
    }

    int tripleCount()
    {
        return sendTriples.size() + receiveTriples.size();
    }

    private static long key(final int ni, final int sourceChannel, final int destinationChannel)
    {
        return (long)ni << NI_SHIFT | (long)sourceChannel << CHANNEL_SHIFT | destinationChannel;
    }
}
