// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** Offers {@link LateTrees} to tests that name it before {@code myrinet}. */
public final class LateTreesProvider implements TransportProvider
{
    static final String NAME = "late-trees";

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public boolean needsClusterDirectory()
    {
        return false;
    }

    @Override
    public boolean isDefault()
    {
        return false;
    }

    @Override
    public Transport open(final TransportContext context)
    {
        return new LateTrees();
    }
}
