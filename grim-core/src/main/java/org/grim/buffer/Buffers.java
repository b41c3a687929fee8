// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.nio.ByteBuffer;
import java.util.Optional;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * The only place that makes {@link AtomicBuffer}s, so that another kind of memory access can replace it here. Any
 * thread.
 */
public final class Buffers
{
    /** Bytes that processors pass to each other at once; fields of different writers stand this far apart. */
    public static final int CACHE_LINE_LENGTH = 64;

    private static final String PACKAGE_NEEDED = "jdk.internal.misc";

    private Buffers()
    {
    }

    /**
     * Checks that this JVM lets Agrona reach memory.
     *
     * @throws GrimException with the missing flag in its text.
     */
    public static void requireAccess()
    {
        // A class literal does not initialise UnsafeBuffer, which would fail with an IllegalAccessError instead.
        if (!Object.class.getModule().isOpen(PACKAGE_NEEDED, UnsafeBuffer.class.getModule()))
        {
            final Module agrona = UnsafeBuffer.class.getModule();
            final String target = agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED";
            throw new GrimException(UNAVAILABLE,
                "this JVM was started without the flag that GRIM needs: --add-opens=java.base/" +
                PACKAGE_NEEDED + "=" + target, new IllegalAccessError(PACKAGE_NEEDED + " is not open to " + target));
        }
    }

    /** {@return the option of this JVM that keeps it from unmapping memory that was let go; empty if there is none} */
    public static Optional<String> unmappingHindrance()
    {
        return LingeringMemory.hindrance();
    }

    /**
     * A view of a byte buffer's memory.
     *
     * @param memory direct, mapped or on the heap; kept reachable by the view.
     * @return the view.
     */
    public static AtomicBuffer wrap(final ByteBuffer memory)
    {
        return new UnsafeBuffer(memory);
    }

    /** A view of an array on the heap. */
    public static AtomicBuffer wrap(final byte[] bytes)
    {
        return new UnsafeBuffer(bytes);
    }

    /**
     * A view of part of a buffer's memory.
     *
     * @param memory what to look at.
     * @param offset first byte of the part.
     * @param length bytes of the part.
     * @return the view.
     */
    public static AtomicBuffer wrap(final AtomicBuffer memory, final int offset, final int length)
    {
        return new UnsafeBuffer(memory, offset, length);
    }

    /**
     * Returns a view of memory outside the heap that the caller mapped, and keeps mapped as long as the view is used.
     *
     * @param address of the first byte, a multiple of 8.
     * @param length  bytes.
     * @return the view.
     */
    public static AtomicBuffer wrap(final long address, final int length)
    {
        return new UnsafeBuffer(address, length);
    }

    /**
     * Zeroed memory outside the heap, of this process alone, beginning on a cache line. Returns a view of it, which
     * also keeps it alive.
     */
    public static AtomicBuffer allocate(final int length)
    {
        return allocate(length, CACHE_LINE_LENGTH);
    }

    /**
     * Zeroed memory outside the heap, of this process alone.
     *
     * @param length    bytes.
     * @param alignment of the first byte, a power of two.
     * @return a view of it, which also keeps it alive.
     * @throws GrimException if the JVM may not have that much.
     */
    public static AtomicBuffer allocate(final int length, final int alignment)
    {
        return allocate(length, alignment, "");
    }

    /**
     * Zeroed memory outside the heap, of this process alone.
     *
     * @param length    bytes.
     * @param alignment of the first byte, a power of two.
     * @param fix       what the user can do besides if the JVM may not have that much, as the end of a sentence.
     * @return a view of it, which also keeps it alive.
     * @throws GrimException if the JVM may not have that much.
     */
    public static AtomicBuffer allocate(final int length, final int alignment, final String fix)
    {
        try
        {
            return wrap(BufferUtil.allocateDirectAligned(length, alignment));
        }
        catch (final OutOfMemoryError ex)
        {
            throw new GrimException(NO_ROOM, "the JVM has no room for " + length + " bytes outside the heap (" +
                ex.getMessage() + "): raise -XX:MaxDirectMemorySize" + fix, ex);
        }
    }

    /**
     * Empties a view where it is. Nothing but its capacity changes, so another thread that uses it at this moment finds
     * the memory, which the view keeps alive, or an {@link IndexOutOfBoundsException}.
     *
     * @param view to empty.
     */
    public static void empty(final AtomicBuffer view)
    {
        view.wrap(view, 0, 0);
    }

    /**
     * Copies few bytes, a word at a time: below some 100 bytes this is quicker than the call of a copying routine. A
     * thread that reads meanwhile sees an aligned word of 4 or 8 bytes, copied alone, as it was or as it will be.
     *
     * @param target      to copy to.
     * @param targetIndex first byte there.
     * @param source      to copy from.
     * @param sourceIndex first byte there.
     * @param length      bytes.
     */
    public static void copyWords(
        final MutableDirectBuffer target, final int targetIndex, final DirectBuffer source, final int sourceIndex,
        final int length)
    {
        if (length < SIZE_OF_LONG)
        {
            copyBelowLong(target, targetIndex, source, sourceIndex, length);
            return;
        }
        final int last = length - SIZE_OF_LONG;
        for (int i = 0; i < last; i += SIZE_OF_LONG)
        {
            target.putLong(targetIndex + i, source.getLong(sourceIndex + i));
        }
        target.putLong(targetIndex + last, source.getLong(sourceIndex + last));     // May repeat some bytes.
    }

    private static void copyBelowLong(
        final MutableDirectBuffer target, final int targetIndex, final DirectBuffer source, final int sourceIndex,
        final int length)
    {
        if (length < SIZE_OF_INT)
        {
            for (int i = 0; i < length; i++)
            {
                target.putByte(targetIndex + i, source.getByte(sourceIndex + i));
            }
            return;
        }
        final int last = length - SIZE_OF_INT;
        target.putInt(targetIndex, source.getInt(sourceIndex));
        if (last > 0)
        {
            target.putInt(targetIndex + last, source.getInt(sourceIndex + last));
        }
    }

    /**
     * Returns the address of a buffer's first byte, for callers that read or write words that they know to be inside; 0
     * if only the buffer itself reaches its words: it lies on the heap, or is not one that this class made.
     */
    public static long plainAddress(final AtomicBuffer buffer)
    {
        return buffer.getClass() == UnsafeBuffer.class && buffer.byteArray() == null ? buffer.addressOffset() : 0;
    }

    /**
     * Copies few bytes to an address, a word at a time, as {@link #copyWords(MutableDirectBuffer, int, DirectBuffer,
     * int, int)} does.
     *
     * @param targetAddress of the first byte to write, outside the heap, aligned to 8 bytes, mapped during the call.
     * @param source        to copy from; its bounds are the caller's to check.
     * @param sourceIndex   first byte there.
     * @param length        bytes.
     */
    public static void copyWords(
        final long targetAddress, final DirectBuffer source, final int sourceIndex, final int length)
    {
        final byte[] bytes = source.byteArray();
        final long sourceOffset = source.addressOffset() + sourceIndex;
        if (length < SIZE_OF_LONG)
        {
            copyBelowLong(targetAddress, bytes, sourceOffset, length);
            return;
        }
        final int last = length - SIZE_OF_LONG;
        for (int i = 0; i < last; i += SIZE_OF_LONG)
        {
            UnsafeApi.putLong(targetAddress + i, UnsafeApi.getLong(bytes, sourceOffset + i));
        }
        UnsafeApi.putLong(targetAddress + last, UnsafeApi.getLong(bytes, sourceOffset + last));  // May repeat some.
    }

    private static void copyBelowLong(
        final long targetAddress, final byte[] bytes, final long sourceOffset, final int length)
    {
        if (length < SIZE_OF_INT)
        {
            for (int i = 0; i < length; i++)
            {
                UnsafeApi.putByte(targetAddress + i, UnsafeApi.getByte(bytes, sourceOffset + i));
            }
            return;
        }
        final int last = length - SIZE_OF_INT;
        UnsafeApi.putInt(targetAddress, UnsafeApi.getInt(bytes, sourceOffset));
        if (last > 0)
        {
            UnsafeApi.putInt(targetAddress + last, UnsafeApi.getInt(bytes, sourceOffset + last));
        }
    }

    /**
     * Writes a word by address, in no order.
     *
     * @param address of an aligned 32-bit word outside the heap that stays mapped during the call.
     * @param value   in the machine's byte order.
     */
    public static void putInt(final long address, final int value)
    {
        UnsafeApi.putInt(address, value);
    }

    /**
     * Writes a word by address, with release order.
     *
     * @param address of an aligned 32-bit word outside the heap that stays mapped during the call.
     * @param value   in the machine's byte order.
     */
    public static void putIntRelease(final long address, final int value)
    {
        UnsafeApi.putIntRelease(null, address, value);
    }

    /**
     * Writes two words by address, in no order.
     *
     * @param address of an aligned 64-bit word outside the heap that stays mapped during the call.
     * @param value   in the machine's byte order.
     */
    public static void putLong(final long address, final long value)
    {
        UnsafeApi.putLong(address, value);
    }

    /**
     * Reads a word by address, with volatile order.
     *
     * @param address of an aligned 32-bit word outside the heap that stays mapped during the call.
     * @return the word in the machine's byte order.
     */
    public static int intVolatile(final long address)
    {
        return UnsafeApi.getIntVolatile(null, address);
    }

    /**
     * Reads a word by address, with acquire order.
     *
     * @param address of an aligned 32-bit word outside the heap that stays mapped during the call.
     * @return the word in the machine's byte order.
     */
    public static int intAcquire(final long address)
    {
        return UnsafeApi.getIntAcquire(null, address);
    }

    /**
     * Reads a word by address, in no order.
     *
     * @param address of an aligned 32-bit word outside the heap that stays mapped during the call.
     * @return the word in the machine's byte order.
     */
    public static int intPlain(final long address)
    {
        return UnsafeApi.getInt(address);
    }

    /**
     * Reads two words by address, in no order.
     *
     * @param address of an aligned 64-bit word outside the heap that stays mapped during the call.
     * @return the word in the machine's byte order.
     */
    public static long longPlain(final long address)
    {
        return UnsafeApi.getLong(address);
    }
}
