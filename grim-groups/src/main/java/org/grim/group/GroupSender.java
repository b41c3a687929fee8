// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.agrona.DirectBuffer;
import org.grim.HandlerId;
import org.grim.SendStatus;

/**
 * A node's link to a group that it need not belong to: it sends multicasts and gets none. They go to the group's owner,
 * who sends them to the members of its latest epoch; handlers see this node as the source.
 * <p>Flow control: the owner has at most 256 KiB of a sender that have not gone to all members, or one longer message;
 * then a send is {@link SendStatus#BACK_PRESSURED}. So a member that does not poll holds up such senders, too.
 * <p>When the owner leaves or dies this node looks for the next one, while it polls; sends are {@link
 * SendStatus#BACK_PRESSURED} until then. Messages that the old owner had not reported as sent to all members may have
 * come to all, some or none of them: they are counted ({@code multicasts-lost}), and nothing is sent twice. A long one
 * of which some is still here begins again. When the last member has left, sends are {@link SendStatus#PEER_GONE}; a
 * later group of the name gets later messages.
 * <p>If this node is a member, too, it gets its own messages once, as the others do; those sent by this and by its
 * {@link Group} have no order between them.
 * <p>Thread: the host endpoint's owner; not in handlers, but for multicasts.
 */
public interface GroupSender extends AutoCloseable
{
    /** {@return name of the group in the cluster} */
    String name();

    /**
     * Sends an active message to every member; those of one sender arrive in order. One above 32 KiB is copied and goes
     * in fragments, as there is room.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@link #multicastLengthMax()}.
     * @return {@link SendStatus#SENT} or {@link SendStatus#QUEUED} if it is on its path to the owner; {@link
     *     SendStatus#BACK_PRESSURED} if the owner has as much as it takes, is not known now, or an earlier message
     *     still waits here; {@link SendStatus#PEER_GONE} if no node belongs to the group; {@link SendStatus#CLOSED}
     *     after {@link #close()}, or if this node has left the cluster. After these nothing was sent.
     * @throws IllegalArgumentException if the length is out of range.
     */
    SendStatus multicast(
        HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);

    /**
     * As {@link #multicast}, in one order with the messages that members send by {@link Group#multicastInTotalOrder}.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@link #multicastLengthMax()}.
     * @return as {@link #multicast}.
     * @throws IllegalArgumentException if the length is out of range.
     */
    SendStatus multicastInTotalOrder(
        HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);

    /** {@return most payload bytes of a multicast: {@code grim.message.length-max} here, or at the owner if less} */
    int multicastLengthMax();

    /**
     * Ends this sender. Waits for 2 s at most until the owner has sent everything to all members; what it has not, or
     * did not report, is counted ({@code multicasts-lost}).
     *
     * @throws IllegalStateException inside a handler; nothing has happened then.
     */
    @Override
    void close();
}
