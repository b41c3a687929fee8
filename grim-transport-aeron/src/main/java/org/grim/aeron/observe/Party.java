// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

/**
 * One incarnation of a node, and what Aeron's streams to it are named by. The low bits of the incarnation keep most of
 * what was sent to an earlier one away; the hello says all bits.
 * <pre>
 *  bit 31: reports | node (12) | incarnation, low bits (11) | channel (8)
 * </pre>
 */
public record Party(int node, int incarnation)
{
    private static final int REPORTS = 1 << 31;
    private static final int NODE_SHIFT = 19;
    private static final int INCARNATION_SHIFT = 8;
    private static final int INCARNATION_MASK = (1 << (NODE_SHIFT - INCARNATION_SHIFT)) - 1;
    private static final int CHANNEL_MASK = (1 << INCARNATION_SHIFT) - 1;

    /** The stream of messages to a channel. Returns its id. */
    public int streamOf(final int channel)
    {
        return node << NODE_SHIFT | (incarnation & INCARNATION_MASK) << INCARNATION_SHIFT | channel;
    }

    /** {@return id of the stream of reports} */
    public int reportStream()
    {
        return REPORTS | streamOf(0);
    }

    /** {@return node that a stream leads to; negative if it is one of reports} */
    static int nodeOf(final int streamId)
    {
        return streamId >> NODE_SHIFT;
    }

    /** {@return channel that a stream of messages leads to} */
    static int channelOf(final int streamId)
    {
        return streamId & CHANNEL_MASK;
    }
}
