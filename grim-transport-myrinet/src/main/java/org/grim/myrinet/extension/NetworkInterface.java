// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.extension;

import org.agrona.concurrent.AtomicBuffer;

/**
 * The network interface that serves a node: {@code grim.extension(NetworkInterface.class)}.
 * <p>Thread: any.
 */
public interface NetworkInterface
{
    /**
     * Memory of the board that the application keeps for itself ({@code grim.ni.reserved-length}).
     *
     * @return a view of it; it stays readable when the node has left.
     * @throws org.grim.GrimException if nothing was reserved, or the board is another node's.
     */
    AtomicBuffer memory();

    /** {@return number of the network interface: that of the node whose board it is} */
    int number();

    /** {@return channel of the network interface that is this node's channel 0; 0 to 255} */
    int firstChannel();
}
