// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.event.Outcome;

/**
 * State of one message from the time it is taken from a channel's queue until it is freed there. The bytes stay in the
 * queue. Entry of a channel's fixed ring; changes by verbs.
 * <p>Thread: the board's stepper.
 */
public final class MessageRecord
{
    static final int NO_TOKEN = -1;

    final ChannelWindow channel;
    int position;
    int endPosition;
    int index;
    int length;
    SendTriple triple;
    MessageRecord following;            // Of the same triple.
    int token = NO_TOKEN;
    int sequence;
    long firstTransmission;             // Number of the peer's transmission with which the token first left.
    long lastTransmission;
    long sentNs;
    int transmissionCount;
    boolean isHeld;                     // Was cut, and waits for its host to complete it.
    Outcome outcome;                          // Null until it is known.

    MessageRecord(final ChannelWindow channel)
    {
        this.channel = channel;
    }

    /** A message was taken from the queue. */
    void taken(final int takenPosition, final int takenEndPosition, final int takenIndex, final int takenLength)
    {
        position = takenPosition;
        endPosition = takenEndPosition;
        index = takenIndex;
        length = takenLength;
        triple = null;
        following = null;
        token = NO_TOKEN;
        transmissionCount = 0;
        isHeld = false;
        outcome = null;
    }

    /** Whether it has left, whole. */
    boolean mayHaveArrived()
    {
        return transmissionCount > 0 && !isHeld;
    }

    /** Notes that the message leaves, under the token that it holds. */
    void sent(final long transmission, final int sentSequence, final long nowNs, final boolean isFirstOfToken)
    {
        sequence = sentSequence;
        lastTransmission = transmission;
        if (isFirstOfToken)
        {
            firstTransmission = transmission;
        }
        sentNs = nowNs;
        transmissionCount++;
    }

    /** {@return whether its outcome is known; true if its bytes may be overwritten} */
    public boolean isSettled()
    {
        return outcome != null;
    }

    /** {@return where the message stands in SRAM; index of its header} */
    public int index()
    {
        return index;
    }

    /** {@return its bytes; header and padded payload} */
    public int length()
    {
        return length;
    }

    /** {@return its place in the channel's queue; free-running bytes} */
    public int position()
    {
        return position;
    }

    /** {@return the NI that it goes to; NI number} */
    public int destinationNi()
    {
        return triple.peer.ni;
    }

    /** {@return the channel that it comes from; channel number} */
    public int channel()
    {
        return channel.channel();
    }

    /** {@return what its header must carry; token of the transmission that was begun} */
    public int token()
    {
        return token;
    }

    /** {@return what its header must carry; sequence of the transmission that was begun} */
    public int sequence()
    {
        return sequence;
    }
}
