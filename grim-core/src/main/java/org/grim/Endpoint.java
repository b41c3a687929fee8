// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.channels.Selector;
import java.util.Objects;
import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/**
 * A sender and receiver: some of a node's logical channels, the links that go out from them, and the loop that polls
 * them.
 * <p>Thread: one, the owner: the first that sends or polls, or that {@link #bind() says} so. Other threads open an
 * endpoint of their own ({@link Grim#openEndpoint}), or send on a {@link SharedLink}. A second thread gets an
 * {@link IllegalStateException}.
 * <p>Owns: its links and overflow queues, until it is closed or the node leaves the cluster.
 */
public interface Endpoint extends AutoCloseable
{
    /** {@return name of this endpoint on its first channel} */
    EndpointId id();

    /**
     * Returns the link to an endpoint, from this endpoint's channel of the same number if it has one, else from its
     * first channel. Made at the first call, which may take milliseconds; then cached.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    Link link(EndpointId destination);

    /**
     * Returns the link to a node's host CPU, on channel 0; see {@link #link(EndpointId)}.
     *
     * @param node to reach.
     * @return the link.
     * @throws GrimException if the node is gone, or cannot be reached.
     */
    default Link link(final NodeInfo node)
    {
        return link(Objects.requireNonNull(node, "node").endpoint());
    }

    /**
     * Returns the link to an endpoint from one of this endpoint's channels.
     *
     * @param sourceChannel that replies come to.
     * @param destination   endpoint and channel.
     * @return the link.
     * @throws GrimException            if the destination is unknown, gone, or cannot be reached.
     * @throws IllegalArgumentException if the channel is not this endpoint's.
     */
    Link link(int sourceChannel, EndpointId destination);

    /**
     * Makes a link to an endpoint that several threads may send on. Each call makes a new one, with an order of its
     * own. Handlers that use it get {@link SendStatus#BACK_PRESSURED} instead of the overflow queue.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    SharedLink sharedLink(EndpointId destination);

    /**
     * Runs the handlers of what has arrived, as far as the configured drain limits go. Returns at once when a
     * collective operation of a group has ended: its caller goes on before more is looked for.
     *
     * @return pieces of work done; 0 means idle.
     */
    int poll();

    /**
     * Runs the handlers of what has arrived.
     *
     * @param limit most messages to handle, 1 or more.
     * @return pieces of work done; 0 means idle.
     * @throws IllegalArgumentException if the limit is below 1.
     * @throws IllegalStateException    inside a handler, or from a thread that is not the owner; but not after the node
     *                                  has left.
     */
    int poll(int limit);

    /**
     * The endpoint's loop, for an {@link org.agrona.concurrent.AgentRunner} or invoker, whose thread becomes the owner.
     *
     * @return an agent whose duty cycle polls once.
     */
    Agent agent();

    /**
     * Returns an idle strategy for the thread that polls this endpoint: spins, yields, and then sleeps on the doorbell,
     * according to the cores that this process may use and the nodes of the cluster.
     *
     * @return a new one, for the owner's thread only.
     */
    IdleStrategy idleStrategy();

    /**
     * The bell that senders ring while this endpoint sleeps.
     *
     * @return the same object each time; the socket behind it is made when it is first used.
     */
    Endpoint.Doorbell doorbell();

    /**
     * Makes a claim, for {@link Link#tryClaim} of any endpoint's links. Make few, and use them again.
     *
     * @return a new one, not open.
     */
    FrameClaim newClaim();

    /**
     * Makes a stream, for {@link Link#tryOpenStream} of any endpoint's links. Make few, and use them again.
     *
     * @return a new one, not open.
     */
    MessageStream newStream();

    /**
     * Makes a completion for requests of this endpoint. Make few, and use them again.
     *
     * @return a new one, not in use.
     */
    default Reply newReply()
    {
        return newReply(null);
    }

    /**
     * Makes a completion for requests of this endpoint whose listener runs when each has ended.
     *
     * @param listener run on the owner's thread, as a handler is, when a request has ended; not for those that end
     *                 because this endpoint is closed. It may use the reply for the next request. Null for none.
     * @return a new one, not in use.
     */
    Reply newReply(Consumer<Reply> listener);

    /**
     * Says who learns that nodes are available: that they have called {@link Grim#start()}. Replaces an earlier
     * listener. It learns of those that are available now, and then of each further one and each that comes back, once
     * per incarnation, and after {@link #onNodeGone} of the one before; not of this node.
     *
     * @param listener run on the owner's thread while it polls, {@code grim.liveness.interval} late at most; must not
     *                 poll or block.
     */
    void onNodeUp(Consumer<NodeInfo> listener);

    /**
     * Says who learns that nodes left or died; replaces an earlier listener.
     *
     * @param listener run on the owner's thread.
     */
    void onNodeGone(Endpoint.NodeGoneListener listener);

    /**
     * Registered memory, and remote memory in one order with this endpoint's messages.
     *
     * @return the same object each time.
     */
    RemoteMemory memory();

    /** {@return messages and remote-memory operations that wait in this endpoint's overflow queues} */
    int overflowDepth();

    /**
     * Makes the calling thread the owner, before it sends or polls.
     *
     * @throws IllegalStateException if another thread is the owner, or the endpoint is closed.
     */
    void bind();

    /**
     * Gives the endpoint to the next thread that uses it. Only when the present owner no longer does.
     */
    void releaseOwnership();

    /**
     * Closes an endpoint that {@link Grim#openEndpoint} opened; its channels can be opened again, by any thread.
     * Streams are aborted; kept messages end. Messages in overflow queues are sent, for 2 s at most, while handlers run
     * as in {@link #poll()}; what still waits then counts as undelivered. Messages above the MTU that are arriving in
     * parts end: their handlers learn it, and so do their senders, where not all has been sent yet.
     * <p>Peers see nothing of it: their links stay good, what they send waits in the channels' queues
     * ({@link SendStatus#BACK_PRESSURED} when these are full) and is handled by the next endpoint there. The links of
     * that one are new: their messages have no order with those of this one's.
     * <p>Afterwards: as after {@link Grim#close()}: sends are {@link SendStatus#CLOSED}, polls do nothing, reads of
     * remote memory have ended; what has no such answer throws an {@link IllegalStateException} that says that the
     * endpoint is closed. Does nothing the second time, or when the node has left.
     *
     * @throws IllegalStateException if this is the host's endpoint, which {@link Grim#close()} closes; inside a
     *                               handler; if a claim is open; from a thread that is not the owner. Nothing has
     *                               happened then.
     */
    @Override
    void close();

    /**
     * Learns that a node left or died.
     * <p>Thread: the owner of the endpoint that it was given to, while it polls. Must not poll or block.
     */
    @FunctionalInterface
    interface NodeGoneListener
    {
        /**
         * A node is gone. Every message that this endpoint sent to it, also on shared links, was handled there, or is
         * in one of the two figures. Its messages that had arrived here were handled before, unless other nodes keep a
         * queue that it shared with them full for 1 s.
         *
         * @param node        as the directory had it, with {@link NodeInfo#goneReason()}.
         * @param undelivered accepted messages that it certainly did not handle: they waited in the overflow queue, a
         *                    hop refused them, or it left in order and had not read them.
         * @param unknown     messages that may have stood in its receive queues when it died, of which it is not known
         *                    whether it handled them; 0 if it left in order, except on paths of several hops: there it
         *                    is at most as many as its queues held unread.
         */
        void onNodeGone(NodeInfo node, long undelivered, long unknown);

        /**
         * A path to a node that may still be up was lost, because a hop of it has gone. Every message that
         * this endpoint sent on that path was handled there, or is in one of the two figures. The next {@link
         * Endpoint#link} looks for another path.
         *
         * @param node        as the directory has it.
         * @param undelivered accepted messages that never reached it.
         * @param unknown     accepted messages of which it is not known whether they reached it.
         */
        default void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
        {
            // The figures are counted for tools, too.
        }
    }

    /**
     * Lets an endpoint sleep in a selector of the application's own, such that no message is missed (decision 08).
     * <p>Thread: the endpoint's owner.
     */
    interface Doorbell
    {
        /**
         * Has a selector wait for this doorbell, instead of the one before: it ends its select when a process sends to
         * this endpoint while it sleeps, when the endpoint is closed, and when the node leaves. The keys that it finds
         * ready then have this doorbell as their attachment; leave them alone. Without a file descriptor for the bell
         * the selector waits for nothing, which is reported to the error handler; the next call tries again.
         *
         * @param selector of the provider of {@link java.nio.channels.SocketChannel}s of the Unix domain.
         * @throws IllegalStateException if the endpoint is closed, or the node has left.
         */
        void listen(Selector selector);

        /**
         * Asks senders to ring from now on: for messages, and for notification words, signals and atomic operations in
         * this node's registered memory that come by a link to this endpoint. If the answer is true, the owner may
         * select, for 100 ms at most, and must call {@link #awake()} before it polls again. A caller that waits for a
         * word looks at it once more before the select.
         *
         * @return false if something has arrived, waits in the overflow queue or has to be reported: poll instead.
         * @throws IllegalStateException if the endpoint is closed, or the node has left.
         */
        boolean prepareToSleep();

        /** Ends what {@link #prepareToSleep()} began, whether the bell was rung or not. */
        void awake();
    }

    /**
     * The common part of a {@link Link} and a {@link SharedLink}: they send whole messages to one endpoint.
     * <p>Thread: as the link's. Never blocks; but for texts, allocates nothing after the first messages.
     */
    interface Sender
    {
        /** {@return where the messages go: the name of the endpoint} */
        EndpointId destination();

        /**
         * Most payload bytes that go in one piece on this link: its MTU. A longer message, up to
         * {@code grim.message.length-max}, is as welcome; it costs more, and the receiver has to have room for it.
         *
         * @return bytes.
         */
        int payloadLengthMax();

        /**
         * Sends a payload; see {@link #send(HandlerId, int, int, int, int, DirectBuffer, int, int)}.
         *
         * @param handler to run there.
         * @param source  holding the payload; free for reuse on return.
         * @param offset  first byte of the payload.
         * @param length  bytes of the payload, 0 to {@code grim.message.length-max}.
         * @return what became of it.
         */
        SendStatus send(HandlerId handler, DirectBuffer source, int offset, int length);

        /**
         * Sends four arguments without a payload.
         *
         * @param handler to run there.
         * @param a0      argument 0.
         * @param a1      argument 1.
         * @param a2      argument 2.
         * @param a3      argument 3.
         * @return what became of it.
         */
        SendStatus send(HandlerId handler, int a0, int a1, int a2, int a3);

        /**
         * Sends a text, which the receiver has as {@link ActiveMessage#text()}. Allocates its bytes.
         *
         * @param handler to run there.
         * @param text    to send, in UTF-8.
         * @return what became of it.
         */
        SendStatus send(HandlerId handler, String text);

        /**
         * Sends four arguments and a text. Allocates its bytes.
         *
         * @param handler to run there.
         * @param a0      argument 0.
         * @param a1      argument 1.
         * @param a2      argument 2.
         * @param a3      argument 3.
         * @param text    to send, in UTF-8.
         * @return what became of it.
         */
        SendStatus send(HandlerId handler, int a0, int a1, int a2, int a3, String text);

        /**
         * Sends an active message, copying the payload once, into the next hop. A payload above the MTU is copied to
         * where the receiver reads it in place, if both sides share memory; else to the overflow queue
         * ({@link SendStatus#QUEUED}), from where it leaves in parts while the endpoint polls; all of it or nothing.
         *
         * @param handler to run there.
         * @param a0      argument 0.
         * @param a1      argument 1.
         * @param a2      argument 2.
         * @param a3      argument 3.
         * @param source  holding the payload; may be null if {@code length} is 0. Free for reuse on return.
         * @param offset  first byte of the payload.
         * @param length  bytes of the payload, 0 to {@code grim.message.length-max}.
         * @return what became of it.
         * @throws IllegalArgumentException  if the length is out of range.
         * @throws IllegalStateException     if the handler has no number yet.
         * @throws IndexOutOfBoundsException if the payload does not lie within its buffer; nothing has happened.
         * @throws org.grim.GrimException   if a long payload is above what the overflow queue can ever hold, or, in a
         *                                  handler, holds now: {@code sendBlocking} and streams do not need it.
         */
        SendStatus send(HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);
    }
}
