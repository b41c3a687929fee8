// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.RemoteMemoryFormat;

import static org.grim.ni.wire.RingDescriptor.ALIGNMENT;
import static org.grim.ni.wire.RingDescriptor.CUT_OFFSET;
import static org.grim.ni.wire.RingDescriptor.DATA_OFFSET;
import static org.grim.ni.wire.RingDescriptor.FRONT_OFFSET;
import static org.grim.ni.wire.RingDescriptor.PACKET_LENGTH_OFFSET;
import static org.grim.ni.wire.RingDescriptor.PACKET_OFFSET;
import static org.grim.ni.wire.RingDescriptor.SKIP;
import static org.grim.ni.wire.RingDescriptor.STOPPED_OFFSET;
import static org.grim.ni.wire.RingDescriptor.WRITTEN_OFFSET;

/**
 * The consuming end of a ring: shows its oldest packet in place. Believes nothing that the producer wrote: a position,
 * length or cut that cannot be stops the ring for good, and a packet that stood open is seen cut.
 * <p>Thread: the receiving board's stepper. Owns: nothing; the mapping is its user's. Never allocates.
 */
final class RingReader
{

    private final AtomicBuffer buffer;
    private final int ringLength;
    private final int mask;
    private final int packetLengthMax;
    private int position;                   // Of the oldest record that was not released.
    private int written;                    // As last read; behind the position if a released packet still arrives.
    private int recordEnd;
    private int packetIndex;
    private int packetLength;               // 0: no record is open.
    private int arrivedLength;
    private boolean isEnded;
    private boolean isCut;
    private boolean isProducerGone;
    private WireFault fault;

    RingReader(final AtomicBuffer buffer, final int packetLengthMax)
    {
        this.buffer = buffer;
        this.packetLengthMax = packetLengthMax;
        ringLength = buffer.capacity() - DATA_OFFSET;
        mask = ringLength - 1;
        // As the producer wrote it: from now on this side alone writes it.
        position = buffer.getInt(FRONT_OFFSET);
        written = position;
        if ((position & ALIGNMENT - 1) != 0)
        {
            stop(WireFault.BAD_POSITION);
        }
    }

    /** Looks at the ring. True: a packet can be judged. */
    boolean poll()
    {
        if (packetLength == 0 && !open())
        {
            return false;
        }
        advance();
        return isJudged();
    }

    int offset()
    {
        return packetIndex;
    }

    int length()
    {
        return packetLength;
    }

    int arrivedLength()
    {
        advance();
        return arrivedLength;
    }

    boolean isCut()
    {
        advance();
        return isCut;
    }

    /** Frees the open packet's room. Its producer does not begin another before it has written all of this one. */
    void release()
    {
        assert packetLength > 0 && recordEnd - position > 0 : recordEnd - position;
        position = recordEnd;
        packetLength = 0;
        if (fault == null)
        {
            // Partner: the acquire load in RingWriter.hasRoom(): the packet has been read.
            buffer.putIntRelease(FRONT_OFFSET, position);
        }
    }

    /** The producer's process is gone: what it has written so far is all. */
    void producerGone()
    {
        if (!isProducerGone)
        {
            load();
            isProducerGone = true;
        }
    }

    /** Whether nothing is left to be read, ever. */
    boolean isOver()
    {
        return packetLength == 0 && (fault != null || (isProducerGone && written - position <= 0));
    }

    /** Why the ring was stopped, or null. */
    WireFault fault()
    {
        return fault;
    }

    /** Position that the producer has come to, now. */
    int refreshedPosition()
    {
        load();
        return written;
    }

    /** Whether everything before a position was released, or will never be shown. */
    boolean isReadPast(final int mark)
    {
        return position - mark >= 0 || isOver();
    }

    long wordAddress()
    {
        return buffer.addressOffset() + WRITTEN_OFFSET;
    }

    /** Returns the word's value if there is nothing to do; otherwise a value that it never holds again. */
    int wordIdle()
    {
        if (fault != null)
        {
            return buffer.getInt(WRITTEN_OFFSET);
        }
        final boolean isUnread = packetLength == 0 ? written - position > 0 : isJudged();
        return isUnread ? written - 1 : written;
    }

    AtomicBuffer bufferForTest()
    {
        return buffer;
    }

    private boolean isJudged()
    {
        return packetLength > 0 && (arrivedLength >= RemoteMemoryFormat.JUDGED_LENGTH || isEnded);
    }

    /** Opens the next record, if its header is there. */
    private boolean open()
    {
        load();
        int available = written - position;
        if (fault != null || available <= 0)
        {
            return false;
        }
        int offset = position & mask;
        int length = available < PACKET_OFFSET ? 0 : buffer.getInt(DATA_OFFSET + offset + PACKET_LENGTH_OFFSET);
        if (length == SKIP)
        {
            final int skipLength = ringLength - offset;
            position += skipLength;
            available -= skipLength;
            offset = 0;
            length = available < PACKET_OFFSET ? 0 : buffer.getInt(DATA_OFFSET + PACKET_LENGTH_OFFSET);
        }
        if (length < 1 || length > packetLengthMax || offset + RingDescriptor.recordLength(length) > ringLength)
        {
            stop(WireFault.BAD_LENGTH);
            return false;
        }
        recordEnd = position + RingDescriptor.recordLength(length);
        packetIndex = DATA_OFFSET + offset + PACKET_OFFSET;
        packetLength = length;
        arrivedLength = 0;
        isEnded = false;
        isCut = false;
        return true;
    }

    /** Takes note of what has arrived of the open packet. */
    private void advance()
    {
        if (isEnded || packetLength == 0)
        {
            return;
        }
        load();
        if (fault != null)
        {
            return;
        }
        if (written - recordEnd >= 0)
        {
            end();
        }
        else
        {
            arrivedLength = Math.min(written - position - PACKET_OFFSET, packetLength);
            isCut = isProducerGone;
            isEnded = isProducerGone;
        }
    }

    private void end()
    {
        final int cut = buffer.getInt(packetIndex - PACKET_OFFSET + CUT_OFFSET);
        if (cut == 0)
        {
            arrivedLength = packetLength;
        }
        else if (cut > arrivedLength && cut <= packetLength)
        {
            arrivedLength = cut - 1;
            isCut = true;
        }
        else
        {
            stop(WireFault.BAD_CUT);
            return;
        }
        isEnded = true;
    }

    private void load()
    {
        if (isProducerGone || fault != null)
        {
            return;
        }
        // Partner: the release store in RingWriter.publish().
        final int newWritten = buffer.getIntAcquire(WRITTEN_OFFSET);
        if (newWritten - written < 0 || newWritten - position > ringLength)
        {
            stop(WireFault.BAD_POSITION);
            return;
        }
        written = newWritten;
    }

    private void stop(final WireFault reason)
    {
        fault = reason;
        if (packetLength > 0 && !isEnded)
        {
            isEnded = true;
            isCut = true;
        }
        buffer.putIntRelease(STOPPED_OFFSET, 1);        // Partner: RingWriter.isStopped(). It orders nothing else.
    }
}
