// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.nio.file.Path;

import org.agrona.ErrorHandler;

/**
 * Context with which a transport is opened.
 * <p>Thread: any; immutable.
 */
public interface TransportContext
{
    /** {@return who is in the cluster: the same object for the life of the node} */
    Membership membership();

    /**
     * Returns the node's configuration, checked for unknown keys.
     *
     * @return the same object each time.
     */
    Settings settings();

    /**
     * Where a file of one incarnation of a node stands.
     *
     * @param node        its number.
     * @param incarnation of the node.
     * @param kind        what the file holds, its suffix: one of GRIM's, or {@code x-} with a name of lower-case
     *                    letters, digits and hyphens. The files of a node that died are removed by these names.
     * @return the path.
     * @throws IllegalStateException if no transport of the node said that it needs files.
     */
    Path nodeFile(int node, int incarnation, String kind);

    /**
     * Rings the doorbell of an endpoint of any node, this one included. Does not block; does nothing if nobody sleeps
     * there.
     *
     * @param node        its number.
     * @param incarnation of the node.
     * @param bell        number of the doorbell.
     */
    void ring(int node, int incarnation, int bell);

    /**
     * Where errors go that no caller sees, such as those of a thread that the transport starts. It logs each cause
     * once, passes each error to the application's error handler, and never throws.
     *
     * @return the same object each time.
     */
    ErrorHandler errorHandler();

    /** {@return where queue positions start; 0, or near a wrap in tests} */
    long firstPosition();

    /**
     * Registered memory of the nodes on this host.
     *
     * @return the same object each time, from {@link Transport#memoryReady} on.
     * @throws IllegalStateException before, or if the node has none.
     */
    default HostRegions memory()
    {
        throw new IllegalStateException("this node has no registered memory");
    }
}
