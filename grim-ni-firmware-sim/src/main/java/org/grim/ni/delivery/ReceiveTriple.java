// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.wire.MessageType;

/**
 * The receiver's state for one (source NI, source channel, destination channel): the sequence it expects, and the
 * answers that it owes. A later answer of a triple stands for the earlier ones, so that one place per triple is enough;
 * a refusal is not what a later ACK says, and has a place of its own.
 * <p>Thread: the board's stepper.
 */
public final class ReceiveTriple extends ControlQueue.Entry
{
    final Peer peer;
    final int sourceChannel;
    final ReceiveTriple followingOfPeer;
    private final ReceiveWindow window;
    private MessageType answer;
    private int answerToken;
    private int answerSequence;
    private boolean isRefusalOwed;
    private int refusalToken;
    private int refusalSequence;
    private int answeringAddress;

    ReceiveTriple(
        final Peer peer, final int sourceChannel, final ReceiveWindow window, final ReceiveTriple followingOfPeer)
    {
        this.peer = peer;
        this.sourceChannel = sourceChannel;
        this.window = window;
        this.followingOfPeer = followingOfPeer;
    }

    /**
     * The sequence that it expects.
     *
     * @return the window.
     */
    public ReceiveWindow window()
    {
        return window;
    }

    /**
     * Whether the report of a refused operation has not left yet.
     *
     * @return true if another refusal has no place.
     */
    public boolean isRefusalOwed()
    {
        return isRefusalOwed;
    }

    void owe(final MessageType type, final int token, final int sequence, final int address)
    {
        answeringAddress = address;
        if (type == MessageType.REFUSED)
        {
            isRefusalOwed = true;
            refusalToken = token;
            refusalSequence = sequence;
            answer = null;                  // It settles what went before, as an ACK does.
            return;
        }
        answer = type;
        answerToken = token;
        answerSequence = sequence;
    }

    /** What it owes is for an epoch that is past. */
    void forget()
    {
        answer = null;
        isRefusalOwed = false;
    }

    /** Forgets a refusal that was not sent: what a careless control queue would do. */
    void overwriteRefusal()
    {
        isRefusalOwed = false;
    }

    @Override
    boolean isOwing()
    {
        return isRefusalOwed || answer != null;
    }

    @Override
    int destinationNi()
    {
        return peer.ni;
    }

    @Override
    int write(final ControlWriter writer)
    {
        if (isRefusalOwed)
        {
            isRefusalOwed = false;
            return writer.answer(MessageType.REFUSED, refusalToken, refusalSequence, sourceChannel, answeringAddress);
        }
        final MessageType type = answer;
        answer = null;
        return writer.answer(type, answerToken, answerSequence, sourceChannel, answeringAddress);
    }
}
