// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Operations;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class StatusTest
{
    private static final long LENGTH = 1L << 34;

    @Test
    void shouldCountMoreElementsThanAnIntSaysAsLongOnly()
    {
        final Status status = Status.of(Operations.found(LENGTH), null, MPI.UNDEFINED);

        assertEquals(MPI.UNDEFINED, status.count);
        assertEquals(MPI.UNDEFINED, status.getCount(Datatype.BYTE));
        assertEquals(MPI.UNDEFINED, status.Get_count(Datatype.INT));
        assertEquals(MPI.UNDEFINED, status.getElements(Datatype.INT));
        assertEquals(LENGTH / Integer.BYTES, status.getElementsX(Datatype.INT).getCount());
        assertEquals(MPI.UNDEFINED, status.getElements(Datatype.DOUBLE_INT));
        final Datatype many = Datatype.createContiguous(1 << 20, Datatype.LONG);
        assertEquals(LENGTH >> 23, status.getCount(many));
        assertEquals(LENGTH / Long.BYTES, status.getElementsX(many).getCount());
    }
}
