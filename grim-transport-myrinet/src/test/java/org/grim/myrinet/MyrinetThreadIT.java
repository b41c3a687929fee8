// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.LocalCluster;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;

/** Two boards, each on a thread of its own. */
@Tag("slow")
final class MyrinetThreadIT extends MyrinetContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.myrinet.firmware", "thread");
        return LocalCluster.ofTwo(withBoards(settings), firstPosition);
    }
}
