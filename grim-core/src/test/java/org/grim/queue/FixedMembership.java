// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.transport.HandMadeMembership;

/** A cluster of first incarnations, in which a test kills nodes by hand. Thread: one. */
final class FixedMembership extends HandMadeMembership
{
    FixedMembership(final int self, final AtomicBuffer incarnations)
    {
        super(self, incarnations);
    }

    /** Ends the first incarnation of a node; who attaches after its death is a new one. */
    static void kill(final AtomicBuffer incarnations, final int node)
    {
        incarnations.putIntVolatile(node * Integer.BYTES, 2 << STATE_BITS | UP);
    }

    @Override
    public boolean convictIfDead(final int node)
    {
        return incarnationOf(status(node)) > 1;
    }
}
