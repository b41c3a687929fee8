// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.buffer.AtomicWord;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * One who reaches a node's memory, as that node's directory knows it: while its counter is odd, pages that it may have
 * found before they were freed are not used again.
 * <p>Thread: the link's owner. Owns: a line of the directory, until {@link #close()}.
 */
final class InitiatorLine
{
    /** Longest copy that goes word by word, which is quicker than the call of a copying routine. */
    private static final int WORDS_LENGTH_MAX = 32;

    private final MemoryDirectory directory;
    private final int index;
    private long counter;

    private InitiatorLine(final MemoryDirectory directory, final int index)
    {
        this.directory = directory;
        this.index = index;
        final long found = directory.initiatorCounter(index);
        counter = found + (found & 1);          // Even, unless it is damaged.
    }

    /** Takes the first free line; null if there is none. */
    static InitiatorLine tryAttach(final MemoryDirectory directory, final long owner)
    {
        for (int i = 0; i < directory.layout().initiatorCountMax(); i++)
        {
            if (directory.initiatorOwner(i) == 0 && directory.tryOwnInitiator(i, owner))
            {
                return new InitiatorLine(directory, i);
            }
        }
        return null;
    }

    /** Begins a write, before anything of the directory is read that says where to write. */
    void begin()
    {
        directory.beginOperation(index, counter + 1);
    }

    /** Ends a write, after its last store. */
    void end()
    {
        counter += 2;
        directory.endOperation(index, counter);
    }

    /**
     * Writes bytes, and then the notification word, if both are found; an operation of its own. Returns null, or why
     * nothing was written.
     */
    RemoteRefusal write(
        final Lookup data, final Lookup word, final int rights, final long address, final DirectBuffer source,
        final int offset, final int length, final long notificationAddress, final int notificationValue)
    {
        begin();
        try
        {
            final RemoteRefusal reason = find(data, address, length, rights, word, notificationAddress);
            if (reason == null)
            {
                copy(data.buffer(), data.index(), source, offset, length);
                if (notificationAddress != MemoryHop.NO_NOTIFICATION)
                {
                    // Partner: the acquire load of the thread that waits for the word: every byte comes before it.
                    word.buffer().putIntRelease(word.index(), notificationValue);
                }
            }
            return reason;
        }
        finally
        {
            end();
        }
    }

    /**
     * Writes bytes, and then changes the signal, if both are found; an operation of its own. Returns null, or why
     * nothing was written.
     */
    RemoteRefusal writeWithSignal(
        final Lookup data, final Lookup word, final long address, final DirectBuffer source, final int offset,
        final int length, final SignalOperation operation, final long signalAddress, final long value)
    {
        begin();
        try
        {
            final RemoteRefusal reason =
                find(data, address, length, Lookup.WRITE, word, operation.length(), signalAddress);
            if (reason == null)
            {
                copy(data.buffer(), data.index(), source, offset, length);
                if (signalAddress != MemoryHop.NO_NOTIFICATION)
                {
                    // Partner: the acquire load of the thread that waits for the signal: every byte comes before it.
                    AtomicWord.execute(
                        operation.atomic(), word.buffer(), word.index(), operation.length(), value, 0);
                }
            }
            return reason;
        }
        finally
        {
            end();
        }
    }

    void close()
    {
        directory.freeInitiator(index);
    }

    /** Finds bytes and a notification word, if there is one, that grant the same rights. */
    static RemoteRefusal find(
        final Lookup data, final long address, final int length, final int rights, final Lookup word,
        final long notificationAddress)
    {
        return find(data, address, length, rights, word, SIZE_OF_INT, notificationAddress);
    }

    /** Finds bytes and a notification word of some length, if there is one, that grant the same rights. */
    static RemoteRefusal find(
        final Lookup data, final long address, final int length, final int rights, final Lookup word,
        final int wordLength, final long notificationAddress)
    {
        final RemoteRefusal reason = data.find(address, length, rights);
        return reason != null || notificationAddress == MemoryHop.NO_NOTIFICATION ||
            word.find(notificationAddress, wordLength, rights) == null ? reason :
            RemoteRefusal.NOTIFICATION_OUT_OF_RANGE;
    }

    /** Returns the fault of an operation, independent of its bytes' place; null if there is none. */
    static RemoteRefusal reasonOfForm(final long address, final int length, final long notificationAddress)
    {
        return reasonOfForm(address, length, SIZE_OF_INT, notificationAddress);
    }

    /** Returns the fault of an operation with a notification word of some length; null if there is none. */
    static RemoteRefusal reasonOfForm(
        final long address, final int length, final int wordLength, final long notificationAddress)
    {
        if (length == 0)
        {
            return RemoteRefusal.ZERO_LENGTH;
        }
        if (isWrapping(address, length))
        {
            return RemoteRefusal.WRAP_AROUND;
        }
        return AtomicWord.isAligned(notificationAddress, wordLength) ? null : RemoteRefusal.MISALIGNED_NOTIFICATION;
    }

    /** Returns the fault of an atomic operation, independent of its word's place; null if there is none. */
    static RemoteRefusal reasonOfForm(final long address, final int length)
    {
        return AtomicWord.isAligned(address, length) ? null : RemoteRefusal.MISALIGNED_WORD;
    }

    /** The last byte's address, as a number without a sign, is below that of the first. */
    static boolean isWrapping(final long address, final int length)
    {
        return Long.compareUnsigned(address + length - 1, address) < 0;
    }

    static void copy(
        final AtomicBuffer target, final int targetIndex, final DirectBuffer source, final int sourceIndex,
        final int length)
    {
        if (length <= WORDS_LENGTH_MAX)
        {
            Buffers.copyWords(target, targetIndex, source, sourceIndex, length);
        }
        else
        {
            target.putBytes(targetIndex, source, sourceIndex, length);
        }
    }
}
