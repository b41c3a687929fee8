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

    /** Reports that the processor begins an action. Later work starts later by the action's cost. */
    void spend(Action action);

    /**
     * Reports that the processor begins a copy from one place of the board's memory to another. Charges nothing, unless
     * the meter says otherwise.
     *
     * @param length bytes, 0 or more.
     */
    default void spendCopy(final int length)
    {
    }
}
