// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.grim.EndpointId;

/**
 * One way of moving messages between nodes, opened for one node.
 * <p>Thread: {@link #connect} and {@link #close()} any, one at a time; {@link #attach} and {@link #housekeep} the
 * thread that owns the channel.
 */
public interface Transport extends AutoCloseable
{
    /**
     * As the configuration names it.
     *
     * @return the name.
     */
    String name();

    /**
     * Returns whether this transport leads to a node.
     *
     * @param node its number.
     * @return true if {@link #connect} can succeed now.
     */
    boolean reaches(int node);

    /**
     * Makes a path to an endpoint.
     *
     * @param sourceChannel that the messages come from.
     * @param destination   whose node is reached.
     * @return the next hop.
     * @throws org.grim.GrimException if the destination cannot be reached; the text says why.
     */
    Hop connect(int sourceChannel, EndpointId destination);

    /**
     * Begins delivery of a channel's arrivals to a loop.
     *
     * @param channel one of this node's, attached to no other loop.
     * @param queues  of the loop.
     */
    void attach(int channel, ArrivalQueues queues);

    /**
     * Notes that the loop of a channel is about to sleep, or wakes. A sender that publishes to a sleeping channel rings
     * its doorbell.
     *
     * @param channel attached by the calling thread.
     * @param bell    number of the doorbell: the first channel of its endpoint; -1 for awake.
     */
    void asleep(int channel, int bell);

    /**
     * Does the slow work of one channel: notices deaths, takes back room. Bounded; called some times per 100 ms.
     *
     * @param channel attached by the calling thread.
     * @param epochMs now, for tools.
     * @return pieces of work done.
     */
    int housekeep(int channel, long epochMs);

    /**
     * Returns an extension for applications beyond this interface.
     *
     * @param type interface of the transport's module.
     * @param <T>  the same.
     * @return an object that is valid until {@link #close()}; null if there is none.
     */
    default <T> T extension(final Class<T> type)
    {
        return null;
    }

    /**
     * Makes the remote-memory half of a path.
     *
     * @param sourceChannel that the operations come from.
     * @param destination   whose node's memory is reached.
     * @param hop           the path that {@link #connect} made between the same channels, whose order it shares.
     * @return the remote-memory hop, which must be closed before the path.
     * @throws org.grim.GrimException if the peer's memory cannot be reached; the text says why.
     */
    MemoryHop connectMemory(int sourceChannel, EndpointId destination, Hop hop);

    /**
     * Returns whether a node that this transport reaches maps files of this node: it can read long messages in place.
     *
     * @param node its number.
     * @return true if it is this node or one of the same host and user.
     */
    default boolean sharesMemory(final int node)
    {
        return false;
    }

    /**
     * Returns whether messages that came from a node which is gone may still be unread: what they refer to is kept.
     * Called by any thread.
     *
     * @param node        its number.
     * @param incarnation of it, which has ended.
     * @return false if no message of it will be delivered any more.
     */
    default boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        return false;
    }

    /**
     * Memory that this node has to register its regions in, so that the transport's hardware reaches it.
     *
     * @return the same object each time; null if the transport takes any memory.
     */
    default PinnedArena pinnedArena()
    {
        return null;
    }

    /**
     * The node's memory is ready; called once, after all transports were opened.
     *
     * @param pages that answer questions about it.
     */
    default void memoryReady(final RegisteredPages pages)
    {
        // A transport that takes any memory has no questions.
    }

    /**
     * The node leaves in order, and nobody polls a channel any more: has senders learn how far it was read, so that
     * {@link Hop#unknownCount()} of their hops is 0. Called before {@link #close()} by any thread, also inside a
     * handler of the channel: then nothing more of it is handed over. Not called for a channel whose owner does not
     * return from a handler.
     *
     * @param channel of this node, attached or not.
     */
    default void leave(final int channel)
    {
        // A transport whose senders learn of each message when it is read has nothing left to say.
    }

    /** Leaves: unmaps everything, removes this node's files. All loops have stopped. */
    @Override
    void close();
}
