// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two trees on three NIs: after any change, with full queues, some action is possible until all is delivered. */
class TreeExplorerTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(TreeExplorerTest.class);
    private static final int SETS = 7;                  // Of three NIs, but the empty one.
    private static final int A_AND_C = 0b101;
    private static final int B_AND_C = 0b110;

    @ParameterizedTest
    @ValueSource(ints = {1, TreeExplorer.CAPACITY_MAX})
    void shouldNeverStandStill(final int capacity)
    {
        long stateCount = 0;
        for (int i = 0; i < SETS * SETS * SETS * SETS; i++)
        {
            final int[] subscribers =
                {1 + i % SETS, 1 + i / SETS % SETS, 1 + i / SETS / SETS % SETS, 1 + i / SETS / SETS / SETS};

            final TreeExplorer.Report report = TreeExplorer.explore(subscribers, capacity, true);

            assertTrue(report.stuck().isEmpty(), () -> report.stuck().get(0));
            stateCount += report.stateCount();
        }
        LOGGER.info("capacity {}: {} models, {} states", capacity, SETS * SETS * SETS * SETS, stateCount);
    }

    @Test
    void shouldStandStillIfAnNiLetsMessagesWaitForTickets()
    {
        final int[] subscribers = {A_AND_C, B_AND_C, B_AND_C, A_AND_C};

        final TreeExplorer.Report report = TreeExplorer.explore(subscribers, 1, false);

        assertFalse(report.stuck().isEmpty());
        assertTrue(report.stuck().stream().anyMatch(each -> each.endsWith(
            "queues NI 0: tree 1 message 2 NI 1: tree 0 message 2")), report.stuck()::toString);
        assertEquals(0, TreeExplorer.explore(subscribers, 1, true).stuck().size());
    }
}
