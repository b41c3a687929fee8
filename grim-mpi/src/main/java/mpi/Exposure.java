// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.group.Reduction;
import org.grim.mpi.Members;
import org.grim.mpi.Responder;

/**
 * Memory of this process that members of a window access by requests, and its lock.
 * <pre>
 *  request  kind, tag of the answer, operation, type, number of runs; each run's offset and length; elements
 *  answer   elements as they were before, or nothing; one byte more if there is no such memory
 * </pre>
 * <p>Thread: the engine's owner. Requests of a member are done in its order; each is atomic.
 */
final class Exposure implements Responder.Handler
{
    static final int PUT = 0;
    static final int FETCH = 1;                 // Answers with the elements as they were.
    static final int SWAP = 2;                  // Elements: those that are compared, and then the new ones.
    static final int LOCK_SHARED = 3;
    static final int LOCK_EXCLUSIVE = 4;
    static final int UNLOCK = 5;

    /** Operations and types, by their numbers in requests. */
    static final List<Op> OPERATIONS = List.of(Op.REPLACE, Op.NO_OP, Op.SUM, Op.PROD, Op.MAX, Op.MIN, Op.LAND, Op.LOR,
        Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.MINLOC, Op.MAXLOC);
    static final List<Datatype> TYPES = List.of(Datatype.BYTE, Datatype.CHAR, Datatype.SHORT, Datatype.BOOLEAN,
        Datatype.INT, Datatype.LONG, Datatype.FLOAT, Datatype.DOUBLE, Datatype.FLOAT_COMPLEX, Datatype.DOUBLE_COMPLEX,
        Datatype.INT2, Datatype.SHORT_INT, Datatype.LONG_INT, Datatype.FLOAT_INT, Datatype.DOUBLE_INT);

    private static final int HEADER_INTS = 5;
    private static final byte[] NOTHING = {};

    private final List<Segment> segments = new CopyOnWriteArrayList<>();
    private final Responder responder;
    private final Set<Integer> holders = new HashSet<>();       // Ranks that have the lock.
    private final ArrayDeque<Wish> wishes = new ArrayDeque<>();
    private boolean isExclusive;
    private int end;                            // Offset behind all memory.

    Exposure(final Members members)
    {
        responder = new Responder(members, this);
    }

    Responder responder()
    {
        return responder;
    }

    /**
     * Exposes memory behind what there is, and keeps its buffer reachable; returns false if there are no more offsets.
     * By the window's thread.
     */
    boolean attach(final UnsafeBuffer memory, final Buffer owner)
    {
        final long start = BitUtil.align((long)end, Long.BYTES);
        if (start + memory.capacity() > Integer.MAX_VALUE)
        {
            return false;
        }
        end = (int)start + memory.capacity();
        return segments.add(new Segment((int)start, memory, owner));
    }

    /** Exposes memory no more; returns false if it was not exposed. */
    boolean detach(final long address)
    {
        return segments.removeIf(segment -> segment.memory.addressOffset() == address);
    }

    /** Encodes a request. */
    static byte[] request(
        final int kind, final int tag, final int operation, final int type, final int[] runs, final byte[] elements)
    {
        final int length = BitUtil.SIZE_OF_INT * (HEADER_INTS + runs.length);
        final byte[] request = new byte[length + elements.length];
        final UnsafeBuffer buffer = new UnsafeBuffer(request);
        final int[] header = {kind, tag, operation, type, runs.length};
        for (int i = 0; i < HEADER_INTS + runs.length; i++)
        {
            buffer.putInt(BitUtil.SIZE_OF_INT * i, i < HEADER_INTS ? header[i] : runs[i - HEADER_INTS]);
        }
        buffer.putBytes(length, elements);
        return request;
    }

    @Override
    public void onRequest(final int source, final byte[] request)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(request);
        final int kind = buffer.getInt(0);
        final int tag = buffer.getInt(BitUtil.SIZE_OF_INT);
        switch (kind)
        {
            case LOCK_SHARED, LOCK_EXCLUSIVE ->
            {
                wishes.add(new Wish(source, tag, kind == LOCK_EXCLUSIVE));
                grant();
            }
            case UNLOCK ->
            {
                holders.remove(source);
                responder.answer(source, tag, NOTHING);
                grant();
            }
            default -> responder.answer(source, tag, access(kind, buffer));
        }
    }

    @Override
    public void onGone(final int source)
    {
        wishes.removeIf(wish -> wish.source == source);
        holders.remove(source);
        grant();
    }

    private void grant()
    {
        while (!wishes.isEmpty() && (holders.isEmpty() || !(isExclusive || wishes.peek().isExclusive)))
        {
            final Wish wish = wishes.remove();
            isExclusive = wish.isExclusive;
            holders.add(wish.source);
            responder.answer(wish.source, wish.tag, NOTHING);
        }
    }

    private byte[] access(final int kind, final UnsafeBuffer request)
    {
        final Op operation = OPERATIONS.get(request.getInt(2 * BitUtil.SIZE_OF_INT));
        final Datatype type = TYPES.get(request.getInt(3 * BitUtil.SIZE_OF_INT));
        final int[] runs = new int[request.getInt(4 * BitUtil.SIZE_OF_INT)];
        int offset = BitUtil.SIZE_OF_INT * HEADER_INTS;
        int length = 0;
        for (int i = 0; i < runs.length; i++, offset += BitUtil.SIZE_OF_INT)
        {
            runs[i] = request.getInt(offset);
            length += i % 2 == 1 ? runs[i] : 0;
        }
        final Segment[] places = places(runs);
        if (places == null)
        {
            return new byte[length + 1];
        }
        final boolean isWrite = kind != SWAP && operation == Op.REPLACE;
        final byte[] before = kind == PUT && isWrite ? NOTHING : read(places, runs, length);
        if (isWrite)
        {
            write(places, runs, request.byteArray(), offset);
        }
        else if (kind == SWAP)
        {
            if (Arrays.equals(before, 0, length, request.byteArray(), offset, offset + length))
            {
                write(places, runs, request.byteArray(), offset + length);
            }
        }
        else if (operation != Op.NO_OP)
        {
            final Reduction reduction = operation.reduction(type);
            final byte[] after = before.clone();
            reduction.reduce(new UnsafeBuffer(after), 0, request, offset, length / reduction.elementLength());
            write(places, runs, after, 0);
        }
        return kind == PUT ? NOTHING : before;
    }

    /** {@return where each run lies; null if one lies nowhere} */
    private Segment[] places(final int[] runs)
    {
        final Segment[] places = new Segment[runs.length / 2];
        for (int i = 0; i < places.length; i++)
        {
            final int length = runs[2 * i + 1];
            places[i] = length == 0 ? null : segment(runs[2 * i], length);
            if (length > 0 && places[i] == null)
            {
                return null;
            }
        }
        return places;
    }

    private static byte[] read(final Segment[] places, final int[] runs, final int length)
    {
        final byte[] elements = new byte[length];
        int position = 0;
        for (int i = 0; i < runs.length; i += 2)
        {
            if (runs[i + 1] > 0)
            {
                final Segment segment = places[i / 2];
                segment.memory.getBytes(runs[i] - segment.start, elements, position, runs[i + 1]);
                position += runs[i + 1];
            }
        }
        return elements;
    }

    private static void write(final Segment[] places, final int[] runs, final byte[] elements, final int offset)
    {
        int position = offset;
        for (int i = 0; i < runs.length; i += 2)
        {
            if (runs[i + 1] > 0)
            {
                final Segment segment = places[i / 2];
                segment.memory.putBytes(runs[i] - segment.start, elements, position, runs[i + 1]);
                position += runs[i + 1];
            }
        }
    }

    /** {@return where all of a run lies; null if it lies nowhere} */
    private Segment segment(final int offset, final int length)
    {
        for (final Segment segment : segments)
        {
            if (offset >= segment.start && length <= segment.memory.capacity() - (offset - segment.start))
            {
                return segment;
            }
        }
        return null;
    }

    /** Memory, and the offset that it begins at. */
    private record Segment(int start, UnsafeBuffer memory, Buffer owner)
    {
    }

    /** A lock that a member waits for. */
    private record Wish(int source, int tag, boolean isExclusive)
    {
    }
}
