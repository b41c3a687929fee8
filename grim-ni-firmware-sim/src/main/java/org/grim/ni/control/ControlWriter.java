// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.control;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Action;
import org.grim.ni.board.ActionMeter;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageType;

/** Writes control messages, one at a time, into a buffer of its own. Thread: the board's stepper. */
public final class ControlWriter
{
    private final AtomicBuffer buffer = Buffers.wrap(new byte[SynchroniseMessage.LENGTH]);
    private final ControlMessage answer = new ControlMessage().wrap(buffer, 0);
    private final SynchroniseMessage announcement = new SynchroniseMessage().wrap(buffer, 0);
    private final ActionMeter meter;
    private final int ownAddress;

    /**
     * A writer for one NI.
     *
     * @param meter      to charge.
     * @param ownAddress node and device of the first endpoint that the NI serves: it signs announcements.
     */
    public ControlWriter(final ActionMeter meter, final int ownAddress)
    {
        this.meter = meter;
        this.ownAddress = ownAddress;
    }

    /** {@return what was written last: the message, from index 0} */
    DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Writes an answer to a message.
     *
     * @param type          of the answer.
     * @param token         that the message carried.
     * @param sequence      that the message carried.
     * @param sourceChannel that the message came from.
     * @param address       node and device that answer.
     * @return its length.
     */
    public int answer(
        final MessageType type, final int token, final int sequence, final int sourceChannel, final int address)
    {
        meter.spend(Action.MAKE_ANSWER);
        answer.put(type, token, sequence, sourceChannel, address);
        return ControlMessage.LENGTH;
    }

    /**
     * Writes an announcement.
     *
     * @param destinationAddress of a node of the NI that it is for.
     * @param ownEpoch           of this NI towards it.
     * @param knownEpoch         of that NI; 0 for unknown.
     * @param isAnswerWanted     whether it is to announce itself.
     * @param probe              number of this NI's last question.
     * @param echo               number of that NI's last question.
     * @return its length.
     */
    public int announce(
        final int destinationAddress, final long ownEpoch, final long knownEpoch, final boolean isAnswerWanted,
        final int probe, final int echo)
    {
        meter.spend(Action.MAKE_ANSWER);
        announcement.put(ownAddress, destinationAddress, ownEpoch, knownEpoch, isAnswerWanted, probe,
            echo);
        return SynchroniseMessage.LENGTH;
    }
}
