// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.RemoteMemoryContract;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite of remote memory over boards: small queues, so that operations are cut and find no room. */
abstract class MyrinetRemoteMemoryContract extends RemoteMemoryContract
{
    /** The longest operation that a queue of these tests takes is at least this long. */
    private static final int PIECE_LENGTH = MyrinetContract.FRAME_LENGTH - 64;

    @TempDir
    private Path directory;

    /** Adds what both nodes of a test have in common. */
    final Map<String, Object> withBoards(final Map<String, Object> settings)
    {
        settings.put("grim.transports", List.of("myrinet"));
        settings.put("grim.cluster.directory", directory.toString());
        settings.putIfAbsent("grim.myrinet.queue-length", MyrinetContract.QUEUE_LENGTH);
        settings.putIfAbsent("grim.myrinet.arrival.frame-length", MyrinetContract.FRAME_LENGTH);
        settings.putIfAbsent("grim.myrinet.arrival.frame-count", MyrinetContract.FRAME_COUNT);
        settings.put("grim.myrinet.linger", "20ms");
        settings.put("grim.myrinet.deadline", "30s");
        return settings;
    }

    @Override
    protected boolean isReasonExact()
    {
        return false;
    }

    @Override
    protected boolean isPhysicalCheckedByPage()
    {
        return false;
    }

    @Override
    protected int pieceLengthMax()
    {
        return PIECE_LENGTH;
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

    @Override
    protected long quietNs()
    {
        return isDeliveredWithoutTheReceiver() ? MyrinetContract.BOARD_QUIET_NS : 0;
    }
}
