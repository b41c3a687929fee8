// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** Offers the shared-memory transport under the name {@value #NAME}. */
public final class ShmemTransportProvider implements TransportProvider
{
    /** Name in {@code grim.transports}. */
    public static final String NAME = "shmem";

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public boolean needsClusterDirectory()
    {
        return true;
    }

    @Override
    public Transport open(final TransportContext context)
    {
        return ShmemTransport.open(context);
    }
}
