// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** A member's part in an agreement: done when there is a decision. */
final class Vote extends Operation
{
    private int[] decision;

    /** Ends with what all have decided. */
    void decided(final int[] newDecision)
    {
        decision = newDecision;
        end(Outcome.DONE);
    }

    int[] decision()
    {
        return decision;
    }
}
