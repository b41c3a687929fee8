// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * Where a node takes multicasts along trees: an area of its record, one word that its transport writes.
 * <pre>
 *  forwarder + 1 (16) | channel (16) | most payload bytes (32)    0 in all bits: nowhere
 * </pre>
 * <p>Thread: any; immutable.
 *
 * @param forwarder        number of the node that passes the node's multicasts on; {@link #NOWHERE} if there is none.
 * @param channel          of the forwarder, which takes the node's multicasts.
 * @param payloadLengthMax most payload bytes of a message that forwarder and node take.
 */
public record TreePlace(int forwarder, int channel, int payloadLengthMax)
{
    /** Instead of a forwarder's number. */
    public static final int NOWHERE = -1;

    private static final String LABEL = "trees";
    private static final int FORWARDER_SHIFT = 48;
    private static final int CHANNEL_SHIFT = 32;
    private static final int CHANNEL_MASK = 0xFFFF;

    /**
     * Reads the place of a node: that of its latest incarnation.
     *
     * @param membership of this process.
     * @param node       its number.
     * @return the place; {@link #exists} says whether there is one.
     */
    public static TreePlace of(final Membership membership, final int node)
    {
        final long word = membership.area(node, LABEL).getLongAcquire(0);       // partner: publish()
        return new TreePlace(
            (int)(word >>> FORWARDER_SHIFT) - 1, (int)(word >>> CHANNEL_SHIFT) & CHANNEL_MASK, (int)word);
    }

    /** {@return whether the node takes multicasts along trees} */
    public boolean exists()
    {
        return forwarder != NOWHERE;
    }

    /**
     * Publishes this place as that of this process's node.
     *
     * @param membership of this process.
     * @throws org.grim.GrimException if the cluster has no area left for places in trees.
     */
    public void publish(final Membership membership)
    {
        membership.area(membership.self(), LABEL).putLongRelease(0, (long)(forwarder + 1) << FORWARDER_SHIFT |
            (long)channel << CHANNEL_SHIFT | payloadLengthMax);                 // partner: of()
    }
}
