// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.function.Consumer;

import org.grim.DeviceEndpoint;
import org.grim.Grim;
import org.grim.MemoryRegion;

/**
 * Device as its driver sees it.
 * <p>Thread: the runner's, but for {@link #wake()}: any.
 */
public interface DeviceContext
{
    /** {@return node of the device: to find others; its host endpoint is another thread's} */
    Grim grim();

    /** {@return endpoint of the device: to send as the device, and to find its channels} */
    DeviceEndpoint device();

    /** {@return options that the device was opened with} */
    DeviceOptions options();

    /**
     * Registers a handler. It runs while the device is up, for endpoints that no reservation excludes. A
     * {@link DeviceException} that it throws is the answer; {@link IllegalArgumentException},
     * {@link IndexOutOfBoundsException} and a {@link org.grim.GrimException} for bad data are answered as
     * {@link DeviceCode#BAD_REQUEST}; every other exception fails the device. If it returns without an answer,
     * and did not {@linkplain DeviceRequest#keep() keep} the request, that is an answer without content.
     *
     * @param name      of the handler in the cluster, such as {@code store.read}.
     * @param arguments and answer of the handler, for {@code device.describe}.
     * @param handler   to run; replaces an earlier one of the name.
     */
    void handle(String name, String arguments, Consumer<DeviceRequest> handler);

    /**
     * Registers memory of the device, which stays until the region or the device is closed, or the device is reset.
     *
     * @param bytes  of it, 1 or more; zeroed.
     * @param rights of peers.
     * @return the region.
     * @throws org.grim.GrimException if there is no room.
     */
    MemoryRegion register(long bytes, MemoryRegion.Rights rights);

    /** Has the runner do a duty cycle soon, if it sleeps. */
    void wake();
}
