// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import org.grim.tools.report.Json;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class PollMeasurementTest
{
    @Test
    void shouldDividePollsByWords()
    {
        assertEquals(Json.object("queues", 4, "null", Json.object("words", 5, "ns", 10.0, "nsPerWord", 2.0),
            "shmem", Json.object("words", 5, "ns", 12.0, "nsPerWord", 2.4),
            "myrinet", Json.object("words", 4, "ns", 10.0, "nsPerWord", 2.5),
            "all", Json.object("words", 14, "ns", 28.0, "nsPerWord", 2.0),
            "shmemToNull", 1.2, "myrinetToNull", 1.25, "allToNull", 1.0),
            PollMeasurement.row(4, new int[] {5, 5, 4, 14}, new double[] {10, 12, 10, 28}));
    }
}
