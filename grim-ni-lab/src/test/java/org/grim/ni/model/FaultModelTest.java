// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

import org.grim.ni.timing.DeviceTiming;
import org.grim.ni.timing.LanaiModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sums by hand, from the stated parts; written down here a second time. */
final class FaultModelTest
{
    private static final int PAGE_LENGTH = 2 << 20;

    @ParameterizedTest
    @CsvSource({"LANAI_4, 3.0, 6.5", "LANAI_9, 1.5, 6.0"})
    void shouldSumTheMachineryOfAFunctionFault(
        final LanaiModel ni, final double requestUs, final double interruptUs)
    {
        final Range sum = FaultModel.sum(new FaultModel(ni).functionFault(0));

        assertRange(requestUs + 0.2, requestUs + interruptUs + 1.0, requestUs + interruptUs + 2.0, sum);
    }

    @ParameterizedTest
    @CsvSource({"LANAI_4, 3.0, 6.5", "LANAI_9, 1.5, 6.0"})
    void shouldSumAPageFaultWithOneTransferOrTwo(
        final LanaiModel ni, final double requestUs, final double interruptUs)
    {
        final FaultModel model = new FaultModel(ni);
        final double lowUs = 512 * 32;

        assertRange(requestUs + 0.2 + lowUs, requestUs + interruptUs + 17_900 + 1, requestUs + interruptUs + 43_500 + 2,
            FaultModel.sum(model.pageFault(PAGE_LENGTH, false)));
        assertRange(requestUs + 0.2 + 2 * lowUs, requestUs + interruptUs + 2 * 17_900 + 1,
            requestUs + interruptUs + 2 * 43_500 + 2, FaultModel.sum(model.pageFault(PAGE_LENGTH, true)));
    }

    @Test
    void shouldTakeLongerForALongerImage()
    {
        final FaultModel model = new FaultModel(LanaiModel.LANAI_9);
        Range last = FaultModel.sum(model.functionFault(0));
        for (final int length : List.of(1, 4096, 4097, 64 << 10, 1 << 20))
        {
            final Range sum = FaultModel.sum(model.functionFault(length));
            assertTrue(sum.low() > last.low() && sum.central() > last.central() && sum.high() > last.high());
            last = sum;
        }
    }

    /** The stated times agree: 512 transfers of 4 KB by a board are 8 % less than 2 MB by zero-copy. */
    @Test
    void shouldRestOnStatedTimesThatAgree()
    {
        final double blocks = (double)DeviceTiming.LARGE_LENGTH / DeviceTiming.BLOCK_LENGTH;

        assertEquals(0.915, blocks * DeviceTiming.BLOCK_BY_BOARD_NS / DeviceTiming.LARGE_ZERO_COPY_NS, 0.001);
        assertTrue(blocks * DeviceTiming.BLOCK_BY_HOST_NS < DeviceTiming.LARGE_ONE_COPY_NS);
    }

    @Test
    void shouldNameASourceForEachPartAndWhatIsLeftOut()
    {
        new FaultModel(LanaiModel.LANAI_4).pageFault(PAGE_LENGTH, true)
            .forEach(part -> assertTrue(part.source().matches("(table|stated|open|reading)\\b.+"), part::toString));
        assertEquals(4, FaultModel.LEFT_OUT.size());
        assertEquals("length=0 of page to the card is less than 1",
            assertThrows(IllegalArgumentException.class, () -> new FaultModel(LanaiModel.LANAI_4).pageFault(0, false))
                .getMessage());
    }

    private static void assertRange(final double low, final double central, final double high, final Range range)
    {
        assertEquals(low, range.low(), 0.001);
        assertEquals(central, range.central(), 0.001);
        assertEquals(high, range.high(), 0.001);
    }
}
