// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.ProcessCluster;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;

/** Two processes, the board of each in its duty cycle. */
@Tag("process")
final class MyrinetMemoryIT extends MyrinetMemoryContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.myrinet.firmware", "duty-cycle");
        return ProcessCluster.start(withBoards(settings), firstPosition);
    }

    @Override
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return false;
    }

    /** The far process may have to wait for a core. */
    @Override
    protected long quietNs()
    {
        return MyrinetContract.BOARD_QUIET_NS;
    }
}
