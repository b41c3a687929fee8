// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import org.grim.ni.board.Action;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.ni.timing.LanaiTiming;
import org.grim.ni.timing.TransferCurve;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each stage alone against its row of the table of costs, both columns, written down here a second time. */
final class StageCostsTest
{
    private static final double TOLERANCE = 0.02;
    private static final double NS_PER_US = 1_000;
    private static final int LENGTH_64K = 64 << 10;
    private static final int HEADER_LENGTH = 32;
    private static final int LENGTH_HUGE = 64 << 20;

    /** A row. */
    private record Row(String name, double lanai4, double lanai9, ToDoubleFunction<LanaiModel> stage)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldReproduceTheTable(final Row row)
    {
        assertCell(row.name + " LANai 4", row.lanai4, row.stage.applyAsDouble(LanaiModel.LANAI_4));
        assertCell(row.name + " LANai 9", row.lanai9, row.stage.applyAsDouble(LanaiModel.LANAI_9));
    }

    static Stream<Row> rows()
    {
        return Stream.of(sendingRows(), receivingRows(), transferRows()).flatMap(List::stream);
    }

    private static List<Row> sendingRows()
    {
        return List.of(
            us("detect, 1 channel", 1, 0.5, ni -> scanning(ni, 1).detectNs()),
            us("detect, 8 channels", 5.5, 1.5, ni -> scanning(ni, 8).detectNs()),
            us("detect, 16 channels", 9, 3, ni -> scanning(ni, 16).detectNs()),
            us("detect, 32 channels", 18, 6, ni -> scanning(ni, 32).detectNs()),
            us("set values in the header", 2.5, 1, ni -> costs(ni, Mode.AM).setHeaderNs()),
            us("scoreboard entry", 3, 1, ni -> costs(ni, Mode.AM).enterScoreboardNs()),
            us("least SAN DMA", 3, 1, ni -> costs(ni, Mode.AM).sanNs(0)),
            new Row("SAN MB/s", 132, 149, ni -> rate(costs(ni, Mode.AM)::sanNs)),
            new Row("half of the best SAN bandwidth at", 256, 256, ni -> halfLength(costs(ni, Mode.AM)::sanNs)),
            us("PIO write", 2, 2, ni -> HostTiming.P3_550.pioWriteNs()),
            us("PIO read", 1, 1, ni -> costs(ni, Mode.AM).pioReadNs()));
    }

    private static List<Row> receivingRows()
    {
        return List.of(
            us("decode an incoming header", 2.5, 1, ni -> costs(ni, Mode.AM).decodeNs()),
            us("verify sequence", 2, 0.5, ni -> costs(ni, Mode.RM_P).judgeNs(4)),
            us("capacity check", 2, 0.5, ni -> costs(ni, Mode.AM).judgeNs(4) - costs(ni, Mode.RM_P).judgeNs(4)),
            us("translation cache hit", 3, 1, ni -> costs(ni, Mode.RM_V).judgeNs(4) - costs(ni, Mode.RM_P).judgeNs(4)),
            us("make an ACK or NACK", 4, 1.5, ni -> costs(ni, Mode.AM).answerNs()),
            us("DMA 32 B message to the host", 3, 2, ni -> costs(ni, Mode.AM).deliverNs(0)),
            us("DMA 64 KiB message to the host", 496, 494,
                ni -> costs(ni, Mode.AM).deliverNs(LENGTH_64K - HEADER_LENGTH)),
            us("DMA an RM payload of 4 B", 3, 2, ni -> costs(ni, Mode.RM_V).deliverNs(4)),
            us("DMA an RM payload of 64 KiB", 514, 507, ni -> costs(ni, Mode.RM_P).deliverNs(LENGTH_64K)),
            us("settle an answer, as decoding", 2.5, 1, ni -> costs(ni, Mode.AM).settleNs()),
            us("advance and convert the queue pointer", 1.5, 0.5, ni -> costs(ni, Mode.AM).advanceNs()),
            us("DMA the queue pointer", 4, 1.5, ni -> costs(ni, Mode.AM).notifyNs(true)),
            us("DMA the notification word, cached, RM-V", 9, 4, ni -> word(ni, Mode.RM_V).notifyNs(true)),
            us("DMA the notification word, cached, RM-P", 9, 4, ni -> word(ni, Mode.RM_P).notifyNs(true)));
    }

    /** Work beside the path of a message in the steady state, and the bare bus. */
    private static List<Row> transferRows()
    {
        return List.of(
            us("translation cache miss", 10, 4, ni -> ni.timing().actionNs(Action.TRANSLATE_MISS, 1)),
            us("DMA the notification word, not cached", 29, 17, ni -> ni.timing().notificationDmaNs(false)),
            us("DMA a translation request", 3, 1.5, ni -> ni.timing().requestDmaNs()),
            us("interrupt", 6.5, 6, ni -> ni.timing().interruptNs()),
            new Row("copy within the card, MB/s", 19, 66, ni -> rate(ni.timing()::copyNs)),
            us("least PCI DMA", 2, 2, ni -> ni.timing().pciCurve().ns(0)),
            new Row("PCI MB/s, 32 bit", 131, 132, ni -> rate(ni.timing().pciCurve()::ns)),
            new Row("half of the best PCI bandwidth at", 256, 256, ni -> halfLength(ni.timing().pciCurve()::ns)));
    }

    /** PIO 102 and 53, DMA 119, 89 and 213 at best; by DMA from the sizes where that is better, without a set-up. */
    @Test
    void shouldInjectAtTheRatesOfTheTable()
    {
        final StageCosts p3 = costs(HostTiming.P3_550, LanaiModel.LANAI_4);
        final StageCosts p4 = costs(HostTiming.P4_1700, LanaiModel.LANAI_4);
        final StageCosts p4Wide = costs(HostTiming.P4_1700, LanaiModel.LANAI_9);

        assertCell("P3 DMA", 119, rate(p3::dmaNs));
        assertCell("P3 DMA, LANai 9", 119,
            rate(costs(HostTiming.P3_550, LanaiModel.LANAI_9)::dmaNs));
        assertCell("P4 PIO, 32 bit", 102, rate(p4::pioNs));
        assertCell("P4 DMA, 32 bit", 89, rate(p4::dmaNs));
        assertCell("P4 PIO, 64 bit", 53, rate(p4Wide::pioNs));
        assertCell("P4 DMA, 64 bit", 213, rate(p4Wide::dmaNs));
        assertTrue(!p3.isByDma((10 << 10) - 1) && p3.isByDma(10 << 10), "P3");
        assertTrue(!p4Wide.isByDma((8 << 10) - 1) && p4Wide.isByDma(8 << 10), "P4, 64 bit");
        assertFalse(p4.isByDma(LENGTH_HUGE), "P4, 32 bit");
    }

    /** The table contradicts itself: its least transfer is longer than two times 256 bytes at 303 MB/s. */
    @Test
    void shouldMissTheHalfLengthOfTheWideBusByWhatItsLeastTransferTakes()
    {
        final TransferCurve wide = LanaiModel.LANAI_9.timing().withPciBits(64).pciCurve();

        assertCell("PCI MB/s, 64 bit", 303, rate(wide::ns));
        assertEquals(2_000, wide.ns(0));
        assertEquals(303, halfLength(wide::ns), 1);
    }

    /** Nor do the rows of deliveries fit 256 B, which are of a program and not of a bare engine. */
    @Test
    void shouldReachHalfTheRateOfDeliveriesWhereTheirTwoRowsPutIt()
    {
        assertEquals(367, halfLength(LanaiTiming.lanai4()::hostDmaNs), 3);
        assertEquals(234, halfLength(LanaiTiming.lanai9()::hostDmaNs), 3);
    }

    /** Between two contradicting rows the curve passes through both, and never gets faster than the link is. */
    @Test
    void shouldPassThroughLeastTransferAndHalfLength()
    {
        final TransferCurve curve = LanaiTiming.lanai9().sanCurve();

        assertEquals(1_000, curve.ns(0));
        assertEquals(2 * 256 * NS_PER_US / 149, (double)curve.ns(256), 1);
        for (int length = 0; length < 1024; length++)
        {
            assertTrue(curve.ns(length + 100) - curve.ns(length) >= 100 * NS_PER_US / 149 - 1);
        }
    }

    private static void assertCell(final String name, final double expected, final double actual)
    {
        assertEquals(expected, actual, TOLERANCE * expected, name);
    }

    private static Row us(
        final String name, final double lanai4, final double lanai9, final ToDoubleFunction<LanaiModel> stageNs)
    {
        return new Row(name, lanai4, lanai9, ni -> stageNs.applyAsDouble(ni) / NS_PER_US);
    }

    /** MB/s of a long transfer. */
    private static double rate(final IntToLongFunction ns)
    {
        return LENGTH_HUGE * NS_PER_US / ns.applyAsLong(LENGTH_HUGE);
    }

    /** The first length with half of the rate of a long transfer. */
    private static double halfLength(final IntToLongFunction ns)
    {
        final double half = rate(ns) / 2;
        int length = 1;
        while (length * NS_PER_US / ns.applyAsLong(length) < half)
        {
            length++;
        }
        return length;
    }

    private static StageCosts costs(final LanaiModel ni, final Mode mode)
    {
        return costs(ModelParameters.original(HostTiming.P3_550, ni, mode));
    }

    private static StageCosts word(final LanaiModel ni, final Mode mode)
    {
        return costs(ModelParameters.original(HostTiming.P3_550, ni, mode).with(Notification.POINTER));
    }

    private static StageCosts costs(final HostTiming host, final LanaiModel ni)
    {
        return costs(ModelParameters.original(host, ni, Mode.AM));
    }

    private static StageCosts scanning(final LanaiModel ni, final int channelCount)
    {
        return costs(ModelParameters.original(HostTiming.P3_550, ni, Mode.AM).withChannelCount(channelCount));
    }

    private static StageCosts costs(final ModelParameters parameters)
    {
        return new StageCosts(parameters, Assumptions.central(parameters));
    }
}
