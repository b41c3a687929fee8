// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.Map;

import org.grim.RemoteMemoryContract;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite of remote memory over boards, whose network interfaces execute it. */
abstract class MyrinetMemoryContract extends RemoteMemoryContract
{
    /** Room for operations of two pages in one piece, so that each is refused once. */
    private static final int QUEUE_LENGTH = 32 << 10;

    @TempDir
    private Path directory;

    /** Adds what both nodes of a test have in common. */
    final Map<String, Object> withBoards(final Map<String, Object> settings)
    {
        return MyrinetContract.withBoards(settings, directory, QUEUE_LENGTH);
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
    protected int smallCapacity()
    {
        return QUEUE_LENGTH / MyrinetContract.SMALL_MESSAGE_LENGTH + MyrinetContract.FRAME_COUNT;
    }

    @Override
    protected int largeCapacity()
    {
        return 2 + MyrinetContract.FRAME_COUNT;
    }

    @Override
    protected long quietNs()
    {
        return isDeliveredWithoutTheReceiver() ? MyrinetContract.BOARD_QUIET_NS : 0;
    }

    @Override
    protected boolean hasRoomOfItsOwnForSmall()
    {
        return false;
    }
}
