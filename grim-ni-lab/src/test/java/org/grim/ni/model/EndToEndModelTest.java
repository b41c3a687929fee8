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

    private static final ModelParameters AM = original(LanaiModel.LANAI_4, Mode.AM);

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
            assertTrue(model.streamMBs(size) <= slowestStageMBs(parameters, size) * 1.001, () -> "size=" + size);
        }
    }

    /** RM-V is not cut through at the receiver: arrival and delivery follow one another. */
    @ParameterizedTest
    @MethodSource("systems")
    void shouldKeepItsSlowestStageBusyInAStreamUnlessArrivalWaitsForDelivery(final ModelParameters parameters)
    {
        final double share = new EndToEndModel(parameters).streamMBs(EndToEndModel.SIZE_MAX) /
            slowestStageMBs(parameters, EndToEndModel.SIZE_MAX);

        assertEquals(parameters.mode() != Mode.RM_V, share >= OVERLAP_MIN, () -> "share=" + share);
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
            assertTrue(latencyUs >= lastUs, "channels=" + channelCount);
            lastUs = latencyUs;
        }
        assertTrue(lastUs > new EndToEndModel(parameters).latencyUs(EndToEndModel.SIZE_MIN));
    }

    /** By hand, from the table: P3-550, LANai 4, one word: burst, counter, scan, header, link, switch, checks, DMA. */
    @Test
    void shouldSumTheTableForTheSmallestMessage()
    {
        final double sentUs = 36.0 / 102 + 1.0 + 1.0 + 2.5 + 3.0 + 0.3;
        final double messageUs = 3.0 + 4 * 493.0 / (65_536 - 32);
        final double remoteUs = sentUs + 8.0 / 102 + 2.0 + 3.0;

        assertEquals(sentUs + 2.0 + 2.0 + messageUs + 4.0 + 0.5, oneWayUs(AM), 0.02);
        assertEquals(sentUs + 2.0 + 2.0 + messageUs + 0.5, oneWayUs(AM.with(Notification.TAIL_FLAG)), 0.02);
        final ModelParameters virtual = original(LanaiModel.LANAI_4, Mode.RM_V);
        assertEquals(remoteUs + 3.0 + 0.5, oneWayUs(virtual), 0.02);
        assertEquals(remoteUs + 3.0 + 9.0 + 0.5, oneWayUs(virtual.with(Notification.POINTER)), 0.02);
        // RM-P: no translation of its address, that of its word within the word's row.
        final ModelParameters physical = original(LanaiModel.LANAI_4, Mode.RM_P);
        assertEquals(remoteUs + 0.5, oneWayUs(physical), 0.02);
        assertEquals(remoteUs + 9.0 + 0.5, oneWayUs(physical.with(Notification.POINTER)), 0.02);
    }

    @ParameterizedTest
    @MethodSource("systems")
    void shouldMeasureBandwidthByHalfOfARoundTrip(final ModelParameters parameters)
    {
        final EndToEndModel model = new EndToEndModel(parameters);

        assertEquals(SIZE_64K / model.latencyUs(SIZE_64K), model.bandwidthMBs(SIZE_64K));
    }

    /** The ACK is made beside the pointer's DMA; a reply that comes sooner waits for the link that the ACK holds. */
    @Test
    void shouldMakeAReplyWaitForTheLinkThatTheAnswerHolds()
    {
        final ModelParameters tail = AM.with(Notification.TAIL_FLAG);

        assertEquals(oneWayUs(AM), new EndToEndModel(AM).latencyUs(EndToEndModel.SIZE_MIN), 0.02);
        // The reply is found after the ACK was made (4.0, instead of 0.5 to see it and 1.35 to inject the reply), and
        // decoded after the ACK was settled (made, sent, settled 9.5; the header's last byte comes after 7.5 + 3.0).
        assertEquals(oneWayUs(tail) + 4.0 - 1.85 + (4.0 + 3.0 + 2.5) - (7.5 + 3.0 - 2.5),
            new EndToEndModel(tail).latencyUs(EndToEndModel.SIZE_MIN), 0.02);
    }

    @Test
    void shouldInjectSegmentsByTheMechanismThatIsBestForTheirSize()
    {
        final double lanai4Us = new EndToEndModel(AM).injectionOverheadUs(16 << 10, 1);
        final double lanai9Us =
            new EndToEndModel(original(LanaiModel.LANAI_9, Mode.AM)).injectionOverheadUs(SIZE_64K, 1);

        // 16 injections of 1 KB by PIO, 4 of 16 KB by DMA; a counter behind each.
        assertEquals(((16 << 10) + 32) / 102.0 + 16 * 1.0, lanai4Us, 0.02);
        assertEquals((SIZE_64K + 32) / 119.0 + 4 * 1.0, lanai9Us, 0.02);
    }

    /** P4, LANai 4: the link is faster than injection, so the last segment leaves when it has come. */
    @Test
    void shouldSendSegmentsAsTheyComeAndStartAgainForWhatCameMeanwhile()
    {
        final List<Stage> stages = new EndToEndModel(AM).stages(4096);
        final double injectedUs = (4096 + 32) / 102.0 + 4 * 1.0;

        // A transfer of 1 KB ends before the next segment comes: half of 132 MB/s at 256 B is a start-up of 1.94 us.
        assertEquals(injectedUs + (256 + 1024) / 132.0 + 0.3, endUs(stages, "arrived"), 0.05);
        assertTrue(endUs(stages, "found, header set") < endUs(stages, "arrived") - 30);
    }

    /** AM and RM-P are delivered while they arrive, RM-V afterwards, which its one incoming buffer waits for. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldDeliverWhileAMessageArrivesButForVirtualAddresses(final Mode mode)
    {
        final ModelParameters parameters = original(LanaiModel.LANAI_9, mode);
        final List<Stage> stages = new EndToEndModel(parameters).stages(SIZE_64K);
        final double restUs = endUs(stages, "delivered") - endUs(stages, "arrived");

        assertEquals(mode != Mode.RM_V, restUs < 50, () -> "rest=" + restUs);
        if (mode == Mode.RM_V)
        {
            assertEquals(1.0 + 0.5 + 507.0, restUs, 0.02);
        }
    }

    /** The pointer's advance is hidden by the message's DMA, and the ACK by nothing that the host waits for. */
    @Test
    void shouldTellTheHostBeforeTheAnswerIsMade()
    {
        final List<Stage> stages = new EndToEndModel(AM).stages(EndToEndModel.SIZE_MIN);

        assertEquals(4.0, endUs(stages, "notified") - endUs(stages, "delivered"), 0.001);
    }

    /** The host copies fragments of active messages, beside the arrival of the next; remote memory is not copied. */
    @Test
    void shouldCopyOnlyActiveMessagesOfSeveralFragments()
    {
        for (final Mode mode : Mode.values())
        {
            final ModelParameters parameters = original(LanaiModel.LANAI_9, mode);
            final Assumptions fast = Assumptions.central(parameters).with(Assumption.COPY_RATE, 1_000_000);
            final double savedWhole = new EndToEndModel(parameters).latencyUs(SIZE_64K) -
                new EndToEndModel(parameters, fast).latencyUs(SIZE_64K);
            final double savedCut = new EndToEndModel(parameters).latencyUs(2 * SIZE_64K) -
                new EndToEndModel(parameters, fast).latencyUs(2 * SIZE_64K);

            assertEquals(mode == Mode.SOCKETS, savedWhole > 0);
            assertEquals(mode.isMessage(), savedCut >= SIZE_64K / 82.0 - 0.1, () -> mode + " saved=" + savedCut);
            assertTrue(savedCut <= 2 * SIZE_64K / 82.0);
        }
    }

    /** By hand: a message of the same size, and the copy of its bytes; the P3 copies at 82 MB/s. */
    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldCostASocketAMessageAndACopy(final LanaiModel ni)
    {
        for (final int size : List.of(4, 256, 4096, 8192))
        {
            final double messageUs = new EndToEndModel(original(ni, Mode.AM)).latencyUs(size);

            assertEquals(messageUs + size / 82.0, new EndToEndModel(original(ni, Mode.SOCKETS)).latencyUs(size), 0.02);
        }
    }

    /** Bytes of a socket are not pinned: on the LANai 9 they go by PIO at 102 MB/s, messages by DMA at 119 MB/s. */
    @Test
    void shouldInjectBytesOfASocketByProgrammedIo()
    {
        final ModelParameters sockets = original(LanaiModel.LANAI_9, Mode.SOCKETS);
        final Assumptions byDma = Assumptions.central(sockets).with(Assumption.SOCKET_PIO, 0);

        assertEquals((SIZE_64K + 32) / 102.0 + 4 * 1.0,
            new EndToEndModel(sockets).injectionOverheadUs(SIZE_64K, 1), 0.02);
        assertEquals((SIZE_64K + 32) / 119.0 + 4 * 1.0,
            new EndToEndModel(sockets, byDma).injectionOverheadUs(SIZE_64K, 1), 0.02);
    }

    /** The optional word makes a remote-memory write slower than a message; without it, by physical address, faster. */
    @ParameterizedTest
    @EnumSource(LanaiModel.class)
    void shouldLeaveOutTheOptionalWordOfAWrite(final LanaiModel ni)
    {
        final double messageUs = new EndToEndModel(original(ni, Mode.AM)).latencyUs(4);

        assertTrue(new EndToEndModel(original(ni, Mode.RM_P)).latencyUs(4) < messageUs);
        assertTrue(
            new EndToEndModel(original(ni, Mode.RM_P).with(Notification.POINTER)).latencyUs(4) > messageUs);
    }

    @Test
    void shouldSendASmallMessageBeforeTheFragmentsOfAnActiveMessage()
    {
        final double messageUs = new EndToEndModel(AM).injectionOverheadUs(32 << 10, 1);
        final double remoteUs =
            new EndToEndModel(original(LanaiModel.LANAI_4, Mode.RM_P)).injectionOverheadUs(32 << 10, 1);

        // 36 bytes and a counter; remote memory's headers are 8 bytes longer.
        assertEquals(36.0 / 102 + 1.0 - 2 * 8.0 / 102, messageUs - remoteUs, 0.02);
    }

    @ParameterizedTest
    @MethodSource("systems")
    void shouldAnswerEqualQuestionsEqually(final ModelParameters parameters)
    {
        final EndToEndModel model = new EndToEndModel(parameters);

        assertEquals(model.latencyUs(4096), new EndToEndModel(parameters).latencyUs(4096));
        assertEquals(model.streamMBs(1024), model.streamMBs(1024));
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
        assertEquals(36.0 / 102 + 1.0, new EndToEndModel(parameters).injectionOverheadUs(4, 64), 0.01);
    }

    @Test
    void shouldRefuseWhatCannotBeModelled()
    {
        final ModelParameters parameters = ModelParameters.original(HostTiming.P3_550, LanaiModel.LANAI_4, Mode.AM);
        final EndToEndModel model = new EndToEndModel(parameters);

        assertRefused("size=3 is outside 4 to 2097152", () -> model.latencyUs(3));
        assertRefused("size=2097153 is outside 4 to 2097152", () -> model.streamMBs(2_097_153));
        assertRefused("message count=0 is outside 1 to 4096", () -> model.injectionOverheadUs(4, 0));
        assertRefused("channel count=0 is outside 1 to 256", () -> parameters.withChannelCount(0));
        assertRefused("outstanding limit=128 is outside 1 to 127", () -> parameters.withOutstandingLimit(128));
        assertRefused("fragment length=63 is less than 64",
            () -> Forwarding.storeAndForward(LanaiModel.LANAI_4).withFragmentLength(63));
        assertRefused("segment length=1 is less than 64", () -> new Forwarding(64, 1, true, true));
        assertRefused("PCI bits=64 is no bus of host=p3-550 with ni=lanai9", () -> new ModelParameters(
            HostTiming.P3_550, LanaiModel.LANAI_9, 64, Mode.AM, Notification.POINTER,
            Forwarding.original(LanaiModel.LANAI_9), 1, 1));
        assertRefused("switch=-1.0 is less than 0", () -> Assumptions.central(parameters).with(Assumption.SWITCH, -1));
        assertRefused("does not fit the channel's queue of 262144 bytes", () -> new EndToEndModel(
            parameters.with(Forwarding.storeAndForward(LanaiModel.LANAI_4))).streamMBs(1 << 20));
    }

    private static double latencyUs(final ModelParameters parameters, final Forwarding forwarding)
    {
        return new EndToEndModel(parameters.with(forwarding)).latencyUs(SIZE_64K);
    }

    private static double oneWayUs(final ModelParameters parameters)
    {
        return endUs(new EndToEndModel(parameters).stages(EndToEndModel.SIZE_MIN), "seen by the host");
    }

    private static double endUs(final List<Stage> stages, final String name)
    {
        return stages.stream().filter(stage -> stage.name().equals(name)).findFirst().orElseThrow().endNs() / 1_000.0;
    }

    private static ModelParameters original(final LanaiModel ni, final Mode mode)
    {
        return ModelParameters.original(HostTiming.P3_550, ni, mode);
    }

    private static void assertRefused(final String part, final Executable executable)
    {
        final String message = assertThrows(IllegalArgumentException.class, executable).getMessage();
        assertTrue(message.contains(part), message);
    }

    /** Of what moves bytes: injection, link, delivery, the copy of fragments. */
    private static double slowestStageMBs(final ModelParameters parameters, final int size)
    {
        final StageCosts costs = new StageCosts(parameters, Assumptions.central(parameters));
        final int length = Math.min(size, parameters.forwarding().fragmentLength());
        final int segmentLength = Math.min(length, parameters.forwarding().segmentLength());
        final long injectNs = costs.injectNs(segmentLength) * (length / segmentLength);
        final int messageLength = parameters.mode().messageLength(length);
        final Fragment last =
            new Fragment(length, segmentLength, true,
            parameters.mode() == Mode.SOCKETS || (parameters.mode() == Mode.AM && length < size));
        final long slowestNs = Math.max(Math.max(injectNs, costs.hostNs(last)),
            Math.max(costs.sanNs(messageLength), costs.deliverNs(length)));
        return length * 1_000.0 / slowestNs;
    }
}
