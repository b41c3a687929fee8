// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;

import org.grim.FuzzCampaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores what agents, and strangers at their ports, may say, for some seconds. */
@Tag("process")
@Tag("slow")
class AgentFuzzIT
{
    private static final int SECONDS = 2;

    @Test
    void shouldStandAnyBytes() throws IOException, InterruptedException
    {
        FuzzCampaign.run(AgentMessageFuzzTest.class, SECONDS);
    }

    @Test
    void shouldStandAnyBytesOfStrangers() throws IOException, InterruptedException
    {
        FuzzCampaign.run(ReceptionFuzzTest.class, SECONDS);
    }
}
