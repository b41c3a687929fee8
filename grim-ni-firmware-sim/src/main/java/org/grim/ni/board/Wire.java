// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/**
 * Medium between NIs. Between any two NIs a wire keeps order: it may lose packets only if it says so, and never repeats
 * or overtakes (a medium that does is wrapped in an envelope that drops late copies).
 * <p>Thread: the board's stepper.
 */
public interface Wire extends SendEngine, ReceiveEngine
{
    /**
     * Whether packets may be lost between NIs that live. True if unanswered messages must be sent again after a
     * time-out.
     */
    boolean isLossy();
}
