// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.Map;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** Offers the transport over Aeron under the name {@value #NAME}. */
public final class AeronTransportProvider implements TransportProvider
{
    /** Name in {@code grim.transports}. */
    public static final String NAME = "aeron";

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
    public Map<String, Object> warmUpSettings()
    {
        return Map.of("grim.aeron.bind", "127.0.0.1:0", "grim.aeron.linger", "0s");
    }

    @Override
    public Transport open(final TransportContext context)
    {
        return AeronTransport.open(context);
    }
}
