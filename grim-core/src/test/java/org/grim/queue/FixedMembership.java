// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.transport.Membership;

/** A cluster of first incarnations, in which a test kills nodes by hand. Thread: one. */
final class FixedMembership implements Membership
{
    private static final int UP = 1;
    private static final int GONE = 2;

    private final int self;
    private final boolean[] isDead;

    FixedMembership(final int self, final boolean[] isDead)
    {
        this.self = self;
        this.isDead = isDead;
    }

    @Override
    public int self()
    {
        return self;
    }

    @Override
    public int incarnation()
    {
        return isDead[self] ? 2 : 1;            // Who attaches after its death is a new incarnation.
    }

    @Override
    public int nodeCountMax()
    {
        return isDead.length;
    }

    @Override
    public int status(final int node)
    {
        return isDead[node] ? upStatus(2) : upStatus(1);
    }

    @Override
    public int upStatus(final int incarnation)
    {
        return incarnation << 4 | UP;
    }

    @Override
    public int incarnationOf(final int status)
    {
        return status >>> 4;
    }

    @Override
    public boolean isUp(final int node)
    {
        return (status(node) & GONE) == 0;
    }

    @Override
    public boolean convictIfDead(final int node)
    {
        return isDead[node];
    }

    @Override
    public boolean hasTransport(final int node, final String transport)
    {
        return true;
    }
}
