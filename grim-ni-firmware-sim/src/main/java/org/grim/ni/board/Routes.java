// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/** Which NI serves which node. Known before the control program starts; one table may serve many NIs. Any thread. */
public interface Routes
{
    /** No NI serves the node. */
    int NONE = -1;
    /** The NI of the node has begun another life, and what was under way to the old one is not settled yet. */
    int LATER = -2;

    /**
     * Each NI serves the node of its own number, and no other.
     *
     * @param niCount NIs, and nodes.
     * @return the table.
     */
    static Routes sameNumber(final int niCount)
    {
        return new SameNumberRoutes(niCount);
    }

    /**
     * The NI of a node.
     *
     * @param node 0 to 4,095.
     * @return NI number, or {@link #NONE}.
     */
    int niOf(int node);

    /**
     * The NI of a node, for a message that is to leave: {@link #LATER} keeps it from being counted among what the NI's
     * old life takes with it.
     *
     * @param node 0 to 4,095.
     * @return NI number, {@link #NONE} or {@link #LATER}.
     */
    default int niToSendTo(final int node)
    {
        return niOf(node);
    }

    /**
     * The NI that sent the packet which is being judged. A wire that knows this by itself says so here: the sender's
     * node may be gone meanwhile, and what it sent must be answered all the same.
     *
     * @param node 0 to 4,095, that the packet names as its sender.
     * @return NI number, or {@link #NONE}.
     */
    default int sourceNiOf(final int node)
    {
        return niOf(node);
    }

    /**
     * Whether a packet that arrived is for this NI. Where a wire brings an NI only what was sent to it, this is always
     * so: a node that is gone is not found any more, and what was sent to it must be refused, not forgotten.
     *
     * @param node     0 to 4,095, that the packet is addressed to.
     * @param niNumber of this NI.
     * @return false if the packet went astray.
     */
    default boolean isServed(final int node, final int niNumber)
    {
        return niOf(node) == niNumber;
    }

    /** Some node of an NI. Returns the node that its announcements are addressed to. */
    int nodeOf(int ni);

    /** {@return how many NIs there are; NI numbers are below it} */
    int niCount();
}
