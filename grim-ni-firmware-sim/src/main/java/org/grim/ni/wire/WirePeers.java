// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.util.Arrays;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;

/**
 * The NIs that a wire talks with: maps rings when they are called for, and notices deaths. Only the kernel convicts.
 * <p>No packets are exchanged with a new incarnation before everything of the last one was read and its end was
 * reported: the listener gives up all that is under way with the peer.
 * <p>Thread: the board's stepper. Owns: the board's wire file and all mappings. Allocates for a new incarnation.
 */
final class WirePeers implements AutoCloseable
{
    private static final int CAPACITY_FIRST = 8;
    private static final int ADMIT_LIMIT = 16;
    private static final int CONVICT_LIMIT = 16;
    /** A caller's ring may be missing for a reason that passes, such as too many open files. */
    private static final int CALL_TRY_COUNT = 16;

    private final TransportContext node;
    private final Membership membership;
    private final RingFiles ringFiles;
    private final InboundRings rings;
    private final WireFile wire;
    private final WirePeer[] peers;
    private final long[] faultCounts = new long[WireFault.count()];
    private WirePeer[] known = new WirePeer[CAPACITY_FIRST];
    private int knownCount;
    private int convictIndex;
    private int seenCalls;

    WirePeers(
        final TransportContext node, final int ringLength, final int packetLengthMax, final InboundRings rings,
        final UnaryOperator<AtomicBuffer> access)
    {
        this.node = node;
        this.rings = rings;
        membership = node.membership();
        ringFiles = new RingFiles(node, ringLength, packetLengthMax, access);
        peers = new WirePeer[Math.min(membership.nodeCountMax(), WireFile.NI_COUNT)];
        wire = ringFiles.createWire();
    }

    @Override
    public void close()
    {
        for (int i = 0; i < knownCount; i++)
        {
            final WirePeer peer = known[i];
            peer.disconnect();
            if (peer.inbound != null)
            {
                peer.inbound.closeAndDelete();
            }
        }
        rings.unmapRemoved();
        wire.closeAndDelete();
    }

    /** Whether a peer is in the life that was talked with, or was not talked with. Costs a load or two. */
    boolean isSameIncarnation(final int ni)
    {
        final WirePeer peer = ni < peers.length ? peers[ni] : null;
        return peer == null || (!peer.isLost && (peer.incarnation == WirePeer.NONE ||
            (!peer.isGone && membership.incarnationOf(membership.status(ni)) == peer.incarnation)));
    }

    /** The peer behind a number, ready to be sent to; or null, and counted. Costs a load if it is ready. */
    WirePeer reachable(final int ni)
    {
        if (ni < 0 || ni >= peers.length)
        {
            count(WireFault.UNREACHABLE);
            return null;
        }
        final WirePeer peer = peers[ni];
        return peer != null && peer.isReady() ? peer : connect(ni);
    }

    /** The consumer of the ring to a peer found it corrupt. */
    void stopped(final WirePeer peer)
    {
        count(WireFault.STOPPED);
        peer.isStopped = true;
        peer.isLost = true;
        peer.disconnect();
    }

    /** A packet to an incarnation of a peer was swallowed that had been begun. */
    void swallowed(final WirePeer peer, final int incarnation)
    {
        count(WireFault.UNREACHABLE);
        peer.isLost |= peer.incarnation == incarnation;         // Otherwise its end was reported meanwhile.
    }

    /** Maps the rings of those who called: bounded; a load if nobody did. */
    int admit()
    {
        final int calls = wire.calls();
        if (calls == seenCalls)
        {
            return 0;
        }
        int callerCount = 0;
        for (int word = 0; word < WireFile.CALLER_WORD_COUNT && callerCount < ADMIT_LIMIT; word++)
        {
            long callers = wire.takeCallers(word);
            while (callers != 0)
            {
                onCall(word * Long.SIZE + Long.numberOfTrailingZeros(callers));
                callers &= callers - 1;
                callerCount++;
            }
        }
        if (callerCount < ADMIT_LIMIT)      // Else there may be more: the word still shows work.
        {
            seenCalls = calls;
        }
        return callerCount + 1;
    }

    int housekeep(final NiGoneListener listener)
    {
        int workCount = 0;
        final int count = knownCount;
        for (int i = 0; i < count; i++)
        {
            final int fromTurn = i < convictIndex ? i - convictIndex + count : i - convictIndex;
            workCount += tend(known[i], fromTurn < CONVICT_LIMIT, listener);
        }
        convictIndex = count == 0 ? 0 : (convictIndex + CONVICT_LIMIT) % count;
        return workCount;
    }

    /** Returns whether a call was not handled yet. */
    boolean hasCallers()
    {
        for (int i = 0; i < knownCount; i++)
        {
            if (known[i].callTryCount > 0)
            {
                return true;
            }
        }
        return wire.calls() != seenCalls;
    }

    WireFile wire()
    {
        return wire;
    }

    int seenCalls()
    {
        return seenCalls;
    }

    long faultCount(final WireFault fault)
    {
        return faultCounts[fault.code()];
    }

    GrimException lastFailure()
    {
        return ringFiles.lastFailure();
    }

    private WirePeer connect(final int ni)
    {
        final WirePeer peer = peer(ni);
        final WireFault fault = reasonUnreachable(peer);
        if (fault == null && (peer.isConnected() || ringFiles.tryConnect(peer)))
        {
            return peer;
        }
        peer.isBarred |= fault == null;
        count(fault == null ? WireFault.NO_RING : fault);
        peer.isLost = true;
        return null;
    }

    private WireFault reasonUnreachable(final WirePeer peer)
    {
        if (peer.isStopped)
        {
            return WireFault.STOPPED;
        }
        if (peer.incarnation == WirePeer.NONE)
        {
            final int status = membership.status(peer.ni);
            if (peer.isLost || membership.incarnationOf(status) == WirePeer.NONE ||
                membership.convictIfDead(peer.ni))
            {
                return WireFault.UNREACHABLE;
            }
            peer.incarnation = membership.incarnationOf(status);
            peer.goodStatus = status;
        }
        else if (peer.isGone || !isThere(peer))
        {
            return WireFault.UNREACHABLE;
        }
        return peer.isBarred ? WireFault.NO_RING : null;
    }

    private void onCall(final int ni)
    {
        if (ni < peers.length && ni != membership.self())       // Otherwise the word is damaged.
        {
            final WirePeer peer = peer(ni);
            peer.callTryCount = CALL_TRY_COUNT;
            answer(peer);
        }
    }

    private void answer(final WirePeer peer)
    {
        final int incarnation = membership.incarnationOf(membership.status(peer.ni));
        if (peer.isLost || (peer.incarnation != WirePeer.NONE && peer.incarnation != incarnation))
        {
            return;                         // When the last one's packets were read and its end was reported.
        }
        if (peer.isStopped || peer.inbound != null || incarnation == WirePeer.NONE)
        {
            peer.callTryCount = 0;          // Called twice: the word is damaged.
            return;
        }
        peer.callTryCount--;
        peer.inbound = ringFiles.tryMap(peer.ni, incarnation);
        if (peer.inbound == null)
        {
            count(WireFault.BAD_FILE);
            return;
        }
        rings.add(peer.inbound);
        peer.callTryCount = 0;
        peer.incarnation = incarnation;
    }

    private int tend(final WirePeer peer, final boolean mayConvict, final NiGoneListener listener)
    {
        peer.isBarred = false;
        if (peer.incarnation != WirePeer.NONE && !peer.isGone && isThere(peer) && mayConvict &&
            membership.convictIfDead(peer.ni))
        {
            gone(peer);
        }
        int workCount = peer.inbound == null ? 0 : tendInbound(peer, peer.inbound);
        if (peer.isGone && peer.inbound == null)
        {
            peer.forget();
            peer.isLost = true;
        }
        if (peer.isLost && !peer.isGone)
        {
            peer.isLost = false;
            listener.onGone(peer.ni);
            workCount++;
        }
        if (peer.callTryCount > 0 && !peer.isGone)
        {
            answer(peer);
            workCount++;
        }
        return workCount;
    }

    private int tendInbound(final WirePeer peer, final InboundRing ring)
    {
        int workCount = 0;
        if (peer.isGone)
        {
            ring.reader.producerGone();
        }
        final WireFault fault = ring.reader.fault();
        if (fault != null && !ring.isFaultCounted)
        {
            ring.isFaultCounted = true;
            count(fault);
            peer.isStopped = true;
            peer.isLost = true;
            peer.disconnect();
            workCount++;
        }
        if (ring.reader.isOver())
        {
            rings.remove(ring);
            peer.inbound = null;
            ring.delete();
            workCount++;
        }
        return workCount;
    }

    /** Whether the incarnation that was talked with still is there, joining or up. */
    private boolean isThere(final WirePeer peer)
    {
        final int status = membership.status(peer.ni);
        if (status == peer.goodStatus)
        {
            return true;
        }
        if (membership.incarnationOf(status) != peer.incarnation || membership.convictIfDead(peer.ni))
        {
            gone(peer);
            return false;
        }
        peer.goodStatus = status;
        return true;
    }

    private static void gone(final WirePeer peer)
    {
        peer.isGone = true;
        peer.disconnect();
    }

    private WirePeer peer(final int ni)
    {
        if (peers[ni] == null)
        {
            peers[ni] = new WirePeer(node, ni);
            if (knownCount == known.length)
            {
                known = Arrays.copyOf(known, knownCount * 2);
            }
            known[knownCount++] = peers[ni];
        }
        return peers[ni];
    }

    private void count(final WireFault fault)
    {
        faultCounts[fault.code()]++;
    }
}
