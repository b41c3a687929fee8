// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.wire.MessageType;

/**
 * The receiving half of reliable delivery: which message of a triple is next, and what each is answered. Answers go to
 * the control queue, so that accepting a message never waits for the outgoing link.
 * <p>Thread: the board's stepper. Allocates only when a triple is used for the first time.
 */
public final class ReliableReceiver
{
    private final DeliveryState state;
    private final Synchroniser synchroniser;

    ReliableReceiver(final DeliveryState state, final Synchroniser synchroniser)
    {
        this.state = state;
        this.synchroniser = synchroniser;
    }

    /**
     * The state of a triple, which comes into being with its first message.
     *
     * @param sourceNi           that sends, and is confirmed.
     * @param sourceChannel      that it comes from.
     * @param destinationChannel that it is for.
     * @return the triple.
     */
    public ReceiveTriple triple(final int sourceNi, final int sourceChannel, final int destinationChannel)
    {
        ReceiveTriple triple = state.table().receiveTriple(sourceNi, sourceChannel, destinationChannel);
        if (triple == null)
        {
            final Peer peer = synchroniser.peer(sourceNi);
            triple = new ReceiveTriple(sourceNi, sourceChannel,
                state.limits().space().receiveWindow(), peer.receiveTriples);
            state.table().add(peer, triple, destinationChannel);
        }
        return triple;
    }

    /**
     * A message was handed to the host.
     *
     * @param triple           that it belongs to.
     * @param token            that it carried.
     * @param sequence         that it carried.
     * @param answeringAddress node and device that answer.
     */
    public void accept(final ReceiveTriple triple, final int token, final int sequence, final int answeringAddress)
    {
        triple.window().accept(sequence);
        answer(triple, MessageType.ACK, token, sequence, answeringAddress);
    }

    /**
     * A message can never be executed: it is refused for good.
     *
     * @param triple           that it belongs to.
     * @param token            that it carried.
     * @param sequence         that it carried.
     * @param answeringAddress node and device that answer.
     */
    public void deny(final ReceiveTriple triple, final int token, final int sequence, final int answeringAddress)
    {
        triple.window().deny(sequence);
        answer(triple, MessageType.REFUSED, token, sequence, answeringAddress);
    }

    /**
     * A copy of the message that was refused for good has come.
     *
     * @param triple           that it belongs to.
     * @param token            that it carried.
     * @param sequence         that it carried.
     * @param answeringAddress node and device that answer.
     */
    public void denyAgain(final ReceiveTriple triple, final int token, final int sequence, final int answeringAddress)
    {
        answer(triple, MessageType.REFUSED, token, sequence, answeringAddress);
    }

    /**
     * A copy of an accepted message has come.
     *
     * @param triple           that it belongs to.
     * @param token            that it carried.
     * @param sequence         that it carried.
     * @param answeringAddress node and device that answer.
     */
    public void acceptAgain(
        final ReceiveTriple triple, final int token, final int sequence, final int answeringAddress)
    {
        if (!triple.isDenialPending())         // That stands for all before it; an ACK would not stand for it.
        {
            answer(triple, MessageType.ACK, token, sequence, answeringAddress);
        }
    }

    /**
     * The expected message has come, and the destination has no room.
     *
     * @param triple           that it belongs to.
     * @param token            that it carried.
     * @param sequence         that it carried.
     * @param answeringAddress node and device that answer.
     */
    public void refuse(final ReceiveTriple triple, final int token, final int sequence, final int answeringAddress)
    {
        answer(triple, MessageType.NACK, token, sequence, answeringAddress);
    }

    private void answer(
        final ReceiveTriple triple, final MessageType type, final int token, final int sequence, final int address)
    {
        if (!triple.isForgotten())
        {
            triple.owe(type, token, sequence, address);
            state.controls().add(triple);
        }
    }
}
