// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class HostTimingTest
{
    @ParameterizedTest
    @CsvSource({"P3_550, LANAI_4, 32", "P3_550, LANAI_9, 32", "P4_1700, LANAI_4, 32", "P4_1700, LANAI_9, 64"})
    void shouldPutABoardIntoTheWidestBusThatBothHave(final HostTiming host, final LanaiModel ni, final int pciBits)
    {
        assertEquals(pciBits, host.pciBits(ni));
    }

    @Test
    void shouldRefuseABusThatTheHostHasNot()
    {
        assertEquals("PCI bits=64 is no bus of host=p3-550",
            assertThrows(IllegalArgumentException.class, () -> HostTiming.P3_550.dmaBytesPerUs(64)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> HostTiming.P4_1700.pioBytesPerUs(48));
    }

    @Test
    void shouldRefuseACurveThatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> new TransferCurve(-1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new TransferCurve(0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new TransferCurve(0, 1, Double.NaN));
    }
}
