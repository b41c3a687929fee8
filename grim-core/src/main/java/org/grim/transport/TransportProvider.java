// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.Map;

/**
 * Factory of a transport, found by {@link java.util.ServiceLoader}; the configuration key {@code grim.transports}
 * chooses among the factories by name. A transport with keys of its own, below {@code grim}, has them with their
 * defaults in a resource {@code META-INF/grim/NAME.conf}, where NAME is {@link #name()}.
 * <p>Thread: any.
 */
public interface TransportProvider
{
    /**
     * As the configuration names it.
     *
     * @return a short lower-case word.
     */
    String name();

    /**
     * Returns whether the transport needs the cluster's directory in the file system.
     *
     * @return false if the transport works inside one process.
     */
    boolean needsClusterDirectory();

    /**
     * Returns whether the transport is opened where the configuration names none.
     *
     * @return false for one that takes threads, files or hardware that must be requested.
     */
    default boolean isDefault()
    {
        return true;
    }

    /**
     * Returns the settings that differ in the two nodes of a warm-up, which are alone in a cluster of their own.
     *
     * @return values by path of their keys, such as {@code grim.x.size}; empty if everything may stay as it is.
     */
    default Map<String, Object> warmUpSettings()
    {
        return Map.of();
    }

    /**
     * Opens the transport for one node.
     *
     * @param context what the node is and where.
     * @return the transport, able to receive.
     * @throws org.grim.GrimException if it cannot be opened; nothing is left behind.
     */
    Transport open(TransportContext context);
}
