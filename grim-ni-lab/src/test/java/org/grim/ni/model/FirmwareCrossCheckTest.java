// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

import org.grim.board.ChannelRegisters;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.ni.timing.LanaiTiming;
import org.grim.ni.timing.TimedBoards;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The model held against the real control program in virtual time, where both describe the same: from the moment at
 * which a message leaves until its host is notified. The model is set up as the simulator is: the whole message is in
 * the board, the link has no least transfer and is 500 ns long, and a header is decoded when it is there. Two
 * differences remain, and they must explain the rest. The simulated link takes a packet at the beginning of the step
 * that finds it, so that finding it and setting its header cost its latency nothing; and the control program delivers
 * in pieces, as bytes come, where each piece has a start-up time.
 */
final class FirmwareCrossCheckTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(FirmwareCrossCheckTest.class);
    private static final double UNEXPLAINED_MAX = 0.04;

    @ParameterizedTest
    @CsvSource({
        "LANAI_4, TAIL_FLAG, 32", "LANAI_4, POINTER, 32", "LANAI_4, TAIL_FLAG, 4096", "LANAI_4, POINTER, 4096",
        "LANAI_9, TAIL_FLAG, 32", "LANAI_9, POINTER, 32", "LANAI_9, TAIL_FLAG, 4096", "LANAI_9, POINTER, 4096"})
    void shouldAgreeWithTheControlProgramButForPieces(
        final LanaiModel ni, final Notification notification, final int size)
    {
        final boolean isByPointer = notification == Notification.POINTER;
        final LanaiTiming timing = ni.timing();
        final TimedBoards.Arrival arrival = TimedBoards.arrival(timing, ni == LanaiModel.LANAI_4 ? 4 : 9,
            isByPointer ? ChannelRegisters.ARRIVAL_QUEUE_POINTER : ChannelRegisters.ARRIVAL_TAIL_FLAG, size);

        final long modelNs = modelNs(ni, notification, size);

        final int extraCount = arrival.transferCount() - (isByPointer ? 2 : 1);
        final long explainedNs = modelNs + extraCount * timing.remoteDmaNs(0);
        LOGGER.info("{} {} {} B: control program {} ns, model {} ns, with {} further pieces {} ns", ni, notification,
            size, arrival.latencyNs(), modelNs, extraCount, explainedNs);
        assertEquals(1, (double)explainedNs / arrival.latencyNs(), UNEXPLAINED_MAX);
    }

    private static long modelNs(final LanaiModel ni, final Notification notification, final int size)
    {
        final ModelParameters parameters = ModelParameters.original(HostTiming.P3_550, ni, Mode.AM).with(notification)
            .with(Forwarding.original(ni).withCutThrough(false, true));
        final Assumptions assumptions = Assumptions.central(parameters).with(Assumption.SAN_LEAST, 0)
            .with(Assumption.SAN_HALF_LENGTH, 1).with(Assumption.SWITCH, 500).with(Assumption.DECODE_HIDDEN, 0);
        final List<Stage> stages = new EndToEndModel(parameters, assumptions).stages(size);
        return endNs(stages, "notified") - endNs(stages, "found, header set");
    }

    private static long endNs(final List<Stage> stages, final String name)
    {
        return stages.stream().filter(stage -> stage.name().equals(name)).findFirst().orElseThrow().endNs();
    }
}
