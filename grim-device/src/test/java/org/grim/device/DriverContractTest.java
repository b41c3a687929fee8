// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.List;

import org.agrona.CloseHelper;
import org.grim.Grim;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Client and devices in one process. */
final class DriverContractTest extends DriverContract
{
    private List<DeviceRunner> runners = List.of();
    private Grim node;

    @Override
    void serve(final Hop hop, final Grim clientNode)
    {
        if (hop != Hop.NULL)
        {
            node = Grim.enable(config(clusters(), hop, NODE));
            node.startPolling();
        }
        runners = DriverMain.serve(node == null ? clientNode : node, files());
    }

    @Override
    void end()
    {
        CloseHelper.closeAll(runners);
    }

    @Override
    void leave()
    {
        CloseHelper.close(node);
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepItsPromises(final Hop hop) throws Exception
    {
        serveAll(hop);
        keepsItsPromises();
    }
}
