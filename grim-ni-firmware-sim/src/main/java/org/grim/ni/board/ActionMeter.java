// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/**
 * Takes note of what a board's processor does, so that virtual time can charge for it. On a real processor the actions
 * cost what they cost, and {@link #NONE} is used.
 * <p>Thread: the board's stepper.
 */
@FunctionalInterface
public interface ActionMeter
{
    /** Charges nothing. */
    ActionMeter NONE = action ->
    {
    };

    /** The processor is about to do something. What it starts afterwards starts later by the action's cost. */
    void spend(Action action);
}
