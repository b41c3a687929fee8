// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;

/**
 * Messages of a group that came before this member was ready for them, in the order in which they came. Their number is
 * bounded: long ones are asked for, and every now and then all members wait for each other.
 * <p>Thread: the host endpoint's owner. Owns: the copies, which are used again.
 */
final class EarlyMessages
{
    private final List<Early> waiting = new ArrayList<>();
    private final ArrayDeque<Early> free = new ArrayDeque<>();

    /** Keeps a copy. */
    void add(
        final int epoch, final int sequence, final int node, final int word, final DirectBuffer buffer,
        final int offset, final int length)
    {
        final Early early = free.isEmpty() ? new Early() : free.pop();
        early.epoch = epoch;
        early.sequence = sequence;
        early.node = node;
        early.word = word;
        early.length = length;
        if (early.bytes.capacity() < length)
        {
            early.bytes = Buffers.wrap(new byte[Math.max(length, early.bytes.capacity() * 2)]);
        }
        if (length > 0)
        {
            early.bytes.putBytes(0, buffer, offset, length);
        }
        waiting.add(early);
    }

    boolean isEmpty()
    {
        return waiting.isEmpty();
    }

    /** Takes the first one of an operation from a node; null if there is none. Give it back by {@link #release}. */
    Early take(final int epoch, final int sequence, final int node)
    {
        final int index = indexOf(epoch, sequence, node);
        return index < 0 ? null : waiting.remove(index);
    }

    /** Takes the first one of an operation that is no part of it; null if there is none. */
    Early takeWord(final int epoch, final int sequence)
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            final Early early = waiting.get(i);
            if (early.isOf(epoch, sequence) && (early.word & PartWords.WORD) != 0)
            {
                return waiting.remove(i);
            }
        }
        return null;
    }

    /** Drops all of an operation that has ended before it took them. */
    void drop(final int epoch, final int sequence)
    {
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            if (waiting.get(i).isOf(epoch, sequence))
            {
                free.push(waiting.remove(i));
            }
        }
    }

    /** Whether something of an operation from a node waits. */
    boolean has(final int epoch, final int sequence, final int node)
    {
        return indexOf(epoch, sequence, node) >= 0;
    }

    void release(final Early early)
    {
        free.push(early);
    }

    /** Drops what is of an earlier epoch. */
    void dropBefore(final int epoch)
    {
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            if (waiting.get(i).epoch < epoch)
            {
                free.push(waiting.remove(i));
            }
        }
    }

    private int indexOf(final int epoch, final int sequence, final int node)
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            final Early early = waiting.get(i);
            if (early.isOf(epoch, sequence) && early.node == node)
            {
                return i;
            }
        }
        return -1;
    }

    /** One of them. */
    static final class Early
    {
        private int epoch;
        private int sequence;
        private int node;
        private int word;
        private int length;
        private MutableDirectBuffer bytes = Buffers.wrap(new byte[Buffers.CACHE_LINE_LENGTH]);

        private boolean isOf(final int ofEpoch, final int ofSequence)
        {
            return epoch == ofEpoch && sequence == ofSequence;
        }

        int node()
        {
            return node;
        }

        int word()
        {
            return word;
        }

        DirectBuffer bytes()
        {
            return bytes;
        }

        int length()
        {
            return length;
        }
    }
}
