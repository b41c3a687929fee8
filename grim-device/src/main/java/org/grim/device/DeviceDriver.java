// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import org.grim.NodeInfo;

/**
 * Code that serves a device. {@link java.util.ServiceLoader} finds drivers by their kind; a device that is reset gets a
 * new object.
 * <p>Thread: the runner's, for all methods but {@link #kind()}. A driver that must block has threads of its own, whose
 * bounded queue of completions {@link #doWork} drains; they call {@link DeviceContext#wake()}.
 * <p>An exception of any method but {@link #close} makes the device {@link org.grim.DeviceInfo.State#FAILED}.
 */
public interface DeviceDriver extends AutoCloseable
{
    /** {@return kind of the devices that it serves} */
    NodeInfo.Device kind();

    /**
     * Makes the device ready: registers handlers and memory at the context. May take seconds; messages wait meanwhile.
     *
     * @param context of the device, until the driver is closed.
     * @return description of the device, for {@code device.describe}.
     * @throws Exception of any kind: the device has failed, and the text is its reason.
     */
    DeviceDescription open(DeviceContext context) throws Exception;

    /**
     * Does one duty cycle; never blocks.
     *
     * @return pieces of work done; 0 means idle.
     * @throws Exception of any kind: the device has failed.
     */
    default int doWork() throws Exception
    {
        return 0;
    }

    /**
     * Returns how long the driver may hold the runner's thread at a time. If it holds it longer, {@link
     * DeviceRunner#isStuck} says so, and {@code ./grim device} ends its process.
     *
     * @return ns; {@link Long#MAX_VALUE} for no limit. Asked when the driver is open.
     */
    default long cycleLimitNs()
    {
        return Long.MAX_VALUE;
    }

    /**
     * Learns that a node left or died: gives back what it held.
     *
     * @param node as the directory had it.
     */
    default void onNodeGone(final NodeInfo node)
    {
        // Nothing is held for a node.
    }

    /**
     * Ends the driver's threads, and gives back what it holds but its registered memory, which stays readable until the
     * device is reset or closed. Also called after {@link #open} threw. No request is used afterwards.
     */
    @Override
    void close();
}
