// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.util.BitSet;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.SleepBell;
import org.grim.board.counters.NiCounters;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.PeerState;
import org.grim.transport.TransportContext;
import org.grim.wire.MessageType;

/**
 * Counts what an NI does, in fields that housekeeping copies to where tools see them, and rings the doorbells of hosts
 * that sleep when something was delivered to them.
 * <p>Thread: the board's stepper. Allocates when a triple has trouble, or a peer becomes known, for the first time.
 */
final class BoardListener implements NiListener
{
    private final TransportContext transport;
    private final NiCounters counters;
    private final SleepBell[] bells;
    private final BitSet synchronisedPeers = new BitSet();
    private ContextTable contexts;
    private long transmittedCount;
    private long repeatedCount;
    private long deliveredCount;

    BoardListener(
        final AtomicBuffer sram, final BoardGeometry geometry, final TransportContext transport,
        final NiCounters counters)
    {
        this.transport = transport;
        this.counters = counters;
        bells = new SleepBell[geometry.channelCount()];
        for (int channel = 0; channel < bells.length; channel++)
        {
            bells[channel] = SleepBell.ofChannel(sram, geometry, channel);
        }
    }

    /** Sets the owners of channels. Before the first step. */
    void attach(final ContextTable newContexts)
    {
        contexts = newContexts;
    }

    long transmittedCount()
    {
        return transmittedCount;
    }

    long repeatedCount()
    {
        return repeatedCount;
    }

    long deliveredCount()
    {
        return deliveredCount;
    }

    int synchronisedCount()
    {
        return synchronisedPeers.cardinality();
    }

    @Override
    public void onTransmitted(
        final int channel, final int position, final int destinationNi, final int destinationChannel,
        final int sequence, final int token, final boolean isRepeated)
    {
        if (isRepeated)
        {
            repeatedCount++;
            counters.triple(channel, destinationNi, destinationChannel).repeated();
        }
        else
        {
            transmittedCount++;
        }
    }

    @Override
    public void onAnswered(
        final MessageType type, final int channel, final int destinationNi, final int destinationChannel,
        final int sequence, final int token)
    {
        if (type == MessageType.NACK)
        {
            counters.triple(channel, destinationNi, destinationChannel).refused();
        }
    }

    @Override
    public void onRolledBack(
        final int channel, final int destinationNi, final int destinationChannel, final int messageCount,
        final boolean isTimeOut)
    {
        counters.triple(channel, destinationNi, destinationChannel).rolledBack();
    }

    @Override
    public void onAccepted(
        final int sourceNi, final int sourceChannel, final int destinationChannel, final int sequence)
    {
        deliveredCount++;
        if (destinationChannel < bells.length)          // A multicast's is the number of its tree, or none.
        {
            wake(destinationChannel);
        }
    }

    @Override
    public void onMulticastDelivered(final int channel)
    {
        wake(channel);
    }

    @Override
    public void onPeer(final int ni, final PeerState state)
    {
        synchronisedPeers.set(ni, state == PeerState.SYNCHRONISED);
    }

    private void wake(final int channel)
    {
        // After the DMA's release of what was delivered, without a fence: the sleeper looks again (decision 08).
        final int bell = bells[channel].take();
        if (bell != SleepBell.AWAKE)
        {
            ring(channel, bell);
        }
    }

    private void ring(final int channel, final int bell)
    {
        final int node = contexts.nodeOf(channel);
        if (node >= 0)
        {
            transport.ring(node, contexts.incarnationOf(channel), bell);
        }
    }
}
