// SPDX-License-Identifier: Apache-2.0
package org.grim.loopback;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** Offers the null transport under the name {@value #NAME}. */
public final class NullTransportProvider implements TransportProvider
{
    /** Name in {@code grim.transports}. */
    public static final String NAME = "null";

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
    public Transport open(final TransportContext context)
    {
        return new NullTransport(context);
    }
}
