// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import org.grim.buffer.PrimitiveArray;

/** A message that is received. */
public final class Receive extends Operation
{
    private static final Layout BYTES = Layout.of(PrimitiveArray.BYTES);

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

    /** Prepares for a message of any length: memory for it is allocated when it is known. */
    public void anyLength()
    {
        isAllocating = true;
        elements(null, 0, 0, BYTES);
    }

    /** Begins to take a message; returns the bytes that there is room for. */
    long take(final long length)
    {
        if (isAllocating)
        {
            bytes = new byte[Math.toIntExact(length)];
            elements(bytes, 0, bytes.length, BYTES);
            isAllocating = false;
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
