// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Learns of remote-memory operations that were accepted and then refused: one-sided operations have nobody else to
 * tell. Thread: the endpoint's owner, while it polls. May do what a handler may: send, not poll or block.
 */
@FunctionalInterface
public interface RemoteRefusalListener
{
    /**
     * An operation was refused; nothing of it was written. Of a transfer that was cut into several operations each one
     * refused is told.
     *
     * @param destination   whose memory it was for.
     * @param remoteAddress first byte there.
     * @param length        bytes of the operation.
     * @param reason        why.
     */
    void onRefused(EndpointId destination, long remoteAddress, long length, RemoteRefusal reason);
}
