// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Fragments of one group's multicasts. A fragment travels as a multicast of its own, to the built-in handler of
 * multicasts, by any carrier of multicasts; the members put the message together again. A node that passes a message
 * on over a link with a smaller MTU cuts it, also if it is a fragment.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: of each sender one message that is ordered, and one that is not; two more of one that sends as no member.
 * <p>Behind the prefix of the fragment stands that of the whole message, with these words in place of the origin:
 * <pre>
 *  +---------+--------+--------+---------+---------------------------+-------+
 *  | handler | length | offset | kind    | 4 arguments, big endian   | bytes |
 *  |   32    |   32   |   32   |   32    |           128             |       |
 *  +---------+--------+--------+---------+---------------------------+-------+
 * </pre>
 * Bits of the kind: {@value #ORDERED} in total order, {@value #OUTSIDE} of a sender that is no member.
 */
final class Fragments
{
    /** Kind: in total order. */
    static final int ORDERED = 1;
    /** Kind: its sender sent it as no member. */
    static final int OUTSIDE = 2;

    /** Bytes before the data, behind the prefix. */
    static final int WORDS_LENGTH = Multicasts.PREFIX_LENGTH;

    private static final int TOTAL_OFFSET = Integer.BYTES;
    private static final int OFFSET_OFFSET = TOTAL_OFFSET + Integer.BYTES;
    private static final int KIND_OFFSET = OFFSET_OFFSET + Integer.BYTES;
    private static final int KIND_MASK = ORDERED | OUTSIDE;
    private static final int KIND_BITS = 2;
    static final long GONE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int HEAD_LENGTH = Multicasts.PREFIX_LENGTH + WORDS_LENGTH;

    private final GroupTraffic traffic;
    private final int lengthMax;
    private final Int2ObjectHashMap<Reassembly> parts = new Int2ObjectHashMap<>();
    private Roster latest;
    private int lastNumber;

    Fragments(final GroupTraffic traffic, final Roster first, final int lengthMax)
    {
        this.traffic = traffic;
        this.lengthMax = lengthMax;
        latest = first;
    }

    /** Most payload bytes of a message. */
    int lengthMax()
    {
        return lengthMax;
    }

    /** A number for a message that will be cut: two that a member may confuse have different ones. */
    int nextNumber()
    {
        lastNumber++;
        return traffic.self() << Short.SIZE | (lastNumber & MessageHeader.HANDLER_MAX);
    }

    /** Argument 0 and 1 of a fragment. */
    static long arguments01(final Roster roster)
    {
        return MessageHeader.pair(roster.id(), roster.epoch());
    }

    /** Argument 2 and 3 of a fragment. */
    static long arguments23(final int number)
    {
        return MessageHeader.pair(Multicasts.FRAGMENT, number);
    }

    /** Writes the words; the arguments and the handler are of the whole message. */
    static void fill(
        final MutableDirectBuffer target, final int index, final int handler, final long arguments01,
        final long arguments23, final int total, final int fragmentOffset, final int kind)
    {
        target.putInt(index + Multicasts.HANDLER_OFFSET, handler);
        target.putInt(index + TOTAL_OFFSET, total);
        target.putInt(index + OFFSET_OFFSET, fragmentOffset);
        target.putInt(index + KIND_OFFSET, kind);
        target.putLong(index + MessageHeader.ARGUMENTS_OFFSET, arguments01, BIG_ENDIAN);
        target.putLong(index + MessageHeader.ARGUMENTS_TWO_OFFSET, arguments23, BIG_ENDIAN);
    }

    /** Whether a message behind its prefix is a fragment. */
    static boolean isFragment(final DirectBuffer frame, final int offset, final int length)
    {
        return length >= HEAD_LENGTH && frame.getInt(offset + Multicasts.HANDLER_OFFSET) == GroupTraffic.MULTICAST;
    }

    /** Whether a message behind its prefix is whole, or the last fragment of one. */
    static boolean isLast(final DirectBuffer frame, final int offset, final int length)
    {
        final int words = offset + Multicasts.PREFIX_LENGTH;
        return !isFragment(frame, offset, length) ||
            frame.getInt(words + OFFSET_OFFSET) + length - HEAD_LENGTH == frame.getInt(words + TOTAL_OFFSET);
    }

    /** Bytes that a message behind its prefix counts for: of all its fragments as many as of itself. */
    static int weight(final DirectBuffer frame, final int offset, final int length)
    {
        return length - (isFragment(frame, offset, length) ? HEAD_LENGTH : Multicasts.PREFIX_LENGTH) +
            (isLast(frame, offset, length) ? Multicasts.PREFIX_LENGTH : 0);
    }

    /** Cuts a message behind its prefix into copies of a length, prefixes included. */
    void cut(
        final Roster roster, final DirectBuffer frame, final int offset, final int length, final int frameLengthMax,
        final boolean isOrdered, final Consumer<DirectBuffer> sink)
    {
        final boolean isFragment = isFragment(frame, offset, length);
        final int begin = offset + (isFragment ? HEAD_LENGTH : Multicasts.PREFIX_LENGTH);
        final int dataLength = offset + length - begin;
        final int first = isFragment ? frame.getInt(offset + Multicasts.PREFIX_LENGTH + OFFSET_OFFSET) : 0;
        final int number = isFragment ? 0 : nextNumber();
        final int room = Math.max(1, frameLengthMax - HEAD_LENGTH);
        final int count = (dataLength + room - 1) / room;
        final int pieceLength = (dataLength + count - 1) / count;       // All alike: no short one follows a long one.
        for (int done = 0; done < dataLength; done += pieceLength)
        {
            final int part = Math.min(pieceLength, dataLength - done);
            final MutableDirectBuffer piece = Buffers.wrap(new byte[HEAD_LENGTH + part]);
            piece.putBytes(0, frame, offset, begin - offset);
            if (!isFragment)
            {
                fill(piece, Multicasts.PREFIX_LENGTH, frame.getInt(offset + Multicasts.HANDLER_OFFSET),
                    frame.getLong(offset + MessageHeader.ARGUMENTS_OFFSET, BIG_ENDIAN),
                    frame.getLong(offset + MessageHeader.ARGUMENTS_TWO_OFFSET, BIG_ENDIAN), dataLength, 0,
                    (isOrdered ? ORDERED : 0) | (Multicasts.isOutside(frame, offset) ? OUTSIDE : 0));
                piece.putInt(Multicasts.HANDLER_OFFSET, GroupTraffic.MULTICAST);
                piece.putLong(MessageHeader.ARGUMENTS_OFFSET, arguments01(roster), BIG_ENDIAN);
                piece.putLong(MessageHeader.ARGUMENTS_TWO_OFFSET, arguments23(number), BIG_ENDIAN);
            }
            piece.putInt(Multicasts.PREFIX_LENGTH + OFFSET_OFFSET, first + done);
            piece.putBytes(HEAD_LENGTH, frame, begin + done, part);
            sink.accept(piece);
        }
    }

    /** A fragment has come. Returns the whole message behind its prefix; null if it is not whole. */
    DirectBuffer onFragment(
        final int origin, final int number, final DirectBuffer buffer, final int offset, final int length)
    {
        final int dataLength = length - WORDS_LENGTH;
        final int total = dataLength > 0 ? buffer.getInt(offset + TOTAL_OFFSET) : 0;
        final int fragmentOffset = dataLength > 0 ? buffer.getInt(offset + OFFSET_OFFSET) : 0;
        if (dataLength <= 0 || fragmentOffset < 0 || fragmentOffset > total - dataLength || origin < 0)
        {
            throw new GrimException(BAD_DATA, "fragment of length=" + dataLength + " at offset=" + fragmentOffset +
                " of a multicast of length=" + total + " of node=" + origin);
        }
        final int kind = buffer.getInt(offset + KIND_OFFSET) & KIND_MASK;
        final int key = origin << KIND_BITS | kind;
        if (fragmentOffset == 0)
        {
            parts.remove(key);
            checkLength(origin, total);
            parts.put(key, new Reassembly(number, origin, status(origin), total, kind, buffer, offset));
        }
        final Reassembly part = parts.get(key);
        if (part == null || part.number != number)
        {
            return null;                    // It began before this node was a member, or was given up.
        }
        if (part.length != fragmentOffset || part.total() != total)
        {
            parts.remove(key);
            traffic.lostMulticasts(1);
            return null;
        }
        part.frame.putBytes(Multicasts.PREFIX_LENGTH + fragmentOffset, buffer, offset + WORDS_LENGTH, dataLength);
        part.length += dataLength;
        assert part.length <= total : part.length;
        if (part.length < total)
        {
            return null;
        }
        parts.remove(key);
        return part.frame;
    }

    /**
     * Gives up what is not whole of nodes that were not members of the epoch before either: nothing comes any more. In
     * total order something does as long as the owner is the same: it gives tickets to what those had sent to it, and
     * a member that is slow may hold that up for many epochs.
     */
    void follow(final Roster next, final boolean isOtherOwner)
    {
        final Roster before = latest;
        latest = next;
        parts.values().removeIf(part ->
        {
            part.mayStillCome &= !isOtherOwner;
            final boolean isOver = !part.isOutside() && !part.mayStillCome &&
                before.rankOf(part.origin) < 0 && next.rankOf(part.origin) < 0;
            traffic.lostMulticasts(isOver ? 1 : 0);
            return isOver;
        });
    }

    /**
     * Gives up what is not whole of senders that are no members, and were found dead a while ago: until then the owner
     * may have the rest.
     */
    void dropGone(final long nowNs)
    {
        if (!parts.isEmpty())
        {
            parts.values().removeIf(part ->
            {
                final boolean isOver = part.isOutside() && part.isGone(status(part.origin), nowNs);
                traffic.lostMulticasts(isOver ? 1 : 0);
                return isOver;
            });
        }
    }

    private int status(final int node)
    {
        return node < traffic.directory().nodeCountMax() ? traffic.directory().status(node) : 0;
    }

    private void checkLength(final int origin, final int total)
    {
        if (total > lengthMax)
        {
            traffic.lostMulticasts(1);
            throw new GrimException(BAD_DATA, "multicast of length=" + total + " of node=" + origin +
                " exceeds max=" + lengthMax + " of this node (grim.message.length-max), which all members set alike");
        }
    }

    /** A message of which not all fragments have come. */
    private static final class Reassembly
    {
        private final int number;
        private final int origin;
        private final int status;                   // Of the origin's node when it began.
        private final int kind;
        private final MutableDirectBuffer frame;
        private boolean isFoundGone;
        private long goneNs;
        private boolean mayStillCome;               // The owner of total order may have the rest.
        private int length;

        Reassembly(
            final int number, final int origin, final int status, final int total, final int kind,
            final DirectBuffer words, final int wordsOffset)
        {
            this.status = status;
            this.kind = kind;
            mayStillCome = (kind & ORDERED) != 0;
            this.number = number;
            this.origin = origin;
            frame = Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH + total]);
            frame.putBytes(0, words, wordsOffset, WORDS_LENGTH);
            frame.putInt(Multicasts.ORIGIN_OFFSET, origin);
        }

        boolean isOutside()
        {
            return (kind & OUTSIDE) != 0;
        }

        /** Whether the node was found to be another incarnation, or none, long before. */
        boolean isGone(final int statusNow, final long nowNs)
        {
            if (statusNow != status && !isFoundGone)
            {
                isFoundGone = true;
                goneNs = nowNs;
            }
            return isFoundGone && nowNs - goneNs > GONE_NS;
        }

        int total()
        {
            return frame.capacity() - Multicasts.PREFIX_LENGTH;
        }
    }
}
