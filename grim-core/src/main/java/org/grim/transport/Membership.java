// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.concurrent.AtomicBuffer;

/**
 * The nodes of the cluster, as a transport sees them. A <em>status word</em> names one incarnation of a node together
 * with its state, so that one load shows whether the peer that a link was made for still is there.
 * <p>Thread: any.
 */
public interface Membership
{
    /** A status word that no node ever has. */
    int NO_STATUS = -1;
    /** Bytes of an {@link #area}. */
    int AREA_LENGTH = 32;

    /** {@return this process's node; virtual node number} */
    int self();

    /** {@return which incarnation of the node number this process is; 1 or more} */
    int incarnation();

    /** {@return how many node numbers there are: the first number that no node can have} */
    int nodeCountMax();

    /**
     * Reads a node's status word.
     *
     * @param node 0 to {@link #nodeCountMax()} - 1.
     * @return state and incarnation; compare it with {@link #upStatus}.
     */
    int status(int node);

    /**
     * Returns the place of a node's status word, for a caller that looks at it with every message.
     *
     * @param node 0 to {@link #nodeCountMax()} - 1.
     * @return address of an aligned 32-bit word, mapped for as long as this membership can be reached: who keeps the
     *     address keeps the membership.
     */
    long statusAddress(int node);

    /**
     * The status word of a node that is up.
     *
     * @param incarnation of the node.
     * @return the word.
     */
    int upStatus(int incarnation);

    /**
     * The incarnation in a status word.
     *
     * @param status from {@link #status}.
     * @return 0 if the number was never used.
     */
    int incarnationOf(int status);

    /**
     * Returns whether a node's latest incarnation is up. Costs one load; {@link #convictIfDead} keeps it true.
     *
     * @param node its number.
     * @return true from the end of its joining to its leaving or death being noticed.
     */
    boolean isUp(int node);

    /**
     * Returns whether a node's latest incarnation is in the cluster: joining or up. Costs one load, as {@link #isUp}.
     *
     * @param node its number.
     * @return false before it joins, and from its leaving or death being noticed.
     */
    default boolean isPresent(final int node)
    {
        return isUp(node);
    }

    /**
     * Asks the kernel whether a node's process is gone, and marks the node as gone for everybody if so. Microseconds.
     *
     * @param node its number.
     * @return true if the node is gone, also when it was marked before.
     */
    boolean convictIfDead(int node);

    /**
     * Returns whether a transport reaches a node.
     *
     * @param node      its number.
     * @param transport name of a transport.
     * @return true if the node has opened that transport.
     */
    boolean hasTransport(int node, String transport);

    /**
     * Finds a live node.
     *
     * @param name of the node.
     * @return its number, or -1 if no node of the name is joining or up.
     */
    int find(String name);

    /**
     * Returns whether a node runs on the same host as this one, as their configurations say.
     *
     * @param node its number.
     * @return true if both have the same host label.
     */
    boolean isSameHost(int node);

    /**
     * Where a transport of a node on another host is reached.
     *
     * @param node      its number.
     * @param transport name of the transport.
     * @return as the node published it; empty if it did not.
     */
    default String address(final int node, final String transport)
    {
        return "";
    }

    /**
     * Publishes where a transport of this node is reached from other hosts: once, while the node joins. A membership
     * of one host has nothing to publish.
     *
     * @param transport name of the transport.
     * @param address   of it, without a comma; all addresses of a node together have at most 60 bytes of UTF-8.
     * @throws IllegalArgumentException if they are longer; nothing was published.
     */
    default void publishAddress(final String transport, final String address)
    {
        // Nobody asks.
    }

    /**
     * An area of a node's record, which a transport fills with what its peers need to know of the node. Only the node's
     * own transport writes there. All areas of a number are zero again when its next node joins, before that has a
     * status.
     * <p>Takes a few loads: a caller that asks often keeps the area.
     *
     * @param node  its number.
     * @param label of the area, the same in all nodes: 1 to 8 ASCII characters.
     * @return {@value #AREA_LENGTH} bytes at a multiple of 8: the same memory each time, mapped for as long as this
     *     membership can be reached: a caller that keeps the area keeps the membership, too.
     * @throws org.grim.GrimException if the cluster has no area left for a new label, and the node is this one; another
     *     node's area is zeros then.
     */
    AtomicBuffer area(int node, String label);
}
