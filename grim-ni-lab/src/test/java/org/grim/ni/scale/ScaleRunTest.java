// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ScaleRunTest
{
    private static final ScaleLimits LIMITS = new ScaleLimits(TimeUnit.SECONDS.toNanos(60), 1L << 30);
    private static final double MEGA = 1e6;

    /** The run itself fails on a message that is out of order, doubled, damaged or missing. */
    @ParameterizedTest(name = "{1} over {2}, {0} NIs")
    @CsvSource({"2, ALL_TO_ALL, MYRINET, 40", "64, ALL_TO_ALL, MODERN, 70", "20, ALL_TO_ALL, MYRINET, 40",
        "2, HOT_SPOT, MODERN, 40", "33, HOT_SPOT, MYRINET, 20", "16, HOT_SPOT, MODERN, 40",
        "2, NEAREST_NEIGHBOUR, MODERN, 40", "64, NEAREST_NEIGHBOUR, MYRINET, 20", "7, NEAREST_NEIGHBOUR, MODERN, 40"})
    void shouldDeliverAllAndNeverMoreThanTheWireCarries(
        final int niCount, final TrafficPattern pattern, final ScaleWire wire, final int messageCount)
    {
        final ScaleResult result = run(options(niCount, pattern, wire, messageCount, 0, 1));

        final int senderCount = pattern == TrafficPattern.HOT_SPOT ? niCount - 1 : niCount;
        assertNull(result.stop());
        assertEquals((long)senderCount * messageCount, result.goodput().deliveredCount());
        assertEquals(0, result.packets().lost());
        assertEquals(result.packets().data(), result.goodput().deliveredCount() + result.packets().repeated());
        final double linkCount = pattern == TrafficPattern.HOT_SPOT ? 1 : niCount;
        assertTrue(result.goodput().total() * MEGA < linkCount * wire.bytesPerSecond(), () -> result.toString());
        // A moment's rate may exceed the link's by what stood in the buffers behind it.
        assertTrue(result.goodput().share() > 0 && result.goodput().share() <= 1.02, () -> result.toString());
        assertTrue(result.memory().peerCount() < niCount, () -> result.memory().toString());
    }

    @Test
    void shouldGoTheSameWayWithTheSameSeed()
    {
        final ScaleResult first = run(options(24, TrafficPattern.HOT_SPOT, ScaleWire.MODERN, 30, 0, 1));
        final ScaleResult second = run(options(24, TrafficPattern.HOT_SPOT, ScaleWire.MODERN, 30, 0, 1));
        final ScaleResult other = run(options(24, TrafficPattern.HOT_SPOT, ScaleWire.MODERN, 30, 0, 2));

        assertEquals(first.goodput(), second.goodput());
        assertEquals(first.packets(), second.packets());
        assertEquals(first.fairness(), second.fairness());
        assertEquals(first.cost().eventCount(), second.cost().eventCount());
        assertNotEquals(first.cost().virtualMs(), other.cost().virtualMs());
    }

    @Test
    void shouldServeNeighboursAlikeWhereAllAreAlike()
    {
        final ScaleResult result = run(options(16, TrafficPattern.NEAREST_NEIGHBOUR, ScaleWire.MYRINET, 100, 0, 1));

        assertTrue(result.fairness().senders() > 0.99, () -> result.fairness().toString());
        assertTrue(result.goodput().share() > 0.65, () -> result.goodput().toString());
        assertNull(result.fairness().hotSpot());
    }

    @Test
    void shouldRefuseAndLoseNothingWhereTheHotSpotsHostIsSlow()
    {
        final int drainNs = 20_000;
        final ScaleResult result = run(options(16, TrafficPattern.HOT_SPOT, ScaleWire.MODERN, 60, drainNs, 1));

        assertNull(result.stop());
        assertEquals(15 * 60, result.goodput().deliveredCount());
        assertTrue(result.packets().nacks() > 0 && result.packets().repeated() > 0, () -> result.packets().toString());
        assertTrue(result.goodput().total() * MEGA <= 1024 * 1e9 / drainNs, () -> result.goodput().toString());
        assertTrue(result.goodput().total() * MEGA > 0.9 * 1024 * 1e9 / drainNs, () -> result.goodput().toString());
    }

    /** Each switch serves its ports alike: who shares one with NI 0 gets as much as all those behind another port. */
    @Test
    void shouldFavourThoseNearTheHotSpot()
    {
        final ScaleResult near = run(options(16, TrafficPattern.HOT_SPOT, ScaleWire.MYRINET, 20, 0, 1));
        final ScaleResult far = run(options(64, TrafficPattern.HOT_SPOT, ScaleWire.MYRINET, 20, 0, 1));

        assertTrue(near.fairness().hotSpot() > 0.95, () -> near.fairness().toString());
        assertTrue(far.fairness().hotSpot() < 0.7, () -> far.fairness().toString());
    }

    /** A question waits behind the data that it is about, for longer than NIs wait for an answer. */
    @Test
    void shouldConvictNobodyWhoseAnswersAreLate()
    {
        final ScaleResult result = run(new ScaleOptions(
            64, TrafficPattern.HOT_SPOT, ScaleWire.MYRINET, ScaleOptions.SIZE_MAX, 16, 100, 0, 1, true));

        assertNull(result.stop());
        assertEquals(0, result.packets().convictions());
        assertEquals(0, result.packets().lost());
        assertEquals(63 * 16, result.goodput().deliveredCount());
    }

    @Test
    void shouldStopAtItsLimitsAndSayWhich()
    {
        final ScaleOptions options = options(16, TrafficPattern.ALL_TO_ALL, ScaleWire.MODERN, 1_000_000, 0, 1);
        final ScaleResult late = new ScaleRun(options, new ScaleLimits(1, 1L << 30), (time, count) -> { }).run();
        final ScaleResult large = new ScaleRun(options, new ScaleLimits(1, 1L << 20), (time, count) -> { }).run();

        assertTrue(late.stop().startsWith("time: 0.0 minutes are over, "), late.stop());
        assertTrue(late.stop().contains(" of 16,000,000 messages were delivered in "), late.stop());
        assertTrue(large.stop().startsWith("memory: 16 boards and hosts alone take "), large.stop());
        assertEquals(0, large.goodput().deliveredCount());
    }

    @Test
    void shouldSayWhatIsWrongWithAnOption()
    {
        assertRefused("NI count=1 is outside 2 to 4096", 1, 64, 1, 100);
        assertRefused("NI count=4097 is outside 2 to 4096", 4097, 64, 1, 100);
        assertRefused("size=7 is outside 8 to 65504", 2, 7, 1, 100);
        assertRefused("message count=0 is outside 1 to 1000000", 2, 64, 0, 100);
        assertRefused("hot percent=101 is outside 1 to 100", 2, 64, 1, 101);
    }

    @Test
    void shouldKnowWhenSramIsFull()
    {
        assertEquals(96, PackedState.PEER_LENGTH);
        assertEquals(68, PackedState.SEND_LENGTH);
        assertEquals(36, PackedState.RECEIVE_LENGTH);
        assertEquals(200 * 4095, PackedState.tableLength(4095, 4095, 4095));
        assertEquals(256 * 8 + 2 * 128 * 40, PackedState.fixedLength(256, 2, 128));
        assertEquals((1 << 20) / 200, PackedState.peerCountMax(1 << 20, 1));
        assertEquals((1 << 20) / (96 + 64 * 104), PackedState.peerCountMax(1 << 20, 8));
    }

    private static void assertRefused(
        final String text, final int niCount, final int size, final int messageCount, final int hotPercent)
    {
        final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> new ScaleOptions(
            niCount, TrafficPattern.HOT_SPOT, ScaleWire.MODERN, size, messageCount, hotPercent, 0, 1, false));
        assertEquals(text, refusal.getMessage());
    }

    private static ScaleOptions options(
        final int niCount, final TrafficPattern pattern, final ScaleWire wire, final int messageCount,
        final long drainNs, final long seed)
    {
        return new ScaleOptions(niCount, pattern, wire, 1024, messageCount, 100, drainNs, seed, false);
    }

    private static ScaleResult run(final ScaleOptions options)
    {
        return new ScaleRun(options, LIMITS, (time, count) -> { }).run();
    }
}
