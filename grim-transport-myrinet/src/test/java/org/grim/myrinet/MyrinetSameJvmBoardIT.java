// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.ContractSupport;
import org.grim.Grim;
import org.grim.LocalCluster;
import org.grim.TransportCluster;

/** Two nodes on the board of a third one, which a thread of this JVM polls. */
final class MyrinetSameJvmBoardIT extends MyrinetContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return SharedBoard.start(withBoards(settings), boardSettings ->
        {
            final Grim board =
                Grim.enable(ContractSupport.builder(boardSettings, firstPosition).nodeName(SharedBoard.NAME).build());
            board.startPolling();
            return board;
        }, nodeSettings -> LocalCluster.ofTwo(nodeSettings, firstPosition));
    }

    @Override
    protected boolean hasOthers()
    {
        return true;
    }
}
