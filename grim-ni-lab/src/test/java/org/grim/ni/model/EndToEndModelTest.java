// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class EndToEndModelTest
{
    private static final int SIZE_64K = 64 << 10;
    private static final List<Integer> SIZES = List.of(4, 8, 64, 256, 1024, 8192, 16384, SIZE_64K, 1 << 20);
    /** Of the slowest stage's bandwidth, what a stream of large messages must reach. */
    private static final double OVERLAP_MIN = 0.95;

    static Stream<ModelParameters> systems()
    {
        final List<ModelParameters> systems = new ArrayList<>();
        for (final HostTiming host : HostTiming.values())
        {
            for (final LanaiModel ni : LanaiModel.values())
            {
                for (final Mode mode : Mode.values())
                {
                    final ModelParameters parameters = ModelParameters.original(host, ni, mode);
                    systems.add(parameters.with(Notification.POINTER));
                    systems.add(parameters.with(Notification.TAIL_FLAG));
                }
            }
        }
        return systems.stream();
    }

    @ParameterizedTest
    @MethodSource("systems")
    void shouldNeverBeFasterThanItsSlowestStage(final ModelParameters parameters)
    {
        final EndToEndModel model = new EndToEndModel(parameters);
        for (final int size : SIZES)
        {
            assertTrue(model.bandwidthMBs(size) <= slowestStageMBs(parameters, size) * 1.001, () -> "size=" + size);
        }
    }

    /** Deliberately broken in {@link #shouldNoticeThatNothingOverlaps}: one buffer, so that nothing overlaps. */
    @ParameterizedTest
    @MethodSource("systems")
    void shouldKeepItsSlowestStageBusyInAStreamOfLargeMessages(final ModelParameters parameters)
    {
        final double share = new EndToEndModel(parameters).bandwidthMBs(EndToEndModel.SIZE_MAX) /
            slowestStageMBs(parameters, EndToEndModel.SIZE_MAX);

        assertTrue(share >= OVERLAP_MIN, () -> "share=" + share);
    }

    @ParameterizedTest
    @MethodSource("systems")
    void shouldNoticeThatNothingOverlaps(final ModelParameters parameters)
    {
        final Assumptions broken = Assumptions.central(parameters).with(Assumption.RECEIVE_BUFFERS, 1);
        final double share = new EndToEndModel(parameters, broken).bandwidthMBs(EndToEndModel.SIZE_MAX) /
            slowestStageMBs(parameters, EndToEndModel.SIZE_MAX);

        assertTrue(share < OVERLAP_MIN, () -> "share=" + share);
    }

    @ParameterizedTest
    @MethodSource("systems")
    void shouldTakeLongerForMoreBytesAndMoreChannels(final ModelParameters parameters)
    {
        double lastUs = 0;
        for (final int size : SIZES)
        {
            final double latencyUs = new EndToEndModel(parameters).latencyUs(size);
            assertTrue(latencyUs >= lastUs, "size=" + size);
            lastUs = latencyUs;
        }
        lastUs = 0;
        for (final int channelCount : List.of(1, 2, 8, 16, 32, 256))
        {
            final double latencyUs =
                new EndToEndModel(parameters.withChannelCount(channelCount)).latencyUs(EndToEndModel.SIZE_MIN);
            assertTrue(latencyUs > lastUs, "channels=" + channelCount);
            lastUs = latencyUs;
        }
    }

    /** By hand, from the table: P3-550, LANai 4, one word, 2.0 write, 0.43 burst, and so on in the order of work. */
    @Test
    void shouldSumTheTableForTheSmallestMessage()
    {
        final ModelParameters am = ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_4, Mode.AM);
        final double sentUs = 36.0 / 83 + 2.0 + 1.0 + 2.5 + 3.0 + 0.5 + 2.5;
        final double messageUs = 3.0 + 4 * 493.0 / (65_536 - 32);

        assertEquals(sentUs + 2.0 + 2.0 + Math.max(messageUs, 4.0 + 1.5) + 4.0 + 0.5, oneWayUs(am), 0.02);
        assertEquals(sentUs + 2.0 + 2.0 + messageUs + 0.5, oneWayUs(am.with(Notification.TAIL_FLAG)), 0.02);
        final ModelParameters virtual = ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_4, Mode.RM_V);
        assertEquals(sentUs + 8.0 / 83 + 2.0 + 3.0 + 3.0 + 0.5, oneWayUs(virtual), 0.02);
    }

    /** With a pointer nothing is left to do when the reply comes; with a tail flag the answer holds the link, still. */
    @Test
    void shouldMakeAReplyWaitForTheLinkThatTheAnswerHolds()
    {
        final ModelParameters am = ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_4, Mode.AM);
        final ModelParameters tail = am.with(Notification.TAIL_FLAG);

        assertEquals(oneWayUs(am), new EndToEndModel(am).latencyUs(EndToEndModel.SIZE_MIN), 0.02);
        // Answer made and sent, 4.0 + 3.0; message seen and reply injected, 3.0 + 0.5 + 2.4.
        assertEquals(oneWayUs(tail) + 7.0 - 5.96, new EndToEndModel(tail).latencyUs(EndToEndModel.SIZE_MIN), 0.02);
    }

    @ParameterizedTest
    @MethodSource("systems")
    void shouldAnswerEqualQuestionsEqually(final ModelParameters parameters)
    {
        final EndToEndModel model = new EndToEndModel(parameters);

        assertEquals(model.latencyUs(4096), new EndToEndModel(parameters).latencyUs(4096));
        assertEquals(model.bandwidthMBs(1024), model.bandwidthMBs(1024));
        assertEquals(model.stages(4), new EndToEndModel(parameters).stages(4));
    }

    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldBringALargeMessageSoonerWhenItIsCutOrCutThrough(final LanaiModel ni)
    {
        final ModelParameters parameters = ModelParameters.original(HostTiming.P4_1700, ni, Mode.AM);
        final Forwarding stored = Forwarding.storeAndForward(ni);
        final double storedUs = latencyUs(parameters, stored);

        assertTrue(latencyUs(parameters, stored.withFragmentLength(8 << 10)) < storedUs);
        assertTrue(latencyUs(parameters, stored.withCutThrough(true, false)) < storedUs);
        assertTrue(latencyUs(parameters, stored.withCutThrough(false, true)) < storedUs);
        assertTrue(latencyUs(parameters, stored.withCutThrough(true, true)) <
            Math.min(latencyUs(parameters, stored.withCutThrough(true, false)),
                latencyUs(parameters, stored.withCutThrough(false, true))));
    }

    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldCostTheHostLessWhenMoreMayBeOutstanding(final LanaiModel ni)
    {
        final ModelParameters parameters = ModelParameters.original(HostTiming.P3_550, ni, Mode.AM);
        double lastUs = Double.MAX_VALUE;
        for (int limit = 1; limit <= 64; limit *= 2)
        {
            final double overheadUs =
                new EndToEndModel(parameters.withOutstandingLimit(limit)).injectionOverheadUs(4, 128);
            assertTrue(overheadUs <= lastUs, "limit=" + limit);
            lastUs = overheadUs;
        }
        // A burst that fits costs its injection and nothing else.
        assertEquals(36.0 / 83 + 2.0, new EndToEndModel(parameters).injectionOverheadUs(4, 64), 0.01);
    }

    @Test
    void shouldRefuseWhatCannotBeModelled()
    {
        final ModelParameters parameters = ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_4, Mode.AM);
        final EndToEndModel model = new EndToEndModel(parameters);

        assertRefused("size=3 is outside 4 to 2097152", () -> model.latencyUs(3));
        assertRefused("size=2097153 is outside 4 to 2097152", () -> model.bandwidthMBs(2_097_153));
        assertRefused("message count=0 is outside 1 to 4096", () -> model.injectionOverheadUs(4, 0));
        assertRefused("channel count=0 is outside 1 to 256", () -> parameters.withChannelCount(0));
        assertRefused("outstanding limit=128 is outside 1 to 127", () -> parameters.withOutstandingLimit(128));
        assertRefused("fragment length=63 is less than 64",
            () -> Forwarding.storeAndForward(LanaiModel.LANAI_4).withFragmentLength(63));
        assertRefused("segment length=1 is less than 64", () -> new Forwarding(64, 1, true, true));
        assertRefused("PCI bits=64 is no bus of host=p3-550 with ni=lanai9", () -> new ModelParameters(
            HostTiming.P3_550, LanaiModel.LANAI_9, 64, Mode.AM, Notification.POINTER,
            Forwarding.pipelined(LanaiModel.LANAI_9), 1, 1));
        assertRefused("wire=-1.0 is less than 0", () -> Assumptions.central(parameters).with(Assumption.WIRE, -1));
        assertRefused("does not fit the channel's queue of 262144 bytes", () -> new EndToEndModel(
            parameters.with(Forwarding.storeAndForward(LanaiModel.LANAI_4))).bandwidthMBs(1 << 20));
    }

    private static double latencyUs(final ModelParameters parameters, final Forwarding forwarding)
    {
        return new EndToEndModel(parameters.with(forwarding)).latencyUs(SIZE_64K);
    }

    private static double oneWayUs(final ModelParameters parameters)
    {
        final List<Stage> stages = new EndToEndModel(parameters).stages(EndToEndModel.SIZE_MIN);
        return stages.get(stages.size() - 1).endNs() / 1_000.0;
    }

    private static void assertRefused(final String part, final Executable executable)
    {
        final String message = assertThrows(IllegalArgumentException.class, executable).getMessage();
        assertTrue(message.contains(part), message);
    }

    /** Of what moves bytes: injection at the better of its rates, link, delivery. */
    private static double slowestStageMBs(final ModelParameters parameters, final int size)
    {
        final StageCosts costs = new StageCosts(parameters, Assumptions.central(parameters));
        final int fragment = Math.min(size, parameters.forwarding().fragmentLength());
        final int length = parameters.mode().messageLength(fragment);
        final long injectNs = costs.isByDma(size) ? costs.dmaNs(length) : costs.pioNs(length);
        final long slowestNs = Math.max(injectNs, Math.max(costs.sanNs(length), costs.deliverNs(fragment)));
        return fragment * 1_000.0 / slowestNs;
    }
}
