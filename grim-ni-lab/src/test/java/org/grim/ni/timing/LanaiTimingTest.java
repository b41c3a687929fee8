// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.ni.board.Action;
import org.grim.ni.timing.LanaiTiming.Detection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class LanaiTimingTest
{
    private static final int LENGTH_64K = 64 * 1024;

    private final LanaiTiming lanai4 = LanaiTiming.lanai4();
    private final LanaiTiming lanai9 = LanaiTiming.lanai9();

    @ParameterizedTest
    @CsvSource({"24,13500,4500", "40,22500,7500"})
    void shouldScanOnALineBetweenAndBeyondTheCounts(final int channelCount, final long lanai4Ns, final long lanai9Ns)
    {
        assertEquals(lanai4Ns, lanai4.actionNs(Action.DETECT, channelCount));
        assertEquals(lanai9Ns, lanai9.actionNs(Action.DETECT, channelCount));
    }

    @ParameterizedTest
    @CsvSource({"1", "8", "32", "256"})
    void shouldFindADoorbellInTheTimeOfOneChannel(final int channelCount)
    {
        assertEquals(1_000, lanai4.withDetection(Detection.DOORBELL).actionNs(Action.DETECT, channelCount));
        assertEquals(500, lanai9.withDetection(Detection.DOORBELL).actionNs(Action.DETECT, channelCount));
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void shouldBeFasterOnTheNewerBoard(final Action action)
    {
        assertTrue(lanai9.actionNs(action, 16) < lanai4.actionNs(action, 16));
    }

    @Test
    void shouldCarryWhatWasSeenOnALink()
    {
        assertEquals(132_000_000, lanai4.linkBytesPerSecond());
        assertEquals(149_000_000, lanai9.linkBytesPerSecond());
    }

    @Test
    void shouldNeverTransferInLessThanTheLeastTime()
    {
        assertEquals(2_000, lanai9.hostDmaNs(1));
        assertEquals(2_000, lanai9.remoteDmaNs(1));
        assertEquals(2_000, lanai9.withPciBits(64).hostDmaNs(8));
        assertTrue(lanai4.hostDmaNs(1) < lanai4.hostDmaNs(32));
    }

    @Test
    void shouldReachTheBandwidthsOfTheBus()
    {
        assertEquals(131, bytesPerUs(lanai4), 3);
        assertEquals(132, bytesPerUs(lanai9), 3);
        assertEquals(303, bytesPerUs(lanai9.withPciBits(64)), 4);
    }

    /** The table says 256 B for all of them; only the LANai 9 in 32 bit PCI fits well. */
    @Test
    void shouldReachHalfOfItsBandwidthWhereTheTwoFiguresPutIt()
    {
        assertEquals(367, halfLength(lanai4), 2);
        assertEquals(234, halfLength(lanai9), 2);
        assertEquals(538, halfLength(lanai9.withPciBits(64)), 3);
        assertEquals(381, halfRemoteLength(lanai4), 2);
        assertEquals(256, halfRemoteLength(lanai9), 2);
        assertEquals(587, halfRemoteLength(lanai9.withPciBits(64)), 3);
    }

    @Test
    void shouldRefuseABusThatTheBoardHasNot()
    {
        assertThrows(IllegalArgumentException.class, () -> lanai4.withPciBits(64));
        assertThrows(IllegalArgumentException.class, () -> lanai9.withPciBits(48));
        assertEquals(lanai4.hostDmaNs(1_000), lanai4.withPciBits(32).hostDmaNs(1_000));
    }

    private static double bytesPerUs(final LanaiTiming timing)
    {
        return 1_000.0 * LENGTH_64K / (timing.hostDmaNs(2 * LENGTH_64K) - timing.hostDmaNs(LENGTH_64K));
    }

    /** Where a straight line has half of its best bandwidth: start-up time by bandwidth. */
    private static double halfLength(final LanaiTiming timing)
    {
        final double nsPerByte = 1_000 / bytesPerUs(timing);
        return timing.hostDmaNs(LENGTH_64K) / nsPerByte - LENGTH_64K;
    }

    private static double halfRemoteLength(final LanaiTiming timing)
    {
        final double nsPerByte =
            (double)(timing.remoteDmaNs(2 * LENGTH_64K) - timing.remoteDmaNs(LENGTH_64K)) / LENGTH_64K;
        return timing.remoteDmaNs(LENGTH_64K) / nsPerByte - LENGTH_64K;
    }
}
