// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.io.IOException;

import org.grim.FuzzCampaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores packets from the wire, for some seconds. */
@Tag("process")
@Tag("slow")
class PacketFuzzIT
{
    private static final int SECONDS = 4;

    @Test
    void shouldStandAnyPackets() throws IOException, InterruptedException
    {
        FuzzCampaign.run(PacketFuzzTest.class, SECONDS);
    }
}
