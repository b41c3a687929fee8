// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.collective.ScriptedTraffic.OTHER;
import static org.grim.collective.ScriptedTraffic.SELF;
import static org.grim.collective.ScriptedTraffic.roster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages that a sender cuts, and a member that forwards them over a link with a smaller MTU cuts again. */
final class FragmentsTest
{
    private static final int BEGIN = 3;                     // Of the message in its buffer.
    private static final int LENGTH = 1_000;
    private static final int HEAD_LENGTH = Multicasts.PREFIX_LENGTH + Fragments.WORDS_LENGTH;
    private static final int HANDLER = 16;

    private final ScriptedTraffic scripted = new ScriptedTraffic();
    private final Roster roster = roster(1, OTHER, SELF);
    private final Fragments sender = new Fragments(scripted.traffic, roster, LENGTH);
    private final Fragments passer = new Fragments(scripted.traffic, roster, LENGTH);
    private final Fragments receiver = new Fragments(scripted.traffic, roster, LENGTH);

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 99, 299, 300})
    void shouldDeliverTheMessageWhenFragmentsAreCutAgain(final int roomOfSecond)
    {
        final MutableDirectBuffer message = message();
        final List<DirectBuffer> first = cut(sender, message, BEGIN, message.capacity() - BEGIN, 300);
        final List<DirectBuffer> second = new ArrayList<>();
        first.forEach(piece -> second.addAll(cut(passer, piece, 0, piece.capacity(), roomOfSecond)));

        assertEquals(4, first.size());
        assertTrue(second.stream().allMatch(piece -> piece.capacity() <= HEAD_LENGTH + roomOfSecond));
        final List<DirectBuffer> whole = new ArrayList<>();
        for (final DirectBuffer piece : second)
        {
            assertEquals(second.indexOf(piece) == second.size() - 1, Fragments.isLast(piece, 0, piece.capacity()));
            final DirectBuffer done = receive(piece);
            if (done != null)
            {
                whole.add(done);
            }
        }
        assertEquals(1, whole.size());
        assertEquals(Buffers.wrap(bytes(message, BEGIN)), Buffers.wrap(bytes(whole.get(0), 0)));
        assertEquals(0, scripted.lostCount());
    }

    @Test
    void shouldCountTheMessageOnceWhenAPieceOfAFragmentIsMissing()
    {
        final MutableDirectBuffer message = message();
        final List<DirectBuffer> pieces = new ArrayList<>();
        cut(sender, message, BEGIN, message.capacity() - BEGIN, 500).forEach(piece ->
            pieces.addAll(cut(passer, piece, 0, piece.capacity(), 100)));
        pieces.remove(6);

        pieces.forEach(piece -> assertNull(receive(piece)));

        assertEquals(1, scripted.lostCount());
    }

    /** The sender has left, and a member that is slow holds up the tickets of its last message for some epochs. */
    @Test
    void shouldTakeTheRestOfAnOrderedMessageLongAfterItsSenderHasLeft()
    {
        final MutableDirectBuffer message = message();
        final List<DirectBuffer> pieces = new ArrayList<>();
        sender.cut(roster, message, BEGIN, message.capacity() - BEGIN, HEAD_LENGTH + 500, true, pieces::add);

        assertNull(receive(pieces.get(0)));
        for (int epoch = 2; epoch < 9; epoch++)
        {
            receiver.follow(roster(epoch, OTHER), false);
        }
        assertEquals(2, pieces.size());
        assertNotNull(receive(pieces.get(1)));
        assertEquals(0, scripted.lostCount());
    }

    @Test
    void shouldGiveUpAMessageWhoseSenderHasLeftWhenItsOwnerHasToo()
    {
        final MutableDirectBuffer message = message();
        final List<DirectBuffer> pieces = new ArrayList<>();
        sender.cut(roster, message, BEGIN, message.capacity() - BEGIN, HEAD_LENGTH + 500, true, pieces::add);

        assertNull(receive(pieces.get(0)));
        receiver.follow(roster(2, OTHER), true);
        assertEquals(0, scripted.lostCount());
        receiver.follow(roster(3, OTHER), false);

        assertEquals(1, scripted.lostCount());
        assertNull(receive(pieces.get(1)));
    }

    private List<DirectBuffer> cut(
        final Fragments fragments, final DirectBuffer frame, final int offset, final int length, final int room)
    {
        final List<DirectBuffer> pieces = new ArrayList<>();
        fragments.cut(roster, frame, offset, length, HEAD_LENGTH + room, false, pieces::add);
        return pieces;
    }

    /** As a member that finds the fragment behind its prefix. */
    private DirectBuffer receive(final DirectBuffer piece)
    {
        assertTrue(Fragments.isFragment(piece, 0, piece.capacity()));
        assertEquals(Fragments.arguments01(roster), piece.getLong(MessageHeader.ARGUMENTS_OFFSET, BIG_ENDIAN));
        final long arguments23 = piece.getLong(MessageHeader.ARGUMENTS_TWO_OFFSET, BIG_ENDIAN);
        assertEquals(Multicasts.FRAGMENT, (int)(arguments23 >> Integer.SIZE));
        return receiver.onFragment(piece.getInt(Multicasts.ORIGIN_OFFSET), (int)arguments23, piece,
            Multicasts.PREFIX_LENGTH, piece.capacity() - Multicasts.PREFIX_LENGTH);
    }

    private MutableDirectBuffer message()
    {
        final MutableDirectBuffer payload = Buffers.wrap(new byte[LENGTH]);
        for (int i = 0; i < LENGTH; i++)
        {
            payload.putByte(i, (byte)(i * 7 + (i >> 8)));
        }
        final MutableDirectBuffer frame = Buffers.wrap(new byte[BEGIN + Multicasts.PREFIX_LENGTH + LENGTH]);
        Multicasts.fill(
            frame, BEGIN, MessageHeader.pair(SELF, 1), HANDLER, 0x0102030405060708L, -2, payload, 0, LENGTH);
        return frame;
    }

    /** A message from its prefix on, without the word that stands there only in flight. */
    private static byte[] bytes(final DirectBuffer frame, final int begin)
    {
        final byte[] bytes = new byte[frame.capacity() - begin];
        frame.getBytes(begin, bytes);
        Buffers.wrap(bytes).putInt(Multicasts.SINCE_OFFSET, 0);
        return bytes;
    }
}
