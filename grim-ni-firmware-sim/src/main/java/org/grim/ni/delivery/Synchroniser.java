// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Routes;
import org.grim.ni.control.SynchroniseMessage;
import org.grim.ni.event.DropReason;
import org.grim.ni.event.PeerState;

/**
 * Epochs between NIs. Before data flows, each side must know that the other knows its epoch: call, answer,
 * confirmation. From then on, as the wire keeps order, every message belongs to this epoch. A side that starts again,
 * or gives the other up, shows a later epoch; the other side then forgets and reports the messages under way.
 * <p>NIs know nothing of each other until one sends to the other. An NI that starts again (epoch above the first)
 * announces this to all others, so that NIs that wait for its answers learn it.
 * <p>Thread: the board's stepper.
 */
public final class Synchroniser
{
    private static final int EPOCH_FIRST = 1;
    private static final int NODE_SHIFT = 4;

    private final DeliveryState state;
    private final ReliableSender sender;
    private final int niNumber;
    private final int niEpoch;
    private int announcedCount;

    Synchroniser(final DeliveryState state, final ReliableSender sender, final int niNumber, final int niEpoch)
    {
        if (niEpoch < EPOCH_FIRST)
        {
            throw new IllegalArgumentException("epoch=" + niEpoch + " is outside 1 to " + Integer.MAX_VALUE);
        }
        this.state = state;
        this.sender = sender;
        this.niNumber = niNumber;
        this.niEpoch = niEpoch;
        announcedCount = niEpoch == EPOCH_FIRST ? state.routes().niCount() : 0;
    }

    /** The peer of a number, known from now on. */
    Peer peer(final int ni)
    {
        Peer peer = state.table().peer(ni);
        if (peer == null)
        {
            peer = new Peer(ni, state.routes().nodeOf(ni) << NODE_SHIFT, niEpoch);
            state.table().add(peer);
        }
        return peer;
    }

    boolean isCallable(final Peer peer, final long nowNs)
    {
        return peer.deadlineNs() - nowNs <= 0;
    }

    /** Calls a peer to which there is something to send, unless it is synchronised or being called. */
    void callIfNeeded(final Peer peer, final long nowNs)
    {
        if (peer.state == PeerState.UNKNOWN || peer.state == PeerState.GONE)
        {
            transition(peer, PeerState.CALLING);
            peer.callCount = 0;
            ask(peer, nowNs);
        }
    }

    /**
     * Announces the restart of this NI to the next NI that does not know it yet. Returns the number of announcements.
     */
    public int announce()
    {
        if (announcedCount == state.routes().niCount())
        {
            return 0;
        }
        final int ni = announcedCount;
        final int node = state.routes().nodeOf(ni);
        final boolean isInformed = ni == niNumber || node == Routes.NONE || state.table().peer(ni) != null;
        if (!isInformed && !state.controls().tryAnnounce(ni, node << NODE_SHIFT, (long)niEpoch << Integer.SIZE))
        {
            return 0;
        }
        announcedCount++;
        return 1;
    }

    /**
     * Returns whether data of an NI may be taken; false if the NI has not shown that it knows this NI's epoch. Then the
     * epoch is announced to it first.
     */
    public boolean isConfirmed(final int ni)
    {
        final Peer peer = peer(ni);
        heard(peer);
        if (!state.epochs().isTaken(peer.isConfirmed))
        {
            owe(peer);
            return false;
        }
        return true;
    }

    /**
     * Handles an NI's announcement of its epoch.
     *
     * @param ni     its number.
     * @param packet holding the message, which is as long as it must be.
     * @param offset of its first byte.
     * @param nowNs  time.
     * @return null if it was heeded, otherwise why not.
     */
    public DropReason onSynchronise(final int ni, final DirectBuffer packet, final int offset, final long nowNs)
    {
        if (SynchroniseMessage.version(packet, offset) != SynchroniseMessage.VERSION)
        {
            return DropReason.OTHER_VERSION;
        }
        final boolean isAnswerWanted = SynchroniseMessage.isAnswerWanted(packet, offset);
        if (!isAnswerWanted && state.table().peer(ni) == null)
        {
            return null;                    // Nothing is known that could be out of date.
        }
        final Peer peer = peer(ni);
        final long epoch = SynchroniseMessage.ownEpoch(packet, offset);
        if (state.epochs().isStale(epoch, peer.epoch))
        {
            return DropReason.STALE_EPOCH;
        }
        heard(peer);
        if (epoch != peer.epoch)
        {
            onNewEpoch(peer, epoch, nowNs);
        }
        peer.onProbe(SynchroniseMessage.probe(packet, offset), SynchroniseMessage.echo(packet, offset));
        if (SynchroniseMessage.knownEpoch(packet, offset) == peer.ownEpoch)
        {
            onConfirmed(peer, nowNs);
        }
        if (isAnswerWanted || peer.state == PeerState.CALLING)
        {
            owe(peer);
        }
        return null;
    }

    /** Questions a peer that has not answered for long: it must show that it is alive. */
    void askIfSilent(final Peer peer, final long nowNs)
    {
        if (peer.state == PeerState.SYNCHRONISED && !peer.isProbing())
        {
            ask(peer, nowNs);
        }
    }

    void onPeerDue(final Peer peer, final long nowNs)
    {
        final boolean isWaiting = peer.state == PeerState.CALLING ||
            (peer.state == PeerState.SYNCHRONISED &&
            (peer.isProbing() || peer.quarantineHead != MessageRecord.NO_TOKEN));
        if (!isWaiting)
        {
            return;
        }
        final boolean wasHeldBack = peer.isHeldBack;
        peer.isHeldBack = peer.isOwing();
        peer.heldBackNs = wasHeldBack ? peer.heldBackNs : nowNs;
        // A blocked link says nothing of the peer: its time for an answer begins when the question has left.
        final boolean isAnswerLate = !wasHeldBack && !peer.isHeldBack;
        final boolean isConvicted = isAnswerLate ? state.limits().isConvicted(peer.callCount) :
            peer.isHeldBack && state.limits().isBlockedForGood(nowNs - peer.heldBackNs);
        if (isConvicted)
        {
            giveUp(peer, nowNs);
        }
        else if (isAnswerLate)
        {
            ask(peer, nowNs);
        }
        else
        {
            schedule(peer, nowNs);
        }
    }

    /** A peer does not answer: what was under way is reported, and forgotten under a new epoch. */
    void giveUp(final Peer peer, final long nowNs)
    {
        peer.ownEpoch++;
        forget(peer, nowNs);
        transition(peer, PeerState.GONE);
        peer.deadlineNs(nowNs + state.limits().goneNs());
    }

    /**
     * Handles the report of others that an NI is gone: settles all messages to it and forgets its state. Later messages
     * call it again.
     */
    public void peerGone(final int ni, final long nowNs)
    {
        final Peer peer = state.table().peer(ni);
        if (peer != null)
        {
            giveUp(peer, nowNs);
            peer.deadlineNs(nowNs);
        }
    }

    private void onNewEpoch(final Peer peer, final long epoch, final long nowNs)
    {
        // While the peer is being called, nothing has left for any epoch of it: what waits may still go.
        final boolean isUsed = peer.epoch != 0 && peer.state != PeerState.CALLING;
        if (state.epochs().isDiscarded(isUsed))
        {
            forget(peer, nowNs);
            transition(peer, PeerState.UNKNOWN);
        }
        peer.epoch = epoch;
        peer.isConfirmed = false;
    }

    private void forget(final Peer peer, final long nowNs)
    {
        state.deadlines().cancel(peer);
        sender.discard(peer);
        for (ReceiveTriple triple = peer.receiveTriples; triple != null; triple = triple.followingOfPeer)
        {
            // Its pending answers belong to an epoch that is over; a later one may have messages of the same names.
            state.controls().discard(triple);
            triple.forget();
        }
        state.table().removeTriples(peer);
        peer.forget();
        sender.endQuarantine(peer, nowNs);
    }

    private void onConfirmed(final Peer peer, final long nowNs)
    {
        peer.isConfirmed = true;
        peer.heard();
        sender.endQuarantine(peer, nowNs);
        if (peer.state != PeerState.SYNCHRONISED)
        {
            state.deadlines().cancel(peer);
            transition(peer, PeerState.SYNCHRONISED);
            sender.onSynchronised(peer);
        }
    }

    private void ask(final Peer peer, final long nowNs)
    {
        peer.callCount++;
        peer.ask();
        state.controls().addIfAbsent(peer);
        schedule(peer, nowNs);
    }

    private void schedule(final Peer peer, final long nowNs)
    {
        final int callCount = Math.max(peer.callCount, 1);
        state.deadlines().schedule(peer, nowNs + state.limits().questionNs(peer.roundTrip, callCount));
    }

    /** A packet of a peer has come. On a wire that may lose packets only an answer shows that both ways work. */
    private void heard(final Peer peer)
    {
        if (!state.limits().isWireLossy())
        {
            peer.heard();
        }
    }

    private void owe(final Peer peer)
    {
        peer.oweAnnouncement();
        state.controls().addIfAbsent(peer);
    }

    private void transition(final Peer peer, final PeerState next)
    {
        if (peer.state != next)
        {
            peer.state = next;
            state.listener().onPeer(peer.ni, next);
        }
    }
}
