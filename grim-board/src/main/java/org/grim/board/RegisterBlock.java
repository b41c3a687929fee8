// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Flyweight over a block of big endian registers in SRAM. A subclass holds the table of its fields, and the operations
 * that take more than one field. Each field has one writer; a release store of a field pairs with the acquire load of
 * the same field on the other side. Words that the firmware reads were written by a host and must be checked.
 * <p>Thread: any. Owns nothing; allocates nothing.
 *
 * @param <B> the subclass, so that the fields of another block do not compile.
 */
public abstract class RegisterBlock<B extends RegisterBlock<B>>
{
    final AtomicBuffer sram;
    final int offset;

    RegisterBlock(final AtomicBuffer sram, final int offset)
    {
        this.sram = sram;
        this.offset = offset;
    }

    /** Reads a field, without order. */
    public final int get(final Word<B> field)
    {
        return BigEndian.getInt(sram, offset + field.offset);
    }

    /**
     * Reads one of several fields in a row, without order.
     *
     * @param first field of the row.
     * @param index of the field in the row, from 0, unchecked.
     * @return its value.
     */
    public final int get(final Word<B> first, final int index)
    {
        return BigEndian.getInt(sram, offset + first.offset + index * SIZE_OF_INT);
    }

    /** Reads a field, with acquire order. */
    public final int getAcquire(final Word<B> field)
    {
        return BigEndian.getIntAcquire(sram, offset + field.offset);
    }

    /** Writes a field, without order. */
    public final B put(final Word<B> field, final int value)
    {
        BigEndian.putInt(sram, offset + field.offset, value);
        return self();
    }

    /**
     * Writes one of several fields in a row, without order.
     *
     * @param first field of the row.
     * @param index of the field in the row, from 0, unchecked.
     * @param value of it.
     */
    public final void put(final Word<B> first, final int index, final int value)
    {
        BigEndian.putInt(sram, offset + first.offset + index * SIZE_OF_INT, value);
    }

    /** Writes a field, with release order. */
    public final void putRelease(final Word<B> field, final int value)
    {
        BigEndian.putIntRelease(sram, offset + field.offset, value);
    }

    /**
     * Counts, with release order. Only by the field's writer: a plain load and a release store.
     *
     * @param counter to change, modulo 2^32.
     * @param count   to add.
     */
    public final void addRelease(final Word<B> counter, final int count)
    {
        putRelease(counter, get(counter) + count);
    }

    /** Reads a field, without order. */
    public final long get(final DoubleWord<B> field)
    {
        return BigEndian.getLong(sram, offset + field.offset);
    }

    /**
     * Reads one of several fields in a row, without order.
     *
     * @param first field of the row.
     * @param index of the field in the row, from 0, unchecked.
     * @return its value.
     */
    public final long get(final DoubleWord<B> first, final int index)
    {
        return BigEndian.getLong(sram, offset + first.offset + index * SIZE_OF_LONG);
    }

    /** Reads a field, with acquire order. */
    public final long getAcquire(final DoubleWord<B> field)
    {
        return BigEndian.getLongAcquire(sram, offset + field.offset);
    }

    /** Writes a field, without order. */
    public final B put(final DoubleWord<B> field, final long value)
    {
        BigEndian.putLong(sram, offset + field.offset, value);
        return self();
    }

    /**
     * Writes one of several fields in a row, without order.
     *
     * @param first field of the row.
     * @param index of the field in the row, from 0, unchecked.
     * @param value of it.
     */
    public final void put(final DoubleWord<B> first, final int index, final long value)
    {
        BigEndian.putLong(sram, offset + first.offset + index * SIZE_OF_LONG, value);
    }

    /** Writes a field, with release order. */
    public final void putRelease(final DoubleWord<B> field, final long value)
    {
        BigEndian.putLongRelease(sram, offset + field.offset, value);
    }

    abstract B self();

    /** A field of 32 bits. A compiler folds the offset of a constant: records' fields never change. */
    @SuppressWarnings("UnusedTypeParameter")        // It distinguishes the fields of one block from those of another.
    public record Word<B>(int offset)
    {
        int end()
        {
            return offset + SIZE_OF_INT;
        }
    }

    /** A field of 64 bits. */
    @SuppressWarnings("UnusedTypeParameter")        // It distinguishes the fields of one block from those of another.
    public record DoubleWord<B>(int offset)
    {
        int end()
        {
            return offset + SIZE_OF_LONG;
        }
    }
}
