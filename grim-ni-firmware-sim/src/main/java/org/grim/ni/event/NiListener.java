// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.event;

import org.grim.wire.MessageType;

/**
 * Listener for an NI's actions, message by message: for traces, checkers and tools. It must not call the NI back.
 * <p>Thread: the board's stepper.
 */
public interface NiListener
{
    /** Listens to nothing. */
    NiListener NONE = new NiListener()
    {
    };

    /**
     * A message begins to leave.
     *
     * @param channel            it comes from.
     * @param position           free-running position in the channel's queue.
     * @param destinationNi      it goes to.
     * @param destinationChannel it goes to.
     * @param sequence           it carries.
     * @param token              it carries.
     * @param isRepeated         whether it left before.
     */
    default void onTransmitted(
        final int channel, final int position, final int destinationNi, final int destinationChannel,
        final int sequence, final int token, final boolean isRepeated)
    {
    }

    /**
     * An answer has come and counts.
     *
     * @param type               of the answer.
     * @param channel            that sent the message.
     * @param destinationNi      that answers.
     * @param destinationChannel that the message went to.
     * @param sequence           of the message.
     * @param token              of the message.
     */
    default void onAnswered(
        final MessageType type, final int channel, final int destinationNi, final int destinationChannel,
        final int sequence, final int token)
    {
    }

    /**
     * A triple will send again from its oldest message on.
     *
     * @param channel            that sends.
     * @param destinationNi      it sends to.
     * @param destinationChannel it sends to.
     * @param messageCount       how many had left and will leave again.
     * @param isTimeOut          true after a time-out, false after a NACK or a refusal for good.
     */
    default void onRolledBack(
        final int channel, final int destinationNi, final int destinationChannel, final int messageCount,
        final boolean isTimeOut)
    {
    }

    /**
     * The outcome of a message is known.
     *
     * @param channel  that held it.
     * @param position free-running position in the channel's queue.
     * @param outcome     of the message.
     */
    default void onSettled(final int channel, final int position, final Outcome outcome)
    {
    }

    /**
     * A message that its host still wrote was begun and cut. It will be sent from its start when it is complete.
     *
     * @param channel  that holds it.
     * @param position free-running position in the channel's queue.
     */
    default void onHeld(final int channel, final int position)
    {
    }

    /** A message was handed to the host. */
    default void onAccepted(
        final int sourceNi, final int sourceChannel, final int destinationChannel, final int sequence)
    {
    }

    /**
     * A packet from the wire was dropped.
     *
     * @param sourceNi it came from, or -1 if it does not say.
     * @param reason   for it.
     */
    default void onDropped(final int sourceNi, final DropReason reason)
    {
    }

    /** A peer changed its state. */
    default void onPeer(final int ni, final PeerState state)
    {
    }

    /** A local subscriber has a multicast. */
    default void onMulticastDelivered(final int channel)
    {
    }

    /** Reports that the NI, as root of a tree, has given a message its ticket. */
    default void onTicket(final int tree, final int epoch, final int ticket)
    {
    }

    /**
     * A child of the NI in a tree is gone: it gets nothing more in this epoch.
     *
     * @param tree  number of it.
     * @param epoch of it.
     * @param child NI number.
     */
    default void onChildCut(final int tree, final int epoch, final int child)
    {
    }

    /**
     * A channel was stopped for good.
     *
     * @param channel that was stopped.
     * @param reason  status that its registers show.
     */
    default void onChannelStopped(final int channel, final int reason)
    {
    }
}
