// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import org.grim.buffer.PrimitiveArray;

/** The basic types of MPI's messages that are values of Java in an array. */
public enum Basic
{
    /** One byte. */
    BYTE(PrimitiveArray.BYTES),
    /** A truth value, of one byte. */
    BOOLEAN(PrimitiveArray.BOOLEANS),
    /** A character of two bytes. */
    CHAR(PrimitiveArray.CHARS),
    /** A whole number of two bytes. */
    SHORT(PrimitiveArray.SHORTS),
    /** A whole number of four bytes. */
    INT(PrimitiveArray.INTS),
    /** A number of four bytes, IEEE 754. */
    FLOAT(PrimitiveArray.FLOATS),
    /** A whole number of eight bytes. */
    LONG(PrimitiveArray.LONGS),
    /** A number of eight bytes, IEEE 754. */
    DOUBLE(PrimitiveArray.DOUBLES);

    private final PrimitiveArray array;

    Basic(final PrimitiveArray array)
    {
        this.array = array;
    }

    /** {@return how its arrays are copied} */
    public PrimitiveArray array()
    {
        return array;
    }

    /** {@return bytes of one} */
    public int length()
    {
        return array.elementLength();
    }
}
