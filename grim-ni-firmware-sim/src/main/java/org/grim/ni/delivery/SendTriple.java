// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.deadline.Timed;
import org.grim.ni.event.PeerState;
import org.grim.ni.window.SendWindow;
import org.grim.ni.window.SequenceSpace;

/**
 * The sender's state for one (source channel, destination NI, destination channel): its window, and its messages as a
 * list from the oldest that is not settled, with a cursor at the next to send.
 * <p>Thread: the board's stepper.
 */
final class SendTriple extends Timed
{
    final Peer peer;
    final ChannelWindow channel;
    final int destinationChannel;
    final SendWindow window;
    final SendTriple followingOfPeer;
    MessageRecord head;
    MessageRecord cursor;
    SendTriple followingReady;
    boolean isListed;                   // In the channel's list of triples that have something to send.
    boolean isWaiting;                  // Was refused, and backs off.
    long retryDelayNs;
    int timeOutCount;
    private MessageRecord tail;

    SendTriple(
        final Peer peer, final ChannelWindow channel, final int destinationChannel, final SequenceSpace space,
        final SendTriple followingOfPeer)
    {
        this.peer = peer;
        this.channel = channel;
        this.destinationChannel = destinationChannel;
        this.followingOfPeer = followingOfPeer;
        window = space.sendWindow();
    }

    void append(final MessageRecord record)
    {
        record.triple = this;
        if (head == null)
        {
            head = record;
        }
        else
        {
            tail.following = record;
        }
        tail = record;
        if (cursor == null)
        {
            cursor = record;
        }
        window.append();
    }

    /** The message at the cursor has left. */
    void sent()
    {
        window.sent();
        cursor = cursor.following;
    }

    /** The oldest message is settled. */
    MessageRecord removeHead()
    {
        final MessageRecord record = head;
        head = record.following;
        if (cursor == record)
        {
            cursor = head;
        }
        return record;
    }

    /** The last message. */
    MessageRecord last()
    {
        return tail;
    }

    /** The last message, which no receiver has accepted, will not be sent. */
    void withdraw(final MessageRecord record)
    {
        if (head == record)
        {
            head = null;
            tail = null;
        }
        else
        {
            tail = head;
            while (tail.following != record)
            {
                tail = tail.following;
            }
            tail.following = null;
        }
        if (cursor == record)
        {
            cursor = null;
        }
        window.withdraw();
    }

    /** The last message, which never left whole, will be sent from its start. */
    void hold(final MessageRecord record)
    {
        window.recall();
        if (cursor == null)
        {
            cursor = record;
        }
    }

    /** The window has rolled back: the cursor follows it. */
    void rewind()
    {
        cursor = head;
        for (int i = window.inFlightCount(); i > 0; i--)
        {
            cursor = cursor.following;
        }
    }

    boolean isSendable()
    {
        return cursor != null && !cursor.isHeld && !isWaiting && window.canSend() &&
            peer.state == PeerState.SYNCHRONISED;
    }
}
