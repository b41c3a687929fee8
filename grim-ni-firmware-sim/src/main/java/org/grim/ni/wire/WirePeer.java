// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.transport.TransportContext;

/**
 * A wire's state of one NI: its incarnation, and the rings from and to it.
 * <p>Thread: the board's stepper. Owns: the mapping of the outbound ring and of the peer's wire file.
 */
final class WirePeer
{
    static final int NONE = 0;

    final int ni;
    final long statusAddress;
    InboundRing inbound;
    /** Incarnation with which this wire exchanges packets; {@link #NONE} before the first. */
    int incarnation;
    /** The status word that the incarnation was last judged alive by. */
    int goodStatus;
    /** The incarnation ended. Nothing is sent any more; what it wrote is still read. */
    boolean isGone;
    /** A ring of the incarnation was stopped: nothing is sent or read any more. */
    boolean isStopped;
    /** A ring could not be made: not tried again before the next housekeeping. */
    boolean isBarred;
    /** Remaining attempts to map the ring of a peer that called. */
    int callTryCount;
    /** The listener must be called. */
    boolean isLost;

    private final TransportContext node;
    private RingWriter outbound;
    private MappedFile outboundFile;
    private WireFile wire;
    private long asleepAddress;

    WirePeer(final TransportContext node, final int ni)
    {
        this.node = node;
        this.ni = ni;
        statusAddress = node.membership().statusAddress(ni);
    }

    /** Whether there is a ring to a peer that is there. Costs one load. */
    boolean isReady()
    {
        return outbound != null && Buffers.intVolatile(statusAddress) == goodStatus;
    }

    void connected(final RingWriter writer, final MappedFile file, final WireFile peerWire)
    {
        outbound = writer;
        outboundFile = file;
        wire = peerWire;
        asleepAddress = peerWire.asleepAddress();
    }

    RingWriter outbound()
    {
        return outbound;
    }

    boolean isConnected()
    {
        return outbound != null;
    }

    /** Forgets the ring to the peer. Its file belongs to the peer's node. */
    void disconnect()
    {
        if (outbound != null)
        {
            outbound = null;
            outboundFile.close();
            wire.close();
        }
    }

    /**
     * Rings the peer's bell if it sleeps. After a release store, without a fence: the sleeper looks again some time
     * after it has set the word (decision 08).
     */
    void wake()
    {
        if (Buffers.intVolatile(asleepAddress) != 0)
        {
            final int bellWord = wire.takeBell();
            if (bellWord != 0)
            {
                node.ring(ni, incarnation, bellWord - 1);
            }
        }
    }

    /** Forgets the incarnation, as another one may come. */
    void forget()
    {
        incarnation = NONE;
        isGone = false;
        isStopped = false;
    }
}
