// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.AtomicOperation;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Atomic operations on words of 32 or 64 bits in the byte order of the machine, by the processor's own instructions,
 * with full fences: so they are atomic with those of every thread and process that has the memory mapped.
 * <p>Thread: any; no state.
 */
public final class AtomicWord
{
    private AtomicWord()
    {
    }

    /**
     * Whether a word can be of some length.
     *
     * @param length bytes, any number.
     * @return true for 4 and 8.
     */
    public static boolean isLength(final int length)
    {
        return length == SIZE_OF_INT || length == SIZE_OF_LONG;
    }

    /**
     * Whether a word can be at an address.
     *
     * @param address any number.
     * @param length  bytes of the word, a power of two.
     * @return true at its multiples.
     */
    public static boolean isAligned(final long address, final int length)
    {
        return (address & (length - 1)) == 0;
    }

    /**
     * Executes an operation.
     *
     * @param operation to execute.
     * @param memory    with the word.
     * @param index     of the word in it, whose address is a multiple of the length.
     * @param length    bytes of the word, 4 or 8; of 4, operand and comparand have their lower 32 bits.
     * @param operand   to add, to store or to combine.
     * @param comparand that the word has to hold for {@link AtomicOperation#COMPARE_AND_SET}; else not looked at.
     * @return the word before; with its sign, if it has 4 bytes.
     */
    public static long execute(
        final AtomicOperation operation, final AtomicBuffer memory, final int index, final int length,
        final long operand, final long comparand)
    {
        final boolean isInt = length == SIZE_OF_INT;
        return switch (operation)
        {
            case FETCH_ADD -> isInt ? memory.getAndAddInt(index, (int)operand) : memory.getAndAddLong(index, operand);
            case COMPARE_AND_SET -> isInt ? memory.compareAndExchangeInt(index, (int)comparand, (int)operand) :
                memory.compareAndExchangeLong(index, comparand, operand);
            case GET_AND_SET -> isInt ? memory.getAndSetInt(index, (int)operand) :
                memory.getAndSetLong(index, operand);
            case FETCH_AND, FETCH_OR, FETCH_XOR -> combine(operation, memory, index, isInt, operand);
        };
    }

    /** Tries until no other processor has changed the word meanwhile; one of them has gone on then. */
    private static long combine(
        final AtomicOperation operation, final AtomicBuffer memory, final int index, final boolean isInt,
        final long operand)
    {
        long found = isInt ? memory.getIntVolatile(index) : memory.getLongVolatile(index);
        while (true)
        {
            final long expected = found;
            final long value = operation == AtomicOperation.FETCH_AND ? expected & operand :
                operation == AtomicOperation.FETCH_OR ? expected | operand : expected ^ operand;
            found = isInt ? memory.compareAndExchangeInt(index, (int)expected, (int)value) :
                memory.compareAndExchangeLong(index, expected, value);
            if (found == expected)
            {
                return found;
            }
        }
    }

    /**
     * Writes a result as it travels: little endian.
     *
     * @param target of the bytes.
     * @param index  of the first of them.
     * @param length 4 or 8.
     * @param value  of the word; its lower bytes are written.
     */
    public static void putResult(
        final MutableDirectBuffer target, final int index, final int length, final long value)
    {
        if (length == SIZE_OF_INT)
        {
            target.putInt(index, (int)value, LITTLE_ENDIAN);
        }
        else
        {
            target.putLong(index, value, LITTLE_ENDIAN);
        }
    }

    /**
     * Reads what {@link #putResult} wrote.
     *
     * @param source of the bytes.
     * @param index  of the first of them.
     * @param length 4 or 8.
     * @return the value; with its sign, if it has 4 bytes.
     */
    public static long result(final AtomicBuffer source, final int index, final int length)
    {
        return length == SIZE_OF_INT ? source.getInt(index, LITTLE_ENDIAN) : source.getLong(index, LITTLE_ENDIAN);
    }
}
