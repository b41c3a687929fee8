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
    @CsvSource({"1,1000,500", "8,5500,1500", "16,9000,3000", "32,18000,6000", "24,13500,4500", "40,22500,7500"})
    void shouldScanAsLongAsTheTableSays(final int channelCount, final long lanai4Ns, final long lanai9Ns)
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
    @CsvSource({
        "SET_HEADER,2500,1000", "ENTER_SCOREBOARD,3000,1000", "DECODE_HEADER,2500,1000", "VERIFY_SEQUENCE,2000,500",
        "CHECK_CAPACITY,2000,500", "MAKE_ANSWER,4000,1500", "ADVANCE_POINTER,1500,500", "TRANSLATE_HIT,3000,1000",
        "TRANSLATE_MISS,10000,4000", "SETTLE,2500,1000"})
    void shouldSpendWhatTheTableSays(final Action action, final long lanai4Ns, final long lanai9Ns)
    {
        assertEquals(lanai4Ns, lanai4.actionNs(action, 8));
        assertEquals(lanai9Ns, lanai9.actionNs(action, 8));
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void shouldBeFasterOnTheNewerBoard(final Action action)
    {
        assertTrue(lanai9.actionNs(action, 16) < lanai4.actionNs(action, 16));
    }

    @Test
    void shouldTransferToTheHostInTheTimesOfTheTable()
    {
        assertEquals(3_000, lanai4.hostDmaNs(32));
        assertEquals(496_000, lanai4.hostDmaNs(LENGTH_64K));
        assertEquals(2_000, lanai9.hostDmaNs(32));
        assertEquals(494_000, lanai9.hostDmaNs(LENGTH_64K));
        assertEquals(3_000, lanai4.remoteDmaNs(4));
        assertEquals(514_000, lanai4.remoteDmaNs(LENGTH_64K));
        assertEquals(2_000, lanai9.remoteDmaNs(4));
        assertEquals(507_000, lanai9.remoteDmaNs(LENGTH_64K));
    }

    @Test
    void shouldHaveTheWordsAndTranslationsOfTheTable()
    {
        assertEquals(4_000, lanai4.pointerDmaNs());
        assertEquals(1_500, lanai9.pointerDmaNs());
        assertEquals(9_000, lanai4.notificationDmaNs(true));
        assertEquals(29_000, lanai4.notificationDmaNs(false));
        assertEquals(4_000, lanai9.notificationDmaNs(true));
        assertEquals(17_000, lanai9.notificationDmaNs(false));
        assertEquals(3_000, lanai4.translationRequestDmaNs());
        assertEquals(1_500, lanai9.translationRequestDmaNs());
        assertEquals(6_500, lanai4.interruptNs());
        assertEquals(6_000, lanai9.interruptNs());
        assertEquals(2_000, lanai4.hostTranslateNs(1));
        assertEquals(17_000, lanai4.hostTranslateNs(17));
        assertEquals(3_000, lanai9.hostTranslateNs(1));
        assertEquals(10_000, lanai9.hostTranslateNs(17));
    }

    @Test
    void shouldHaveTheLeastTransfersAndBandwidthsOfTheTable()
    {
        assertEquals(2_000, lanai4.pciDmaMinimumNs());
        assertEquals(2_000, lanai9.pciDmaMinimumNs());
        assertEquals(3_000, lanai4.sanDmaMinimumNs());
        assertEquals(1_000, lanai9.sanDmaMinimumNs());
        assertEquals(132_000_000, lanai4.linkBytesPerSecond());
        assertEquals(149_000_000, lanai9.linkBytesPerSecond());
        assertEquals(1_000_000, lanai4.copyNs(19_000));
        assertEquals(1_000_000, lanai9.copyNs(66_000));
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
