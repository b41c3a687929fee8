// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

/** Listener for NIs that have gone. Thread: the board's stepper. */
@FunctionalInterface
public interface NiGoneListener
{
    /**
     * Reports that an NI's incarnation ended and everything that it had sent has been read; or packets to it had to be
     * swallowed since the last call. Unanswered messages will not be answered. The NI may come back in another
     * incarnation.
     */
    void onGone(int ni);
}
