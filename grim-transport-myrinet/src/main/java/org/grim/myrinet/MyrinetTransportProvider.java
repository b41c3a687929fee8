// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** Offers the Myrinet transport under the name {@value #NAME}, to those who ask for it. */
public final class MyrinetTransportProvider implements TransportProvider
{
    /** Name in {@code grim.transports}. */
    public static final String NAME = "myrinet";

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

    /** A board takes files, and perhaps a thread. */
    @Override
    public boolean isDefault()
    {
        return false;
    }

    /** Boards of their own, and no more memory than arrivals take. */
    @Override
    public Map<String, Object> warmUpSettings()
    {
        return Map.of("grim.myrinet.board", "", "grim.myrinet.dma-length", 0,
            "grim.myrinet.registered-length", 1 << 20);
    }

    @Override
    public Transport open(final TransportContext context)
    {
        return new MyrinetTransport(context);
    }
}
