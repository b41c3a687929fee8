// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.channels.AsynchronousCloseException;

import org.grim.shared.Awaited;

/** A channel as those see it who block in its place: what is protected there. */
interface BlockingChannel extends Awaited
{
    /** {@return true if calls wait} */
    boolean isBlocking();

    /** Begins a call that blocks: an interrupt of this thread closes the channel until it ends. */
    void beginBlocking();

    /**
     * Ends {@link #beginBlocking()}.
     *
     * @param isCompleted whether the call has done something.
     * @throws AsynchronousCloseException if the channel was closed meanwhile.
     */
    void endBlocking(boolean isCompleted) throws AsynchronousCloseException;
}
