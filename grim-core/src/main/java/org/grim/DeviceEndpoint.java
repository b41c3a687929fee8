// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * A device of this node: an endpoint that sends under a name of its own and takes only messages for that name, on its
 * own channels. Replies go back to it.
 * <p>Thread: one, the owner, as of every {@link Endpoint}; usually not the host endpoint's. Both run at once.
 * <p>Owns: in addition to what an endpoint owns, its handlers and its registered memory, until it is closed.
 */
public interface DeviceEndpoint extends Endpoint
{
    /** {@return this device as the directory has it now} */
    DeviceInfo info();

    /**
     * Handlers of this device, by name. A message whose name has no handler here is refused and counted (reason {@code
     * NO_DEVICE_HANDLER}), also when the host CPU has one. Names and ids are those of the cluster.
     *
     * @return the registry; {@link HandlerRegistry#resolve} waits as that of the node does.
     */
    HandlerRegistry handlers();

    /**
     * Shows a state in the directory: {@link Grim#locate(NodeInfo.Device)} finds devices that are up. A device begins
     * as {@link DeviceInfo.State#STARTING}.
     *
     * @param state starting, up or failed.
     * @throws IllegalArgumentException if the state is gone: {@link #close()} does that.
     * @throws IllegalStateException    if the device is closed, or from a thread that is not the owner.
     */
    void state(DeviceInfo.State state);

    /**
     * Reads no further message of a channel until {@link #resume}. The queues of the channel fill, and then senders get
     * {@link SendStatus#BACK_PRESSURED}; other channels go on. In a handler: the message is consumed, and the next one
     * stays. A sender that dies meanwhile may be reported before its messages of this channel are handled.
     * Remote-memory operations that the target's loop executes wait, too.
     *
     * @param channel of this device. Does nothing if it is paused already.
     * @throws IllegalArgumentException if the channel is not this device's.
     * @throws IllegalStateException    if the device is closed, or from a thread that is not the owner.
     */
    void pause(int channel);

    /**
     * Reads a channel again from the next poll on.
     *
     * @param channel of this device. Does nothing unless it is paused.
     * @throws IllegalArgumentException if the channel is not this device's.
     * @throws IllegalStateException    if the device is closed, or from a thread that is not the owner.
     */
    void resume(int channel);

    /**
     * Registered memory of this device, and remote memory in one order with its messages. The regions name this device
     * ({@link RemoteRegion#endpoint()}) and are freed when it is closed.
     *
     * @return the same object each time.
     */
    @Override
    RemoteMemory memory();

    /**
     * Closes the device as {@link Endpoint#close()} closes an endpoint, and frees its number, handlers and memory.
     * Peers learn of it: new links are refused, and within {@code grim.liveness.interval} of their polls the old ones
     * say {@link SendStatus#PEER_GONE}, and {@link Endpoint.NodeGoneListener#onPathLost} counts what was not handled. A
     * device that is opened earlier with the same number and channels takes what still waits.
     *
     * @throws IllegalStateException inside a handler; if a claim is open; from a thread that is not the owner. Nothing
     *                               has happened then.
     */
    @Override
    void close();
}
