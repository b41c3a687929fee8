// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.io.IOException;

import org.grim.FuzzCampaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores what the observing commands read, for some seconds. */
@Tag("process")
@Tag("slow")
class ObserverFuzzIT
{
    private static final int SECONDS = 10;

    @Test
    void shouldStandAnyBytes() throws IOException, InterruptedException
    {
        FuzzCampaign.run(ObserverFuzzTest.class, SECONDS);
    }
}
