// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.lang.reflect.Array;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.buffer.PrimitiveArray;

/**
 * Elements of a call: where they are, and how they lie. Mutable, so that calls allocate nothing.
 * <p>Thread: the caller's.
 */
public final class Elements
{
    Object place;
    int offset;
    int count;
    Layout layout;

    /** Makes one that names nothing yet. */
    public Elements()
    {
        // Set before a call.
    }

    /**
     * Names elements.
     *
     * @param newPlace  array of the layout's basic type, of bytes any, or a {@link MutableDirectBuffer}.
     * @param newOffset of the first element, in basic elements.
     * @param newCount  elements.
     * @param newLayout of each.
     * @return this.
     */
    public Elements set(final Object newPlace, final int newOffset, final int newCount, final Layout newLayout)
    {
        place = newPlace;
        offset = newOffset;
        count = newCount;
        layout = newLayout;
        return this;
    }

    /** Bytes of so many elements in a message. */
    int packedLength(final int ofCount)
    {
        return Math.toIntExact(layout.packedLength() * ofCount);
    }

    /** Where an element begins, in basic elements. */
    int start(final int element)
    {
        return Math.toIntExact(offset + element * layout.extent());
    }

    /** Whether bytes of messages can be copied straight from and to the place. */
    boolean isInPlace()
    {
        return place instanceof MutableDirectBuffer && layout.isDense();
    }

    /** Throws if some elements are outside of the place. */
    void check(final int first, final int ofCount)
    {
        if (ofCount == 0)
        {
            return;
        }
        final long bytes = place instanceof final DirectBuffer memory ? memory.capacity() :
            (long)Array.getLength(place) * PrimitiveArray.of(place).elementLength();
        final long length = bytes / layout.basic().elementLength();
        if (ofCount < 0 || !layout.isInside(length, start(first), ofCount))
        {
            throw new IndexOutOfBoundsException("elements=" + ofCount + " at offset=" + start(first) +
                " are outside of an array or memory of length=" + length);
        }
    }
}
