// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.control.ControlQueue;
import org.grim.ni.control.ControlWriter;
import org.grim.ni.deadline.RoundTrip;
import org.grim.ni.event.PeerState;

/**
 * An NI's state of another NI with which it exchanges messages. Idle pairs of NIs have none and take no memory.
 * <p>An NI's epoch towards a peer is its own epoch and, behind it, how often it has given that peer up: a side that
 * forgets what was under way shows it by a later epoch, and the other forgets, too.
 * <p>Thread: the board's stepper.
 */
public final class Peer extends ControlQueue.Entry
{
    final int ni;
    final int address;
    final RoundTrip roundTrip = new RoundTrip();
    PeerState state = PeerState.UNKNOWN;
    long epoch;                         // The peer's towards this NI; 0 for unknown.
    long ownEpoch;
    boolean isConfirmed;                // The peer has shown that it knows ownEpoch.
    int callCount;                      // Questions put since a sign of life.
    boolean isHeldBack;                 // At the last deadline the last question had not left.
    long heldBackNs;                    // When that was seen first.
    long transmissionCount;
    long answeredTransmission;          // All transmissions up to it have been answered, if they ever will be.
    SendTriple sendTriples;
    ReceiveTriple receiveTriples;
    int quarantineHead = MessageRecord.NO_TOKEN;
    int quarantineTail = MessageRecord.NO_TOKEN;
    int inFlightCount;
    private boolean isAnnouncementDue;
    private int echo;                   // The peer's last question.
    private int pendingEcho;               // The one that the next announcement answers.
    private int probe;
    private long probedTransmission;
    private boolean isProbing;

    Peer(final int ni, final int address, final int niEpoch)
    {
        this.ni = ni;
        this.address = address;
        ownEpoch = (long)niEpoch << Integer.SIZE;
    }

    /** {@return its number; NI number} */
    public int ni()
    {
        return ni;
    }

    /** {@return how this NI stands to it} */
    public PeerState state()
    {
        return state;
    }

    @Override
    protected boolean isOwing()
    {
        return isAnnouncementDue;
    }

    @Override
    protected boolean isUrgent()
    {
        return true;
    }

    @Override
    protected int destinationNi()
    {
        return ni;
    }

    @Override
    protected int write(final ControlWriter writer)
    {
        final int length = writer.announce(address, ownEpoch, epoch, !isConfirmed || isProbing, probe, pendingEcho);
        isAnnouncementDue = pendingEcho != echo;          // Asked again meanwhile: that answer's place is further back.
        pendingEcho = echo;
        return length;
    }

    /** Notes that it must learn this NI's epoch. */
    void oweAnnouncement()
    {
        if (!isAnnouncementDue)
        {
            isAnnouncementDue = true;
            pendingEcho = echo;
        }
    }

    /**
     * It is asked, and its answer will prove that everything sent before has been answered. A question that is not
     * answered yet is put again as it was: an answer that takes longer than the patience to ask again must count.
     */
    void ask()
    {
        if (!isProbing)
        {
            isProbing = true;
            probe++;
            probedTransmission = transmissionCount;
        }
        oweAnnouncement();
    }

    /** Notes that the peer has asked a question, and answered one. */
    void onProbe(final int question, final int answeredProbe)
    {
        echo = question;
        if (isProbing && answeredProbe == probe)
        {
            isProbing = false;
            onAnswered(probedTransmission);
        }
    }

    boolean isProbing()
    {
        return isProbing;
    }

    /** An answer to a transmission has come: as the wire keeps order, none to an earlier one will. */
    void onAnswered(final long transmission)
    {
        answeredTransmission = Math.max(answeredTransmission, transmission);
    }

    /** A sign of life: what it has not answered is late. */
    void heard()
    {
        callCount = 0;
    }

    /** Messages under way are forgotten. */
    void forget()
    {
        isConfirmed = false;
        isHeldBack = false;
        isProbing = false;
        sendTriples = null;
        receiveTriples = null;
        inFlightCount = 0;
        callCount = 0;
        answeredTransmission = transmissionCount;
    }
}
