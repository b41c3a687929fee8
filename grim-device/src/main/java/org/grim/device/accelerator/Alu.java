// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The built-in kernels {@code alu}, on 32-bit signed words (little endian), and {@code alu-bytes}, on unsigned bytes.
 * Operand A is the payload and B the constant, or A is the first and B the second half of the payload; either may be in
 * a page. Results wrap.
 */
final class Alu implements Kernel
{
    /** Sub-operations, by number. */
    enum Operation
    {
        /** A. */
        PASS,
        /** All bits of A inverted. */
        NOT,
        /** A + B. */
        ADD,
        /** A - B. */
        SUBTRACT,
        /** A * B. */
        MULTIPLY,
        /** Bits of both. */
        AND,
        /** Bits of either. */
        OR,
        /** Bits of one. */
        XOR,
        /** Lesser value. */
        MINIMUM,
        /** Greater value. */
        MAXIMUM;

        private static final Operation[] VALUES = values();

        private boolean isUnary()
        {
            return this == PASS || this == NOT;
        }

        private int apply(final int a, final int b)
        {
            return switch (this)
            {
                case PASS -> a;
                case NOT -> ~a;
                case ADD -> a + b;
                case SUBTRACT -> a - b;
                case MULTIPLY -> a * b;
                case AND -> a & b;
                case OR -> a | b;
                case XOR -> a ^ b;
                case MINIMUM -> Math.min(a, b);
                case MAXIMUM -> Math.max(a, b);
            };
        }
    }

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int BYTE_MASK = 0xFF;

    private final String name;
    private final int width;

    private Alu(final String name, final int width)
    {
        this.name = name;
        this.width = width;
    }

    static List<Kernel> all()
    {
        return List.of(new Alu("alu", Integer.BYTES), new Alu("alu-bytes", Byte.BYTES));
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public int run(final KernelCall call, final MutableDirectBuffer result)
    {
        if (call.operation() >= Operation.VALUES.length)
        {
            throw new IllegalArgumentException(
                name + " has no operation=" + call.operation() + ": max=" + (Operation.VALUES.length - 1));
        }
        final Operation operation = Operation.VALUES[call.operation()];
        final boolean isB = call.hasOperandB() && !operation.isUnary();
        if (isB && call.operandBLength() != call.length())
        {
            throw new IllegalArgumentException(name + ": operand A of length=" + call.length() +
                ", operand B of length=" + call.operandBLength());
        }
        final boolean isSplit = !operation.isUnary() && !call.hasConstant() && !isB;
        final int unit = isSplit ? 2 * width : width;
        if (call.length() % unit != 0)
        {
            throw new IllegalArgumentException(name + " " + operation.name().toLowerCase(Locale.ROOT) + ": length=" +
                call.length() + " is no multiple of " + unit);
        }
        if (operation == Operation.PASS)
        {
            result.putBytes(0, call.source(), 0, call.length());
            return call.length();
        }
        final int length = isSplit ? call.length() / 2 : call.length();
        final DirectBuffer second = isB ? call.operandB() : call.source();
        final int shift = isB ? 0 : length;
        for (int i = 0; i < length; i += width)
        {
            put(result, i, operation.apply(value(call.source(), i),
                isSplit || isB ? value(second, shift + i) : constant(call)));
        }
        return length;
    }

    private int constant(final KernelCall call)
    {
        return width == Byte.BYTES ? call.constant() & BYTE_MASK : call.constant();
    }

    private int value(final DirectBuffer buffer, final int index)
    {
        return width == Byte.BYTES ? buffer.getByte(index) & BYTE_MASK : buffer.getInt(index, ORDER);
    }

    private void put(final MutableDirectBuffer buffer, final int index, final int value)
    {
        if (width == Byte.BYTES)
        {
            buffer.putByte(index, (byte)value);
        }
        else
        {
            buffer.putInt(index, value, ORDER);
        }
    }
}
