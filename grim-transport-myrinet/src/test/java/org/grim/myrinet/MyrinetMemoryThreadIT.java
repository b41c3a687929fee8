// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Map;

import org.grim.LocalCluster;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;

/** Two boards on threads of their own, and threads that answer their questions. */
@Tag("slow")
final class MyrinetMemoryThreadIT extends MyrinetMemoryContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.myrinet.firmware", "thread");
        settings.put("grim.myrinet.translation", "thread");
        return LocalCluster.ofTwo(withBoards(settings), firstPosition);
    }
}
