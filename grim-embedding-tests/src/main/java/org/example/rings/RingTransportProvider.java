// SPDX-License-Identifier: Apache-2.0
package org.example.rings;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** Offers the transport under the name {@value #NAME}. */
public final class RingTransportProvider implements TransportProvider
{
    static final String NAME = "rings";

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
    public boolean isDefault()
    {
        return false;
    }

    @Override
    public Transport open(final TransportContext context)
    {
        return new RingTransport(context);
    }
}
