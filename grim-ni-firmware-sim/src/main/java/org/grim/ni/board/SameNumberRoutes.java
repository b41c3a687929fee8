// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/** Node and NI have the same number. Any thread. */
record SameNumberRoutes(int niCount) implements Routes
{
    @Override
    public int niOf(final int node)
    {
        return node < niCount ? node : NONE;
    }

    @Override
    public int nodeOf(final int ni)
    {
        return ni;
    }
}
