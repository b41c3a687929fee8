// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** Rules about the epochs that NIs announce to each other. No state. */
public class EpochRule
{
    /**
     * Whether an announcement is older than what is known, and is ignored.
     *
     * @param epoch that a peer announces.
     * @param known of that peer; 0 for none.
     * @return true if nothing follows from it.
     */
    public boolean isStale(final long epoch, final long known)
    {
        return epoch < known;
    }

    /**
     * Whether data of a peer is taken.
     *
     * @param isConfirmed whether the peer has shown that it knows this NI's epoch.
     * @return false if the peer must learn the epoch first.
     */
    public boolean isTaken(final boolean isConfirmed)
    {
        return isConfirmed;
    }

    /**
     * Whether a peer's new epoch discards what is known of its old one.
     *
     * @param isUsed whether anything may have been sent or received under the old one.
     * @return true if it is forgotten, and what was in flight reported.
     */
    public boolean isDiscarded(final boolean isUsed)
    {
        return isUsed;
    }
}
