// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.HashMap;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/**
 * A cluster on one host whose status words a test writes: incarnation (28) and state (4).
 * Thread: one.
 */
public abstract class HandMadeMembership implements Membership
{
    /** State of a node that is up. */
    protected static final int UP = 1;
    /** State of a node that is gone. */
    protected static final int GONE = 2;
    /** Bits of a state. */
    protected static final int STATE_BITS = 4;

    /** A word for each node, which the members of a cluster share. */
    protected final AtomicBuffer words;

    private final Map<String, AtomicBuffer> areas = new HashMap<>();
    private final int self;

    /** Joins as a node of a cluster whose words are shared. */
    protected HandMadeMembership(final int self, final AtomicBuffer words)
    {
        this.self = self;
        this.words = words;
    }

    /** The words of a cluster whose nodes are all in their first incarnation. */
    public static AtomicBuffer firstIncarnations(final int nodeCount)
    {
        final AtomicBuffer words = Buffers.allocate(nodeCount * Integer.BYTES);
        for (int node = 0; node < nodeCount; node++)
        {
            words.putInt(node * Integer.BYTES, 1 << STATE_BITS | UP);
        }
        return words;
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
        return words.capacity() / Integer.BYTES;
    }

    @Override
    public int status(final int node)
    {
        return words.getIntVolatile(node * Integer.BYTES);
    }

    @Override
    public long statusAddress(final int node)
    {
        return words.addressOffset() + (long)node * Integer.BYTES;
    }

    @Override
    public int upStatus(final int incarnation)
    {
        return incarnation << STATE_BITS | UP;
    }

    @Override
    public int incarnationOf(final int status)
    {
        return status >>> STATE_BITS;
    }

    @Override
    public boolean isUp(final int node)
    {
        return (status(node) & GONE) == 0;
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
    public AtomicBuffer area(final int node, final String label)
    {
        return areas.computeIfAbsent(label + " of " + node, ignored -> Buffers.allocate(AREA_LENGTH));
    }

    /** Writes a node's word. */
    protected final void status(final int node, final int status)
    {
        words.putIntVolatile(node * Integer.BYTES, status);
    }
}
