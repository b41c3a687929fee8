// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

import org.grim.ni.model.MulticastModel.Path;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class MulticastModelTest
{
    private static final List<Integer> SIZES = List.of(4, 256, 4096, 16 << 10, (16 << 10) + 4, 64 << 10, 1 << 20);
    private static final int HOST_COUNT_MAX = 8;
    /** Of the time for a host less: where boards are busy, another order of their work saves some. */
    private static final double FEWER_MIN = 0.999;
    private static final double TOLERANCE_US = 0.02;

    /** By hand, from the table: scans of two channels, ticket and forwarding, a copy of header and word. */
    @ParameterizedTest
    @CsvSource({"LANAI_4, 1.0, 1.642857, 2.5, 19", "LANAI_9, 0.5, 0.642857, 1.0, 66"})
    void shouldCostTwoHostsAUnicastAndWhatTheTreeAdds(
        final LanaiModel ni, final double scanUs, final double scanOfTwoUs, final double headerUs, final double copyMBs)
    {
        final MulticastModel model = model(ni);

        final double addedUs = scanOfTwoUs + headerUs + 36 / copyMBs + scanOfTwoUs - scanUs;

        assertEquals(model.lastUs(Path.UNICASTS, 4, 2) + addedUs, model.lastUs(Path.MEMBER, 4, 2), TOLERANCE_US);
    }

    /** Each level: it arrives, is judged and recycled; the pointer is advanced beside its DMA; then it is sent. */
    @Test
    void shouldAddALevelForEachDepth()
    {
        final MulticastModel model = model(LanaiModel.LANAI_4);
        final double scanUs = 1 + 4.5 / 7;

        final double firstUs = model.lastUs(Path.MEMBER, 4, 2);
        final double levelUs = 3.0 + 0.3 + 2.0 + 2.0 + 2.5 + 36.0 / 19 + 1.5 + scanUs + 2.5;

        // The fourth host is a child of the second, which gets the message as early as it does in a tree of two.
        assertEquals(firstUs + levelUs, model.lastUs(Path.MEMBER, 4, 4), TOLERANCE_US);
        assertTrue(model.lastUs(Path.MEMBER, 4, 8) > model.lastUs(Path.MEMBER, 4, 4) + levelUs / 2);
    }

    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldCostASenderOutsideWithOneMemberAUnicast(final LanaiModel ni)
    {
        for (final int size : SIZES)
        {
            assertEquals(model(ni).lastUs(Path.UNICASTS, size, 2), model(ni).lastUs(Path.OUTSIDER, size, 2));
        }
    }

    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldCostAUnicastToOneHostTheStagesOfAMessage(final LanaiModel ni)
    {
        for (final int size : SIZES)
        {
            final List<Stage> stages = new EndToEndModel(system(ni)).stages(size);
            final double lastUs = model(ni).lastUs(Path.UNICASTS, size, 2);

            assertTrue(lastUs >= stages.get(stages.size() - 1).endNs() / 1_000.0, "size=" + size);
        }
        final List<Stage> smallest = new EndToEndModel(system(ni)).stages(4);
        assertEquals(smallest.get(smallest.size() - 1).endNs() / 1_000.0, model(ni).lastUs(Path.UNICASTS, 4, 2));
    }

    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldTakeLongerForMoreBytesAndNoLessForMoreHosts(final LanaiModel ni)
    {
        final MulticastModel model = model(ni);
        for (final Path path : Path.values())
        {
            for (int hostCount = 2; hostCount <= HOST_COUNT_MAX; hostCount++)
            {
                double lastUs = 0;
                for (final int size : SIZES)
                {
                    final double us = model.lastUs(path, size, hostCount);
                    final String what = path + ", size=" + size + ", hosts=" + hostCount;
                    assertTrue(us > lastUs, what);
                    assertTrue(hostCount == 2 || us >= FEWER_MIN * model.lastUs(path, size, hostCount - 1),
                        what);
                    lastUs = us;
                }
            }
        }
    }

    /** The copy within the card is slower than all else: it bounds a long multicast, which fills three levels. */
    @ParameterizedTest
    @CsvSource({"LANAI_4, 19", "LANAI_9, 66"})
    void shouldBeBoundedByTheCopyWithinTheCard(final LanaiModel ni, final double copyMBs)
    {
        final int size = 1 << 20;

        final double mbs = size / model(ni).lastUs(Path.MEMBER, size, HOST_COUNT_MAX);

        assertTrue(mbs < copyMBs && mbs > copyMBs / 2, () -> "MB/s=" + mbs);
    }

    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldBeFasterWithoutTheCopyAndWhenItOverlapsTheArrival(final LanaiModel ni)
    {
        final Assumptions central = Assumptions.central(system(ni));
        final int size = 64 << 10;

        final double us = model(ni).lastUs(Path.MEMBER, size, HOST_COUNT_MAX);

        assertTrue(new MulticastModel(system(ni), central.with(Assumption.RECYCLE_HIDDEN, 1))
            .lastUs(Path.MEMBER, size, HOST_COUNT_MAX) < us);
        assertTrue(new MulticastModel(system(ni), central.with(Assumption.RECYCLE_COPY, 0))
            .lastUs(Path.MEMBER, size, HOST_COUNT_MAX) < us);
        final Range range = MulticastModel.lastUs(system(ni), Path.MEMBER, size, HOST_COUNT_MAX);
        assertTrue(range.low() < us && us < range.high(), range::toString);
        assertEquals(us, range.central());
    }

    /** Other hosts than the first ones wait for the injection of all messages before theirs. */
    @Test
    void shouldCostEachFurtherUnicastAnInjectionOrATurnOfTheBoard()
    {
        final MulticastModel model = model(LanaiModel.LANAI_4);

        final double furtherUs = model.lastUs(Path.UNICASTS, 4096, 8) - model.lastUs(Path.UNICASTS, 4096, 7);

        assertEquals((4096 + 32) / 102.0 + 4 * 1.0, furtherUs, 1);
    }

    @Test
    void shouldRefuseWhatCannotBeModelled()
    {
        final MulticastModel model = model(LanaiModel.LANAI_4);

        assertRefused("host count=1 is outside 2 to 64", () -> model.lastUs(Path.MEMBER, 4, 1));
        assertRefused("host count=65 is outside 2 to 64", () -> model.lastUs(Path.MEMBER, 4, 65));
        assertRefused("size=3 is outside 4 to 2097152", () -> model.lastUs(Path.MEMBER, 3, 2));
        assertRefused("mode=RM-V: multicasts are active messages", () -> new MulticastModel(
            ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_4, Mode.RM_V)));
    }

    private static void assertRefused(final String message, final Executable executable)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class, executable).getMessage());
    }

    private static MulticastModel model(final LanaiModel ni)
    {
        return new MulticastModel(system(ni));
    }

    private static ModelParameters system(final LanaiModel ni)
    {
        return ModelParameters.original(HostTiming.P3_550, ni, Mode.AM);
    }
}
