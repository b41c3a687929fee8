// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.multicast;

/** Rules that keep multicasts in order and prevent circles of NIs that wait for each other. No state. */
public class TreeRule
{
    /**
     * The ticket that the root gives to a message.
     *
     * @param following number behind that of the message before.
     * @return the ticket.
     */
    public int ticket(final int following)
    {
        return following;
    }

    /**
     * Where in the tree an NI stands: children stand behind their parents. With rising numbers, messages flow from NIs
     * to those with larger numbers only.
     *
     * @param rank  of the NI among the tree's, by number.
     * @param count NIs of the tree.
     * @return 0 for the root.
     */
    public int position(final int rank, final int count)
    {
        return rank;
    }

    /** Whether an NI forwards by a tree from the update on that names it. False to go on by the one before. */
    public boolean isForwardedByUpdate()
    {
        return true;
    }

    /**
     * Returns how far the front of the multicast channel moves when the first of two children has a message.
     *
     * @param position    of the message.
     * @param endPosition behind it.
     * @return the position: both need it.
     */
    public int frontAfterFirst(final int position, final int endPosition)
    {
        return position;
    }
}
