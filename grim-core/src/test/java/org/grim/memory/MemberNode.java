// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.transport.HandMadeMembership;

/** A cluster of first incarnations, in which a test lets nodes die unseen, and replaces them. Thread: one. */
final class MemberNode extends HandMadeMembership
{
    private int dead;

    MemberNode(final int self, final AtomicBuffer incarnations)
    {
        super(self, incarnations);
    }

    /** Node 1 of four. */
    static MemberNode first()
    {
        return new MemberNode(1, firstIncarnations(4));
    }

    /** Another node of the same cluster. */
    MemberNode other(final int node)
    {
        return new MemberNode(node, words);
    }

    /** Its process dies unseen: only the kernel knows, until another process asks. */
    void die(final int node)
    {
        dead |= 1 << node;
    }

    /** Ends the incarnation of a node; who comes with its number is a new one. */
    void replace(final int node)
    {
        status(node, upStatus(incarnationOf(status(node)) + 1));
    }

    @Override
    public boolean convictIfDead(final int node)
    {
        if ((dead & (1 << node)) != 0)
        {
            status(node, (status(node) & ~UP) | GONE);
        }
        return (status(node) & GONE) != 0;
    }
}
