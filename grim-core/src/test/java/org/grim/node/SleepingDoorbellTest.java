// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;

import org.grim.EndpointId;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.endpoint.EndpointState;
import org.grim.loop.MessageLoop;
import org.grim.loop.NotificationTable;
import org.grim.thread.ErrorReports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

@Timeout(60)
final class SleepingDoorbellTest
{
    private final EndpointState state = new EndpointState(EndpointId.of(0, 0, 0));

    @Test
    void shouldNotFailWhenAnotherThreadClosesTheEndpointWhileItFallsAsleep()
    {
        try (Doorbells bells = new Doorbells(ClusterDirectory.inPrivateMemory(
            new NodeDescription("here", "self", 1, List.of())), null))
        {
            final MessageLoop loop = new MessageLoop("test", new NotificationTable(1, new int[0]), null,
                new ClosingHousekeeping());
            final SleepingDoorbell doorbell = new SleepingDoorbell(state, bells, loop,
                new Tasks(state, new ErrorReports(ex -> fail(ex))), List.of(), new int[]{0}, List.of(),
                new ErrorReports(ex -> fail(ex)));

            assertDoesNotThrow(() -> doorbell.sleep(1));

            assertTrue(state.isClosed());
            assertEquals(EndpointState.LEFT,
                assertThrows(IllegalStateException.class, () -> doorbell.listen(null)).getMessage());
        }
    }

    /** Housekeeping comes after the look whether the endpoint is open, and before the sleep. */
    private final class ClosingHousekeeping implements MessageLoop.Housekeeping
    {
        @Override
        public int flush()
        {
            return 0;
        }

        @Override
        public int housekeepIfDue()
        {
            return 0;
        }

        @Override
        public int housekeep()
        {
            state.close(EndpointState.LEFT);
            return 0;
        }
    }
}
