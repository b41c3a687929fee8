// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** A message that is received. */
public final class Receive extends Operation
{
    long received;                  // Bytes that have come after a grant.
    long limit;                     // Bytes that were granted.
    boolean isTruncated;
    boolean isAllocating;
    private byte[] bytes;

    /** Makes one that is not in progress. */
    public Receive()
    {
        // Idle.
    }

    /** {@return the whole message, of a receive for any length; null if there is none} */
    public byte[] bytes()
    {
        return bytes;
    }

    @Override
    public void elements(final Object newPlace, final int newOffset, final int newCount, final Layout newLayout)
    {
        isAllocating = false;
        super.elements(newPlace, newOffset, newCount, newLayout);
    }

    /** Prepares for a message of any length: memory for it is allocated when it is known. */
    public void anyLength()
    {
        elements(null, 0, 0, Layout.BYTES);
        isAllocating = true;
    }

    @Override
    public String inWords()
    {
        return "receive " + envelopeInWords();
    }

    @Override
    public long progress()
    {
        return received;
    }

    /** Begins to take a message; returns the bytes that there is room for. */
    long take(final long length)
    {
        if (isAllocating)
        {
            bytes = new byte[Math.toIntExact(length)];
            elements(bytes, 0, bytes.length, Layout.BYTES);
        }
        final long room = packedLength();
        isTruncated = length > room;
        received = 0;
        limit = Math.min(length, room);
        return limit;
    }

    /** Ends with all that there was room for. */
    void taken()
    {
        end(isTruncated ? Outcome.TRUNCATED : Outcome.DONE);
    }
}
