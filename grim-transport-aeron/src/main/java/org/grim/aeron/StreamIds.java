// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.grim.aeron.HelloDescriptor.Party;

/**
 * Names of Aeron streams: who receives them. The low bits of the incarnation keep most of what was sent to an earlier
 * one away; the hello says all bits.
 * <pre>
 *  bit 31: reports | node (12) | incarnation, low bits (11) | channel (8)
 * </pre>
 * <p>Thread: any; no state.
 */
final class StreamIds
{
    private static final int REPORTS = 1 << 31;
    private static final int NODE_SHIFT = 19;
    private static final int INCARNATION_SHIFT = 8;
    private static final int INCARNATION_MASK = (1 << (NODE_SHIFT - INCARNATION_SHIFT)) - 1;

    private StreamIds()
    {
    }

    static int ofChannel(final Party node, final int channel)
    {
        return node.node() << NODE_SHIFT | (node.incarnation() & INCARNATION_MASK) << INCARNATION_SHIFT | channel;
    }

    static int ofReports(final Party node)
    {
        return REPORTS | ofChannel(node, 0);
    }
}
