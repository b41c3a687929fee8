// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Handlers by name. Each name gets one id for the whole cluster, from the node that keeps the cluster's database;
 * messages carry the id. Requests to the keeper travel as active messages while the host endpoint polls.
 * <p>Thread: any. {@link Grim#start()} and {@link #resolve} poll the host endpoint themselves if the caller owns it
 * or nobody does, and otherwise wait for its owner to poll. Not for handlers, but for {@link #id} and
 * {@link #tryResolve}.
 */
public interface HandlerRegistry
{
    /** Longest name of a handler, in bytes of UTF-8. */
    int NAME_LENGTH_MAX = 200;

    /**
     * Says what to run for a name on the host's CPU, or on the device whose registry this is ({@link
     * DeviceEndpoint#handlers()}), on the thread that polls the message's channel. Messages for it arrive after
     * {@link Grim#start()}; from the next one on if this node knows the name's id already.
     * <p>The names of a cluster share 262,144 bytes, for as long as it exists: each takes its own length, rounded up to
     * 8, and 8 more. That is room for 8,192 names of up to 24 bytes, or 1,260 of {@value #NAME_LENGTH_MAX}.
     *
     * @param name    the same on all nodes; 1 to {@value #NAME_LENGTH_MAX} bytes of UTF-8 without control characters.
     * @param handler to run; replaces an earlier one of the name.
     * @return the name's id; it can be sent to after {@link Grim#start()}.
     * @throws IllegalArgumentException if the name is too long, empty, or cannot be printed.
     * @throws NullPointerException     if the name or the handler is null.
     */
    HandlerId register(String name, ActiveMessage.Handler handler);

    /**
     * Says what takes a message piece by piece for a name, while it arrives: no message is too long for it, and it
     * needs no memory. A message that was not sent as a stream is one to it all the same, of one or more pieces.
     *
     * @param name    as for {@link #register(String, ActiveMessage.Handler)}.
     * @param handler of the pieces; replaces an earlier one of the name.
     * @return the name's id; it can be sent to after {@link Grim#start()}.
     * @throws IllegalArgumentException if the name is too long, empty, or cannot be printed.
     * @throws NullPointerException     if the name or the handler is null.
     */
    HandlerId registerStream(String name, ActiveMessage.Stream.Handler handler);

    /**
     * Returns the id of a name to send with, without waiting. As long as no node has registered the name, or the answer
     * of the cluster has not come, sends with it are {@link SendStatus#BACK_PRESSURED}, also in handlers: poll, and
     * send again. {@link HandlerId#isKnown()} says whether the cluster knows it.
     *
     * @param name of the handler, of any node.
     * @return the same object each time.
     * @throws IllegalArgumentException if the name is too long, empty, or cannot be printed.
     */
    HandlerId id(String name);

    /**
     * Finds the id of a name, and waits for a node to register it if none has yet.
     *
     * @param name of the handler.
     * @return the id.
     * @throws GrimException if no node registers the name within {@code grim.handlers.resolve-timeout}; at once if this
     *                       node is {@link GrimException.Reason#FENCED}.
     */
    HandlerId resolve(String name);

    /**
     * Finds the id of a name if this node knows it, and else asks for it without waiting.
     *
     * @param name of the handler.
     * @return the id, or null if it is not known yet: poll, and call again.
     */
    HandlerId tryResolve(String name);
}
