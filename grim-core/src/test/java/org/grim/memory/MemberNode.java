// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.transport.Membership;
import org.grim.transport.NiRoute;

/** A cluster of first incarnations, in which a test kills nodes by hand. Thread: one. */
final class MemberNode implements Membership
{
    private static final int UP = 1;
    private static final int GONE = 2;

    private final int self;
    private final AtomicBuffer incarnations;
    private int dead;

    /** The buffer holds a word for each node, which the members of a cluster share. */
    MemberNode(final int self, final AtomicBuffer incarnations)
    {
        this.self = self;
        this.incarnations = incarnations;
    }

    /** Node 1 of four. */
    static MemberNode first()
    {
        return new MemberNode(1, firstIncarnations(4));
    }

    /** Another node of the same cluster. */
    MemberNode other(final int node)
    {
        return new MemberNode(node, incarnations);
    }

    /** Its process dies unseen: the kernel alone knows, until somebody asks. */
    void die(final int node)
    {
        dead |= 1 << node;
    }

    /** The words of a cluster whose nodes are all in their first incarnation. */
    static AtomicBuffer firstIncarnations(final int nodeCount)
    {
        final AtomicBuffer incarnations = Buffers.allocate(nodeCount * Integer.BYTES);
        for (int node = 0; node < nodeCount; node++)
        {
            incarnations.putInt(node * Integer.BYTES, 1 << 4 | UP);
        }
        return incarnations;
    }

    /** Ends the incarnation of a node; who comes with its number is a new one. */
    void replace(final int node)
    {
        incarnations.putIntVolatile(node * Integer.BYTES, ((incarnationOf(status(node)) + 1) << 4) | UP);
    }

    @Override
    public int self()
    {
        return self;
    }

    @Override
    public int incarnation()
    {
        return incarnationOf(status(self));
    }

    @Override
    public int nodeCountMax()
    {
        return incarnations.capacity() / Integer.BYTES;
    }

    @Override
    public int status(final int node)
    {
        return incarnations.getIntVolatile(node * Integer.BYTES);
    }

    @Override
    public long statusAddress(final int node)
    {
        return incarnations.addressOffset() + (long)node * Integer.BYTES;
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
        if ((dead & (1 << node)) != 0)
        {
            incarnations.putIntVolatile(node * Integer.BYTES, (status(node) & ~UP) | GONE);
        }
        return (status(node) & GONE) != 0;
    }

    @Override
    public boolean hasTransport(final int node, final String transport)
    {
        return true;
    }

    @Override
    public int find(final String name)
    {
        throw new UnsupportedOperationException("no names here: name=" + name);
    }

    @Override
    public boolean isSameHost(final int node)
    {
        return true;
    }

    @Override
    public int niRoute(final int node)
    {
        return NiRoute.NONE;
    }

    @Override
    public int niIncarnation(final int node)
    {
        return incarnationOf(status(node));
    }

    @Override
    public int niArrivalCountMax(final int node)
    {
        return 0;
    }

    @Override
    public void publishNiRoute(final int route, final int niIncarnation, final int arrivalCountMax)
    {
        throw new UnsupportedOperationException("no NI here: route=" + route);
    }
}
