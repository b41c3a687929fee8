// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

/**
 * The receiver's window: takes parts in the order of their numbers as their words appear, and writes the number of
 * parts taken into a word of the sender's memory.
 * <p>Thread: the one that polls. Owns: nothing; the region is the node's.
 */
final class WindowReceiver
{
    private final AtomicBuffer window;
    private final RemoteLink link;
    private final RemoteRegion credit;
    private final RemoteRegion creditWord;
    private final Sink sink;
    private final AtomicBuffer spare = Buffers.allocate(CopyWindow.SPARE_LENGTH);
    private final long length;
    private long position;
    private int takenNumber;
    private int reportedNumber;

    /** A window for a file of a length, and the sender's region. */
    WindowReceiver(
        final MemoryRegion window, final RemoteLink link, final RemoteRegion credit, final long length,
        final Sink sink)
    {
        this.window = window.buffer();
        this.link = link;
        this.credit = credit;
        creditWord = credit.slice(CopyWindow.CREDIT_OFFSET, Integer.BYTES);
        this.length = length;
        this.sink = sink;
    }

    /** Takes parts, which may be kept only during the call. */
    interface Sink
    {
        void onChunk(DirectBuffer buffer, int offset, int length);
    }

    /** Takes parts that have arrived, and says so; returns how much there was to do. */
    int doWork(final int limit)
    {
        int workCount = 0;
        while (workCount < limit && position < length && hasArrived(takenNumber + 1))
        {
            takenNumber++;
            final int count = (int)Math.min(CopyWindow.SLOT_LENGTH, length - position);
            sink.onChunk(window, CopyWindow.dataOffset(takenNumber), count);
            position += count;
            workCount++;
        }
        return workCount + reportToSender();
    }

    /** Partner: the transport's release store of the word, after the part. */
    private boolean hasArrived(final int number)
    {
        return window.getIntVolatile(CopyWindow.wordOffset(number)) == number;
    }

    /** The word is written with release: what was read of the slots before stays read. */
    private int reportToSender()
    {
        if (reportedNumber == takenNumber)
        {
            return 0;
        }
        final SendStatus status = link.write(credit, CopyWindow.SPARE_OFFSET, spare, 0,
            CopyWindow.SPARE_LENGTH, creditWord, takenNumber);
        if (!status.isAccepted())
        {
            return 0;                           // Again later; a sender that is gone needs no word.
        }
        reportedNumber = takenNumber;
        return 1;
    }
}
