// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.List;
import java.util.stream.IntStream;

import org.grim.mpi.Operation;
import org.grim.mpi.Operations;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RequestTest
{
    private static final int LOOK_COUNT_MAX = 1_000;

    @Test
    void shouldStayReadyOnceAFailureWasFound()
    {
        final Operation failing = Operations.pending();
        final Request.Several several = new Request.Several(true, List.of(failing, Operations.pending()));
        assertEquals(0, several.readyOperations());

        Operations.fail(failing);
        assertTrue(IntStream.range(0, LOOK_COUNT_MAX).anyMatch(look -> several.readyOperations() != 0));
        for (int look = 0; look < LOOK_COUNT_MAX; look++)
        {
            assertEquals(1, several.readyOperations(), "look " + look);
        }
    }
}
