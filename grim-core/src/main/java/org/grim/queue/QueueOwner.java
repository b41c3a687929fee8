// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.EndpointId;

/**
 * Sender of a queue, in one 64-bit word, so that the claim itself carries its owner.
 * <pre>
 *  bits 63 | 62       | 59 ..... 48 | 47 ..... 40 | 27 .......... 0
 *       1  | detached | node (12)   | channel (8) | incarnation (28)
 * </pre>
 */
public final class QueueOwner
{
    private static final long PRESENT = 1L << 63;
    private static final long DETACHED = 1L << 62;
    private static final int NODE_SHIFT = 48;
    private static final int CHANNEL_SHIFT = 40;
    private static final int INCARNATION_MASK = (1 << 28) - 1;
    private static final long USED_MASK = PRESENT | DETACHED | (long)EndpointId.NODE_MAX << NODE_SHIFT |
        (long)EndpointId.CHANNEL_MAX << CHANNEL_SHIFT | INCARNATION_MASK;

    private QueueOwner()
    {
    }

    /**
     * The word of an owner.
     *
     * @param node        its number.
     * @param channel     that it sends from.
     * @param incarnation of the node.
     * @return never 0.
     */
    public static long of(final int node, final int channel, final int incarnation)
    {
        return PRESENT | (long)node << NODE_SHIFT | (long)channel << CHANNEL_SHIFT | (incarnation & INCARNATION_MASK);
    }

    /**
     * Returns whether a word from shared memory can name an owner.
     *
     * @param owner        the word, not 0.
     * @param nodeCountMax first number that no node has.
     * @return false if it is corrupt.
     */
    public static boolean isValid(final long owner, final int nodeCountMax)
    {
        return (owner & PRESENT) != 0 && (owner & ~USED_MASK) == 0 && node(owner) < nodeCountMax;
    }

    /**
     * The owner, having given the queue up: what it published is still to be read.
     *
     * @param owner the word.
     * @return the word with the mark.
     */
    public static long detached(final long owner)
    {
        return owner | DETACHED;
    }

    /**
     * Returns whether an owner gave the queue up.
     *
     * @param owner the word.
     * @return true after {@link #detached}.
     */
    public static boolean isDetached(final long owner)
    {
        return (owner & DETACHED) != 0;
    }

    /**
     * Describes the owner of a word.
     *
     * @param owner       the word, 0 for nobody.
     * @param node        number.
     * @param incarnation of the node.
     * @return true if it is one of that incarnation, attached or not.
     */
    public static boolean is(final long owner, final int node, final int incarnation)
    {
        return (owner & PRESENT) != 0 && node(owner) == node && incarnation(owner) == (incarnation & INCARNATION_MASK);
    }

    /**
     * Node of an owner.
     *
     * @param owner the word.
     * @return 0 to 4,095.
     */
    public static int node(final long owner)
    {
        return (int)(owner >>> NODE_SHIFT) & EndpointId.NODE_MAX;
    }

    /**
     * Channel that an owner sends from.
     *
     * @param owner the word.
     * @return 0 to 255.
     */
    public static int channel(final long owner)
    {
        return (int)(owner >>> CHANNEL_SHIFT) & EndpointId.CHANNEL_MAX;
    }

    /**
     * Incarnation of an owner's node.
     *
     * @param owner the word.
     * @return 28 bits.
     */
    public static int incarnation(final long owner)
    {
        return (int)owner & INCARNATION_MASK;
    }
}
