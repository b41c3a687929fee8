// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.LocalCluster;
import org.grim.TransportCluster;

/** Two boards, each in the duty cycle of its node. */
final class MyrinetMemoryTest extends MyrinetMemoryContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.myrinet.firmware", "duty-cycle");
        return LocalCluster.ofTwo(withBoards(settings), firstPosition);
    }

    @Override
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return false;
    }
}
