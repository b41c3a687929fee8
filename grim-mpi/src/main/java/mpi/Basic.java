// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.buffer.PrimitiveArray;
import org.grim.group.Reduction;

/** Basic types: each is one of arrays and one of reductions. */
enum Basic
{
    BYTE(PrimitiveArray.BYTES, byte.class, Reduction.Type.BYTE),
    CHAR(PrimitiveArray.CHARS, char.class, Reduction.Type.CHAR),
    SHORT(PrimitiveArray.SHORTS, short.class, Reduction.Type.SHORT),
    BOOLEAN(PrimitiveArray.BOOLEANS, boolean.class, Reduction.Type.BOOLEAN),
    INT(PrimitiveArray.INTS, int.class, Reduction.Type.INT),
    LONG(PrimitiveArray.LONGS, long.class, Reduction.Type.LONG),
    FLOAT(PrimitiveArray.FLOATS, float.class, Reduction.Type.FLOAT),
    DOUBLE(PrimitiveArray.DOUBLES, double.class, Reduction.Type.DOUBLE);

    final PrimitiveArray array;
    final Class<?> component;
    final Reduction.Type type;

    Basic(final PrimitiveArray array, final Class<?> component, final Reduction.Type type)
    {
        this.array = array;
        this.component = component;
        this.type = type;
    }

    int length()
    {
        return array.elementLength();
    }
}
