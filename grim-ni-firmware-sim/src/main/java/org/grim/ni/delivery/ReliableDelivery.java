// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.ni.board.Routes;
import org.grim.ni.control.ControlQueue;
import org.grim.ni.deadline.Timed;
import org.grim.ni.event.NiListener;

/**
 * Reliable delivery of one NI: sender, receiver, epochs and deadlines over the same tables. Built once per start of the
 * firmware.
 * <p>Thread: the board's stepper.
 */
public final class ReliableDelivery
{
    private final DeliveryState state;
    private final ReliableSender sender;
    private final ReliableReceiver receiver;
    private final Synchroniser synchroniser;
    private final ChannelDrain drain;

    /**
     * Builds it, under the epoch that stands in SRAM: higher than that of any start before.
     *
     * @param sram     of the board.
     * @param geometry of the SRAM.
     * @param routes   of all nodes.
     * @param limits   of windows and times.
     * @param intake   how much may be under way.
     * @param controls takes answers.
     * @param ready    listener for channels with messages to send.
     * @param listener of the events.
     * @param epochs   says what an announced epoch means.
     */
    public ReliableDelivery(
        final AtomicBuffer sram, final BoardGeometry geometry, final Routes routes, final DeliveryLimits limits,
        final IntakeLimits intake, final ControlQueue controls, final ReadyChannels ready, final NiListener listener,
        final EpochRule epochs)
    {
        state = new DeliveryState(routes, limits, listener, epochs, controls, intake.scoreboard());
        sender = new ReliableSender(sram, geometry, state, intake, ready);
        synchroniser = new Synchroniser(state, sender, geometry.niNumber(), BoardDescriptor.epoch(sram));
        sender.attach(synchroniser, state, intake);
        receiver = new ReliableReceiver(state, synchroniser);
        drain = new ChannelDrain(state, sender);
    }

    /** {@return the sending half; always the same} */
    public ReliableSender sender()
    {
        return sender;
    }

    /** {@return the receiving half; always the same} */
    public ReliableReceiver receiver()
    {
        return receiver;
    }

    /** {@return what takes channels out of service; always the same} */
    public ChannelDrain drain()
    {
        return drain;
    }

    /** {@return epochs; always the same} */
    public Synchroniser synchroniser()
    {
        return synchroniser;
    }

    /**
     * Acts on deadlines that have passed.
     *
     * @param nowNs time.
     * @param limit most deadlines to act on.
     * @return how many there were.
     */
    public int expire(final long nowNs, final int limit)
    {
        int count = 0;
        for (Timed due = state.deadlines().pollDue(nowNs); due != null; due = state.deadlines().pollDue(nowNs))
        {
            if (due instanceof final SendTriple triple)
            {
                sender.onTripleDue(triple, nowNs);
            }
            else if (due instanceof final Peer peer)
            {
                synchroniser.onPeerDue(peer, nowNs);
            }
            if (++count == limit)
            {
                break;
            }
        }
        return count;
    }

    /** When {@link #expire} has something to do. Returns {@link Long#MAX_VALUE} if nothing is waited for. */
    public long nextDeadlineNs()
    {
        return state.deadlines().earliestNs();
    }

    /** {@return messages in flight; tokens in use and not answered} */
    public int inFlightCount()
    {
        return state.scoreboard().usedCount();
    }

    /** {@return number of tokens that are not assigned because an answer may still come} */
    public int quarantineCount()
    {
        return state.scoreboard().quarantineCount();
    }

    /** {@return NIs that this one has had to do with; their count} */
    public int peerCount()
    {
        return state.table().peerCount();
    }

    /** {@return triples in use for sending; their count} */
    public int sendTripleCount()
    {
        return state.table().sendTripleCount();
    }

    /** {@return triples in use, of both directions; their count} */
    public int tripleCount()
    {
        return state.table().tripleCount();
    }
}
