// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;

/** Two nodes on the board of a third one, which a thread of this JVM polls. */
@Tag("slow")
final class MyrinetSameJvmBoardIT extends MyrinetContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return SharedBoard.inThisJvm(withBoards(settings), firstPosition);
    }

    @Override
    protected boolean hasOthers()
    {
        return true;
    }
}
