// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.buffer.Buffers;
import org.grim.ni.event.NiListener;
import org.grim.ni.window.SequenceSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class ScoreboardTest
{
    private final SequenceSpace space = new SequenceSpace(8, 127);
    private final Peer peer = new Peer(1, 16, 1);
    private final Peer other = new Peer(2, 32, 1);
    private final ChannelWindow window = window();
    private final SendTriple triple = new SendTriple(peer, window, 0, space, null);
    private final SendTriple otherTriple = new SendTriple(other, window, 0, space, null);
    private final Scoreboard scoreboard = new Scoreboard(2);

    @Test
    void shouldGiveBackATokenWhoseAnswerHasCome()
    {
        final MessageRecord record = sent(triple);
        assertSame(record, scoreboard.holder(record.token));

        final int token = record.token;
        peer.onAnswered(record.lastTransmission);
        scoreboard.release(record);

        assertEquals(0, scoreboard.usedCount());
        assertEquals(0, scoreboard.quarantineCount());
        assertNull(scoreboard.holder(token));
        assertEquals(MessageRecord.NO_TOKEN, record.token);
    }

    @Test
    void shouldKeepATokenApartUntilItsPeerAnsweredSomethingLater()
    {
        final MessageRecord first = sent(triple);
        final MessageRecord second = sent(otherTriple);
        final int token = first.token;
        scoreboard.release(first);
        scoreboard.release(second);

        assertEquals(2, scoreboard.quarantineCount());
        assertFalse(scoreboard.hasFree());
        assertNull(scoreboard.holder(token));

        other.onAnswered(other.transmissionCount);
        assertEquals(0, scoreboard.endQuarantine(peer));
        assertEquals(1, scoreboard.endQuarantine(other));
        peer.onAnswered(peer.transmissionCount);
        assertEquals(1, scoreboard.endQuarantine(peer));

        assertEquals(0, scoreboard.quarantineCount());
        assertEquals(0, scoreboard.usedCount());
    }

    @Test
    void shouldEndAPeersQuarantineOnlyAsFarAsItsAnswerReaches()
    {
        final MessageRecord first = sent(triple);
        final MessageRecord second = sent(triple);
        scoreboard.release(first);
        scoreboard.release(second);

        peer.onAnswered(1);

        assertEquals(1, scoreboard.endQuarantine(peer));
        assertEquals(1, scoreboard.quarantineCount());
        assertEquals(peer.quarantineHead, peer.quarantineTail);
    }

    @Test
    void shouldNotGoBackToAnEarlierAnswer()
    {
        peer.onAnswered(5);
        peer.onAnswered(3);

        assertEquals(5, peer.answeredTransmission);
    }

    @Test
    void shouldReleaseTwiceWithoutHarm()
    {
        final MessageRecord record = sent(triple);
        peer.onAnswered(record.lastTransmission);

        scoreboard.release(record);
        scoreboard.release(record);

        assertEquals(0, scoreboard.usedCount());
        sent(triple);
        sent(triple);
        assertFalse(scoreboard.hasFree());
    }

    @Test
    void shouldKnowNoTokenBeyondItsCount()
    {
        assertNull(scoreboard.holder(2));
        assertNull(scoreboard.holder(255));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 257})
    void shouldRefuseImpossibleCounts(final int tokenCount)
    {
        assertThrows(IllegalArgumentException.class, () -> new Scoreboard(tokenCount));
    }

    private MessageRecord sent(final SendTriple owner)
    {
        final MessageRecord record = new MessageRecord(window);
        record.triple = owner;
        scoreboard.enter(record);
        record.sent(++owner.peer.transmissionCount, 0, 0, true);
        return record;
    }

    private static ChannelWindow window()
    {
        final BoardGeometry geometry = new BoardGeometry(9, 0, 64 * 1024, 1, 4096, 1, 0, 0);
        final AtomicBuffer sram = Buffers.allocate(64 * 1024);
        geometry.write(sram);
        return new ChannelWindow(sram, geometry, 0, 4, true, NiListener.NONE);
    }
}
