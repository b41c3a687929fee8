// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** A member's part in an agreement: done when there is a decision. */
final class Vote extends Operation
{
    private final String words;
    private int[] decision;

    /** Makes it for a call, which its words name. */
    Vote(final String words)
    {
        this.words = words;
    }

    /** A member's vote or decision is needed: rank in the job, or none. */
    void awaits(final int jobRank)
    {
        peer = jobRank;
    }

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

    @Override
    public String inWords()
    {
        return words;
    }
}
