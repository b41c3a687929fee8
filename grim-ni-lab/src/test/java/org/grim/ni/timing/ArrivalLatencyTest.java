// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.board.ChannelRegisters;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One-way latency in the time of the original boards, from the sender's doorbell to the word that notifies the
 * receiving host, for both kinds of notification. Two boards back to back, one channel, nothing else on the path.
 */
final class ArrivalLatencyTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ArrivalLatencyTest.class);

    /** The table's rows for advancing the pointer and moving it to the host: what the tail flag does without. */
    @ParameterizedTest(name = "LANai {0}, payload {1} bytes")
    @CsvSource({"4, 32, 1500, 4000", "4, 4096, 1500, 4000", "9, 32, 500, 1500", "9, 4096, 500, 1500"})
    void shouldSaveThePointersTransferWithATailFlag(
        final int model, final int payloadLength, final long advanceNs, final long pointerDmaNs)
    {
        final long tailFlagNs = latencyNs(model, ChannelRegisters.ARRIVAL_TAIL_FLAG, payloadLength);
        final long pointerNs = latencyNs(model, ChannelRegisters.ARRIVAL_QUEUE_POINTER, payloadLength);

        LOGGER.info("LANai {}, payload {} bytes: tail flag {} ns, queue pointer {} ns, saved {} ns", model,
            payloadLength, tailFlagNs, pointerNs, pointerNs - tailFlagNs);
        assertEquals(tailFlagNs, latencyNs(model, ChannelRegisters.ARRIVAL_TAIL_FLAG, payloadLength));
        // The message itself is charged by another row of the table when it has no tail word: nearly the same.
        final LanaiTiming timing = timing(model);
        final int messageLength = MessageHeader.LENGTH + payloadLength;
        final long otherRowNs =
            timing.remoteDmaNs(messageLength) - timing.hostDmaNs(messageLength + Integer.BYTES);
        final long savedNs = pointerNs - tailFlagNs;
        // The pointer is advanced while the message is still being transferred to the host, as far as that takes
        // longer.
        assertTrue(savedNs >= pointerDmaNs && savedNs <= advanceNs + pointerDmaNs + Math.max(0, otherRowNs),
            () -> "saved=" + savedNs + " ns");
    }

    private static long latencyNs(final int model, final int arrivalMode, final int payloadLength)
    {
        return TimedBoards.arrival(timing(model), model, arrivalMode, payloadLength).latencyNs();
    }

    private static LanaiTiming timing(final int model)
    {
        return model == 4 ? LanaiTiming.lanai4() : LanaiTiming.lanai9();
    }
}
