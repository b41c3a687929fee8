// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.charset.StandardCharsets;

import org.agrona.concurrent.AtomicBuffer;

/**
 * The bytes that a fuzzer chose, taken one after the other as what a fuzz test needs; zeros when there are none left.
 * <p>Thread: one.
 */
public final class HostileInput
{
    private final byte[] bytes;
    private int index;

    /** Begins with the first byte. */
    public HostileInput(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    /** Returns whether there are bytes left. */
    public boolean hasMore()
    {
        return index < bytes.length;
    }

    /** 0 to 255. */
    public int nextByte()
    {
        return hasMore() ? bytes[index++] & 0xFF : 0;
    }

    /** 0 to bound - 1; a bound of at most 65,536. */
    public int nextBelow(final int bound)
    {
        final int value = bound <= 256 ? nextByte() : nextByte() << Byte.SIZE | nextByte();
        return value % bound;
    }

    /** A word, most significant byte first. */
    public int nextInt()
    {
        return nextByte() << 24 | nextByte() << 16 | nextByte() << 8 | nextByte();
    }

    /** Two words. */
    public long nextLong()
    {
        return (long)nextInt() << Integer.SIZE | Integer.toUnsignedLong(nextInt());
    }

    /** A small number, or one near the end of the numbers, or any. */
    public long nextPosition()
    {
        return switch (nextBelow(4))
        {
            case 0 -> nextByte();
            case 1 -> -nextByte();
            case 2 -> Long.MAX_VALUE - nextByte();
            default -> nextLong();
        };
    }

    /** Up to so many bytes. */
    public byte[] nextBytes(final int lengthMax)
    {
        final byte[] some = new byte[Math.min(lengthMax, bytes.length - index)];
        System.arraycopy(bytes, index, some, 0, some.length);
        index += some.length;
        return some;
    }

    /** Up to so many bytes, each of which is a character. */
    public String nextText(final int lengthMax)
    {
        return new String(nextBytes(lengthMax), StandardCharsets.ISO_8859_1);
    }

    /**
     * Overwrites words of a memory until the input is used up: each time where, how many, and what with.
     *
     * @param fields where words stand that matter more than others: every second time it is one of them.
     */
    public void scribble(final AtomicBuffer memory, final int... fields)
    {
        while (hasMore() && memory.capacity() > 0)
        {
            final int choice = nextByte();
            final int place = fields.length > 0 && choice % 2 == 0 ? fields[nextBelow(fields.length)] :
                Math.floorMod(nextInt(), memory.capacity());
            final int length = Math.min(1 + (choice >> 1) % 16, Math.max(0, memory.capacity() - place));
            memory.putBytes(Math.min(place, memory.capacity()), nextBytes(length));
        }
    }
}
