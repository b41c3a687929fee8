// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

/**
 * A host's wait for its board, never for ever. Where the firmware runs in the caller's duty cycle, waiting steps it.
 * <p>Thread: the one that waits.
 */
public interface BoardWait
{
    /** Begins a wait: the time until the deadline starts now. */
    void begin();

    /**
     * Lets some time pass, or does some of the board's work.
     *
     * @return false once the deadline has passed.
     */
    boolean idle();
}
