// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SummaryTest
{
    @Test
    void shouldAddTheSquaresOfWhatAssumptionsChange()
    {
        final Range estimate =
            Range.around(10, List.of(new double[] {7, 10}, new double[] {13, 6}, new double[] {10, 14}));

        assertEquals(10, estimate.central());
        assertEquals(5, estimate.low(), 1e-9);
        assertEquals(15, estimate.high(), 1e-9);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldGiveEachFigureARangeAndEachAssumptionInDoubtARow(final Mode mode)
    {
        final ModelParameters parameters = ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_9, mode);

        final Summary summary = Summary.of(parameters);

        assertAround(summary.latencyUs(), new EndToEndModel(parameters).latencyUs(4));
        assertAround(summary.bandwidthMBs(), new Curve(new EndToEndModel(parameters)).best());
        assertTrue(summary.halfSize().low() < summary.halfSize().central());
        final long openCount =
            List.of(Assumption.values()).stream().filter(assumption -> assumption.range(parameters).isOpen() &&
                !assumption.isOfTrees()).count();
        assertEquals(openCount, summary.sensitivities().size());
    }

    @ParameterizedTest
    @EnumSource(Assumption.class)
    void shouldHangOnEachAssumption(final Assumption assumption)
    {
        assertTrue(EndToEndModelTest.systems().anyMatch(parameters -> assumption.isOfTrees() ?
            isFeltByTrees(parameters, assumption) : isFelt(parameters, assumption)));
    }

    @Test
    void shouldRefuseARangeInDisorder()
    {
        assertEquals("low=2.0, central=1.0, high=3.0",
            assertThrows(IllegalArgumentException.class, () -> new Range(2, 1, 3)).getMessage());
    }

    private static boolean isFeltByTrees(final ModelParameters parameters, final Assumption assumption)
    {
        if (parameters.mode() != Mode.AM)
        {
            return false;
        }
        final Range range = MulticastModel.lastUs(parameters, MulticastModel.Path.MEMBER, 4096, 4);
        final Assumptions changed = Assumptions.central(parameters).with(assumption,
            assumption.range(parameters).low() == assumption.range(parameters).central() ?
                assumption.range(parameters).high() : assumption.range(parameters).low());
        final double us = new MulticastModel(parameters, changed).lastUs(MulticastModel.Path.MEMBER, 4096, 4);
        return us != range.central() && range.low() <= us && us <= range.high();
    }

    private static boolean isFelt(final ModelParameters parameters, final Assumption assumption)
    {
        final Range range = assumption.range(parameters);
        return range.isOpen() && (isDifferent(parameters, assumption, range.low()) ||
            isDifferent(parameters, assumption, range.high()));
    }

    private static boolean isDifferent(
        final ModelParameters parameters, final Assumption assumption, final double value)
    {
        final Assumptions central = Assumptions.central(parameters);
        final EndToEndModel model = new EndToEndModel(parameters);
        final EndToEndModel other = new EndToEndModel(parameters, central.with(assumption, value));
        return model.latencyUs(4) != other.latencyUs(4) || model.bandwidthMBs(1024) != other.bandwidthMBs(1024) ||
            model.bandwidthMBs(128 << 10) != other.bandwidthMBs(128 << 10) ||
            model.injectionOverheadUs(64 << 10, 32) != other.injectionOverheadUs(64 << 10, 32);
    }

    private static void assertAround(final Range estimate, final double value)
    {
        assertEquals(value, estimate.central(), 1e-9);
        assertTrue(estimate.low() < value && value < estimate.high(), estimate::toString);
    }
}
