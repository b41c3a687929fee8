// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.LocalCluster;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;

/** Two boards in duty cycles; a pointer that a second transfer moves shows arrivals. */
@Tag("long")
final class MyrinetQueuePointerTest extends MyrinetContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.myrinet.firmware", "duty-cycle");
        settings.put("grim.myrinet.arrival.mode", "queue-pointer");
        return LocalCluster.ofTwo(withBoards(settings), firstPosition);
    }

    @Override
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return false;
    }

    /** Half of the sender's queue. */
    @Override
    protected int payloadLengthMax()
    {
        return QUEUE_LENGTH / 2 - NiHeader.LENGTH;
    }

    /** The arrival queue packs messages, where frames would take one each. */
    @Override
    protected int smallCapacity()
    {
        return (QUEUE_LENGTH + FRAME_LENGTH * FRAME_COUNT) / SMALL_MESSAGE_LENGTH;
    }
}
