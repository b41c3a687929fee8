// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.control.ControlQueue;
import org.grim.ni.control.ControlWriter;
import org.grim.ni.window.ReceiveWindow;
import org.grim.wire.MessageType;

/**
 * The receiver's state for one (source NI, source channel, destination channel): the sequence it expects, and the
 * answer that it owes. An answer stands for those to earlier messages of its triple, so that one place per triple is
 * enough; nothing is accepted behind a refusal for good before its sender knows of it.
 * <p>Thread: the board's stepper.
 */
public final class ReceiveTriple extends ControlQueue.Entry
{
    final int sourceNi;
    final int sourceChannel;
    final ReceiveTriple followingOfPeer;
    private final ReceiveWindow window;
    private MessageType answer;
    private int answerToken;
    private int answerSequence;
    private int answeringAddress;
    private boolean isForgotten;

    ReceiveTriple(
        final int sourceNi, final int sourceChannel, final ReceiveWindow window, final ReceiveTriple followingOfPeer)
    {
        this.sourceNi = sourceNi;
        this.sourceChannel = sourceChannel;
        this.window = window;
        this.followingOfPeer = followingOfPeer;
    }

    /** {@return the sequence that it expects} */
    public ReceiveWindow window()
    {
        return window;
    }

    /** Whether the answer that it owes is a refusal for good. */
    boolean isDenialPending()
    {
        return answer == MessageType.REFUSED;
    }

    /** Whether its epoch is over: a message of it that is still handed to the host is not answered. */
    boolean isForgotten()
    {
        return isForgotten;
    }

    void owe(final MessageType type, final int token, final int sequence, final int address)
    {
        answer = type;
        answerToken = token;
        answerSequence = sequence;
        answeringAddress = address;
    }

    /** Its epoch is past. */
    void forget()
    {
        isForgotten = true;
    }

    @Override
    protected boolean isOwing()
    {
        return answer != null;
    }

    @Override
    protected boolean isUrgent()
    {
        return false;
    }

    @Override
    protected int destinationNi()
    {
        return sourceNi;
    }

    @Override
    protected int write(final ControlWriter writer)
    {
        final MessageType type = answer;
        answer = null;
        return writer.answer(type, answerToken, answerSequence, sourceChannel, answeringAddress);
    }
}
