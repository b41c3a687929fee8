// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.group.Reduction;

/** Reductions of elements as they lie in messages, made of those of numbers and pairs, and of users' functions. */
final class Reductions
{
    /** Functions of users that run, in any thread; so the threads' own flags are seldom read. */
    private static final AtomicInteger FUNCTION_COUNT = new AtomicInteger();
    private static final ThreadLocal<Boolean> IS_IN_FUNCTION = ThreadLocal.withInitial(() -> false);

    private Reductions()
    {
        // Static methods only.
    }

    /** Tests whether a user's function runs in this thread: it may hold what a call that communicates waits for. */
    static boolean isInFunction()
    {
        return FUNCTION_COUNT.get() != 0 && IS_IN_FUNCTION.get();
    }

    /** Calls a user's function. */
    static void call(
        final Op.Function function, final Object in, final int inOffset, final Object inOut, final int inOutOffset,
        final int count, final Datatype type)
    {
        FUNCTION_COUNT.incrementAndGet();
        IS_IN_FUNCTION.set(true);
        try
        {
            function.call(in, inOffset, inOut, inOutOffset, count, type);
        }
        finally
        {
            IS_IN_FUNCTION.set(false);
            FUNCTION_COUNT.decrementAndGet();
        }
    }

    /** Applies a reduction to each of the elements of which one of the type consists. */
    static Reduction repeated(final Reduction one, final Datatype type)
    {
        final int length = Math.toIntExact(type.layout().packedLength());
        return length == one.elementLength() ? one : new Repeated(one, length);
    }

    /** The smallest or the largest value with its index. */
    static Reduction location(final Datatype type, final boolean isMaximum)
    {
        final Reduction.Type value = type.pairValues();
        final Reduction.Type index = type.numbers() != null ? value : Reduction.Type.INT;
        final Reduction padded = isMaximum ?
            Reduction.maximumLocation(value, index) : Reduction.minimumLocation(value, index);
        return type.layout().packedLength() == padded.elementLength() ? padded :
            new Unpadded(padded, value.length(), index.length());
    }

    private record Repeated(Reduction one, int elementLength) implements Reduction
    {
        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            one.reduce(target, targetOffset, source, sourceOffset, count * elementLength / one.elementLength());
        }
    }

    /** Pairs without the gaps that they have in memory. */
    private record Unpadded(Reduction padded, int valueLength, int indexLength) implements Reduction
    {
        @Override
        public int elementLength()
        {
            return valueLength + indexLength;
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            final UnsafeBuffer one = new UnsafeBuffer(new byte[padded.elementLength()]);
            final UnsafeBuffer other = new UnsafeBuffer(new byte[padded.elementLength()]);
            for (int i = 0; i < count * elementLength(); i += elementLength())
            {
                pad(one, target, targetOffset + i);
                pad(other, source, sourceOffset + i);
                padded.reduce(one, 0, other, 0, 1);
                target.putBytes(targetOffset + i, one, 0, valueLength);
                target.putBytes(targetOffset + i + valueLength, one, indexOffset(), indexLength);
            }
        }

        private void pad(final UnsafeBuffer pair, final DirectBuffer source, final int offset)
        {
            pair.putBytes(0, source, offset, valueLength);
            pair.putBytes(indexOffset(), source, offset + valueLength, indexLength);
        }

        private int indexOffset()
        {
            return Math.max(valueLength, indexLength);
        }
    }

    /** Products of complex numbers: real parts first. */
    record ComplexProduct(boolean isDouble) implements Reduction
    {
        @Override
        public int elementLength()
        {
            return isDouble ? 2 * Double.BYTES : 2 * Float.BYTES;
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            final int half = elementLength() / 2;
            for (int i = 0; i < count * elementLength(); i += elementLength())
            {
                final double real = get(target, targetOffset + i);
                final double imaginary = get(target, targetOffset + i + half);
                final double otherReal = get(source, sourceOffset + i);
                final double otherImaginary = get(source, sourceOffset + i + half);
                put(target, targetOffset + i, real * otherReal - imaginary * otherImaginary);
                put(target, targetOffset + i + half, real * otherImaginary + imaginary * otherReal);
            }
        }

        private double get(final DirectBuffer buffer, final int offset)
        {
            return isDouble ? buffer.getDouble(offset) : buffer.getFloat(offset);
        }

        private void put(final MutableDirectBuffer buffer, final int offset, final double value)
        {
            if (isDouble)
            {
                buffer.putDouble(offset, value);
            }
            else
            {
                buffer.putFloat(offset, (float)value);
            }
        }
    }

    /** One of the sides. */
    record Chosen(int elementLength, boolean isSecond) implements Reduction
    {
        @Override
        public boolean isCommutative()
        {
            return false;
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            if (isSecond)
            {
                target.putBytes(targetOffset, source, sourceOffset, count * elementLength);
            }
        }
    }

    /** A user's function: elements lie as in arrays of their own while it runs. */
    record Applied(Op.Function function, Datatype type, boolean isCommutative) implements Reduction
    {
        @Override
        public int elementLength()
        {
            return Math.toIntExact(type.layout().packedLength());
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            final int before = type.before(count);
            final int elements = count * type.layout().size();
            if (function.isOfBuffers(type))
            {
                final ByteBuffer in = newBuffer(count);
                final ByteBuffer inOut = newBuffer(count);
                type.layout().unpack(target, targetOffset, new UnsafeBuffer(in), before, 0, elements);
                type.layout().unpack(source, sourceOffset, new UnsafeBuffer(inOut), before, 0, elements);
                call(function, fromFirst(in, before), 0, fromFirst(inOut, before), 0, count, type);
                type.layout().pack(new UnsafeBuffer(inOut), before, 0, target, targetOffset, elements);
            }
            else
            {
                final Object in = type.newArray(before + type.span(count));
                final Object inOut = type.newArray(before + type.span(count));
                type.layout().unpack(target, targetOffset, in, before, 0, elements);
                type.layout().unpack(source, sourceOffset, inOut, before, 0, elements);
                call(function, in, before, inOut, before, count, type);
                type.layout().pack(inOut, before, 0, target, targetOffset, elements);
            }
        }

        private ByteBuffer newBuffer(final int count)
        {
            return ByteBuffer.allocateDirect((type.before(count) + type.span(count)) * type.basic().elementLength());
        }

        private ByteBuffer fromFirst(final ByteBuffer buffer, final int before)
        {
            final int offset = before * type.basic().elementLength();
            return buffer.slice(offset, buffer.capacity() - offset).order(ByteOrder.nativeOrder());
        }
    }
}
