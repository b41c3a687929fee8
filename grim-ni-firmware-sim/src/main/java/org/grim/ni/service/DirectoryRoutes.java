// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.util.Arrays;

import org.grim.board.NiRecord;
import org.grim.board.NiRoute;
import org.grim.ni.board.Routes;
import org.grim.ni.wire.SharedWire;
import org.grim.transport.Membership;

/**
 * Routes as the cluster's directory has them: an NI has the number of the node whose board it is. Costs two loads.
 * Where a packet came from the wire knows; what came was for this NI.
 * <p>Thread: the board's stepper.
 */
final class DirectoryRoutes implements Routes
{
    private final Membership membership;
    private final SharedWire wire;
    private boolean isStale;
    private final int nodeCountMax;
    private final NiRecord[] records;

    DirectoryRoutes(final Membership membership, final SharedWire wire)
    {
        this.membership = membership;
        this.wire = wire;
        nodeCountMax = membership.nodeCountMax();
        records = new NiRecord[nodeCountMax];
        Arrays.setAll(records, node -> NiRecord.of(membership, node));
    }

    @Override
    public int niOf(final int node)
    {
        if (node < 0 || node >= nodeCountMax)
        {
            return NONE;
        }
        final int route = records[node].route();
        if (route == NiRoute.NONE || !membership.isPresent(node))       // A route outlives its node.
        {
            return NONE;
        }
        final int ni = NiRoute.ni(route);
        return ni < nodeCountMax ? ni : NONE;
    }

    @Override
    public int niToSendTo(final int node)
    {
        final int ni = niOf(node);
        if (ni != NONE && !wire.isSameIncarnation(ni))
        {
            isStale = true;
            return LATER;
        }
        return ni;
    }

    /** Whether a message waits for the wire to settle an NI's old life. Asking forgets it. */
    boolean takeStale()
    {
        final boolean wasStale = isStale;
        isStale = false;
        return wasStale;
    }

    @Override
    public int sourceNiOf(final int node)
    {
        return wire.sourceNi();
    }

    @Override
    public boolean isServed(final int node, final int niNumber)
    {
        return true;
    }

    @Override
    public int nodeOf(final int ni)
    {
        return ni;
    }

    @Override
    public int niCount()
    {
        return nodeCountMax;
    }
}
