// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.StreamContract;
import org.grim.TransportCluster;
import org.junit.jupiter.api.io.TempDir;

/** Messages above the MTU between two boards, each in the duty cycle of its node: they go in parts. */
final class MyrinetLargeMessageTest extends StreamContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.myrinet.firmware", "duty-cycle");
        return LocalCluster.ofTwo(
            MyrinetContract.withBoards(settings, directory, MyrinetContract.QUEUE_LENGTH), firstPosition);
    }

    @Override
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return false;
    }

    @Override
    protected int smallCapacity()
    {
        return MyrinetContract.QUEUE_LENGTH / MyrinetContract.SMALL_MESSAGE_LENGTH + MyrinetContract.FRAME_COUNT;
    }

    @Override
    protected int largeCapacity()
    {
        return 2 + MyrinetContract.FRAME_COUNT;
    }

    @Override
    protected boolean hasRoomOfItsOwnForSmall()
    {
        return false;
    }

    /** An NI acknowledges what stands in its host's memory, and may be unread. */
    @Override
    protected int unreadCountMax()
    {
        return MyrinetContract.FRAME_COUNT;
    }
}
