// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.SplittableRandom;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.death.Patterns;
import org.grim.group.Group;
import org.grim.group.Reduction;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The operation of a number in an epoch: the same at all members, who need not speak about it. With a flaw, one member
 * calls another operation, or its reduction throws.
 */
final class OperationPlan
{
    /** Most bytes of a part. */
    static final int LENGTH_MAX = 60_000;

    private static final int KIND_COUNT = 8;
    private static final int[] LENGTHS = {0, 8, 96, 1_000, 4_096, 5_000, 20_000, LENGTH_MAX};
    private static final int[] ELEMENT_LENGTHS = {8, 8, 24, 4_096};
    private static final int MEMBERS_MAX = 64;
    private static final Reduction SUM = Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM);

    private final int kind;
    private final int root;
    private final int length;
    private final Flaw flaw;
    private final Reduction reduction;
    private final int size;
    private final int rank;
    private final int key;

    /** Its fault. */
    enum Flaw
    {
        /** Nothing. */
        NONE(""),
        /** One member calls another operation. */
        OTHER_CALL("MISMATCHED"),
        /** One member's reduction throws. */
        THROWS("FAILED");

        private final String outcome;

        Flaw(final String outcome)
        {
            this.outcome = outcome;
        }

        /** A member may be done before, or the group may change, or it may leave. */
        boolean mayEndSo(final Group.Status status)
        {
            return status == Group.Status.DONE || status == Group.Status.GROUP_CHANGED ||
                status == Group.Status.CLOSED || status.name().equals(outcome);
        }
    }

    /** Kind of difference between two calls. */
    private enum Difference
    {
        KIND, ROOT, LENGTH
    }

    private OperationPlan(final long seed, final int epoch, final int number, final int rank, final int size)
    {
        final SplittableRandom random = new SplittableRandom(seed * 31 + epoch * 1_000_003L + number);
        this.rank = rank;
        this.size = size;
        key = random.nextInt();
        final int flawDice = size == 1 ? 100 : random.nextInt(100);
        final boolean isOdd = random.nextInt(size) == rank;
        final int commonKind = flawDice < 5 ? 2 + random.nextInt(2) : random.nextInt(KIND_COUNT);
        flaw = flawDice < 5 ? Flaw.THROWS : flawDice < 12 ? Flaw.OTHER_CALL : Flaw.NONE;
        final int commonRoot = random.nextInt(size);
        final int element =
            commonKind == 2 || commonKind == 3 ? ELEMENT_LENGTHS[random.nextInt(ELEMENT_LENGTHS.length)] : 1;
        final int commonLength = (LENGTHS[random.nextInt(LENGTHS.length)] + element - 1) / element * element;
        final Difference wanted = MemberRecord.of(Difference.values(), random.nextInt(Difference.values().length));
        final Difference difference = flaw != Flaw.OTHER_CALL || !isOdd ? null :
            commonKind == 0 || (wanted == Difference.ROOT && !hasRoot(commonKind)) ? Difference.KIND : wanted;
        kind = difference == Difference.KIND ? (commonKind + 1) % KIND_COUNT : commonKind;
        root = (commonRoot + (difference == Difference.ROOT ? 1 : 0)) % size;
        length = commonLength + (difference == Difference.LENGTH ? element * 2 : 0);
        reduction = flaw == Flaw.THROWS && isOdd ? new Thrower(element) :
            flaw != Flaw.THROWS && element == SUM.elementLength() ? SUM : new Xor(element);
    }

    static OperationPlan of(final long seed, final int epoch, final int number, final int rank, final int size)
    {
        return new OperationPlan(seed, epoch, number, rank, size);
    }

    int kind()
    {
        return kind;
    }

    Flaw flaw()
    {
        return flaw;
    }

    /** Bytes that a source or target needs. */
    static int roomLength()
    {
        return (LENGTH_MAX + Reduction.ELEMENT_LENGTH_MAX) * 8;
    }

    /** Whether the buffers are long enough for so many members. */
    boolean hasRoom()
    {
        return size <= 8;
    }

    void begin(
        final Group group, final MutableDirectBuffer source, final MutableDirectBuffer target,
        final Group.Request request)
    {
        final int count = length / reduction.elementLength();
        fillSource(source);
        target.setMemory(0, Math.min(target.capacity(), length * size), (byte)0x55);
        switch (kind)
        {
            case 0 -> group.barrier(request);
            case 1 ->
            {
                if (rank == root)
                {
                    fill(target, 0, root, 0);
                }
                group.broadcast(root, target, 0, length, request);
            }
            case 2 -> group.reduce(root, source, 0, target, 0, count, reduction, request);
            case 3 -> group.allReduce(source, 0, target, 0, count, reduction, request);
            case 4 -> group.gather(root, source, 0, length, target, 0, request);
            case 5 -> group.allGather(source, 0, length, target, 0, request);
            case 6 -> group.scatter(root, source, 0, length, target, 0, request);
            default -> group.allToAll(source, 0, length, target, 0, request);
        }
    }

    /** Whether the target has what a finished operation of this kind leaves there. */
    boolean isRight(final DirectBuffer target)
    {
        if (flaw == Flaw.OTHER_CALL || kind == 0 || (rank != root && (kind == 2 || kind == 4)))
        {
            return true;
        }
        final MutableDirectBuffer expected = new UnsafeBuffer(new byte[Math.max(1, length * size)]);
        switch (kind)
        {
            case 1 -> fill(expected, 0, root, 0);
            case 2, 3 -> combine(expected);
            case 6 -> fill(expected, 0, root, rank);
            default ->
            {
                for (int from = 0; from < size; from++)
                {
                    fill(expected, from * length, from, kind == 7 ? rank : 0);
                }
            }
        }
        final boolean isWhole = kind == 4 || kind == 5 || kind == 7;
        return isEqual(expected, target, isWhole ? length * size : length);
    }

    @Override
    public String toString()
    {
        final String[] names =
            {"barrier", "broadcast", "reduce", "allReduce", "gather", "allGather", "scatter", "allToAll"};
        return names[kind] + " root=" + root + " length=" + length + " rank=" + rank + " of " + size + " flaw=" + flaw +
            " element=" + reduction.elementLength();
    }

    private static boolean hasRoot(final int kind)
    {
        return kind == 1 || kind == 2 || kind == 4 || kind == 6;
    }

    private void fillSource(final MutableDirectBuffer source)
    {
        if (kind == 6 || kind == 7)
        {
            for (int to = 0; to < size; to++)
            {
                fill(source, to * length, rank, to);
            }
        }
        else
        {
            fill(source, 0, rank, 0);
        }
    }

    private void fill(final MutableDirectBuffer buffer, final int offset, final int from, final int to)
    {
        Patterns.fill(buffer, offset, length, key, from * MEMBERS_MAX + to);
    }

    private void combine(final MutableDirectBuffer expected)
    {
        final MutableDirectBuffer part = new UnsafeBuffer(new byte[Math.max(1, length)]);
        fill(expected, 0, 0, 0);
        final Reduction same = reduction == SUM ? SUM : new Xor(1);
        for (int from = 1; from < size; from++)
        {
            fill(part, 0, from, 0);
            same.reduce(expected, 0, part, 0, length / same.elementLength());
        }
    }

    private static boolean isEqual(final DirectBuffer expected, final DirectBuffer actual, final int length)
    {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            if (expected.getLong(i, LITTLE_ENDIAN) != actual.getLong(i, LITTLE_ENDIAN))
            {
                return false;
            }
        }
        while (i < length && expected.getByte(i) == actual.getByte(i))
        {
            i++;
        }
        return i >= length;
    }

    /** One of a program's own. */
    private static class Xor implements Reduction
    {
        private final int elementLength;

        Xor(final int elementLength)
        {
            this.elementLength = elementLength;
        }

        @Override
        public int elementLength()
        {
            return elementLength;
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            for (int i = 0; i < count * elementLength; i++)
            {
                target.putByte(
                    targetOffset + i, (byte)(target.getByte(targetOffset + i) ^ source.getByte(sourceOffset + i)));
            }
        }
    }

    /** One of a program's own that has a fault. */
    static final class Thrower extends Xor
    {
        static final String MESSAGE = "a reduction that throws";

        Thrower(final int elementLength)
        {
            super(elementLength);
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            throw new UnsupportedOperationException(MESSAGE);
        }
    }
}
