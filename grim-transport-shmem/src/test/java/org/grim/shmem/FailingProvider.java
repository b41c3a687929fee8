// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** A transport that cannot be opened: memory ends. Only for nodes that name it. */
public final class FailingProvider implements TransportProvider
{
    static final String NAME = "failing";

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
        throw new OutOfMemoryError("planted");
    }
}
