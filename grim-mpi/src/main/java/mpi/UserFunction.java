// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

import org.agrona.concurrent.UnsafeBuffer;

/** A user's operation of Open MPI: one of both methods is overridden. */
public abstract class UserFunction
{
    /** Is called by reductions. */
    protected UserFunction()
    {
        // Nothing to prepare.
    }

    // Open MPI

    /**
     * Combines elements of arrays: each of the second side becomes it and that of the first side.
     *
     * @param inVec    first side.
     * @param inOutVec second side, and result.
     * @param count    elements.
     * @param datatype of each.
     * @throws MPIException as the user likes.
     */
    public void call(final Object inVec, final Object inOutVec, final int count, final Datatype datatype)
        throws MPIException
    {
        throw new UnsupportedOperationException("the function overrides no method");
    }

    /**
     * Combines elements of buffers: each of the second side becomes it and that of the first side.
     *
     * @param in       first side.
     * @param inOut    second side, and result.
     * @param count    elements.
     * @param datatype of each.
     * @throws MPIException as the user likes.
     */
    public void call(final ByteBuffer in, final ByteBuffer inOut, final int count, final Datatype datatype)
        throws MPIException
    {
        final int length = in.capacity() / datatype.basic().elementLength();
        final Object inVec = datatype.newArray(length);
        final Object inOutVec = datatype.newArray(length);
        datatype.basic().copyTo(new UnsafeBuffer(in), 0, inVec, 0, length);
        datatype.basic().copyTo(new UnsafeBuffer(inOut), 0, inOutVec, 0, length);
        call(inVec, inOutVec, count, datatype);
        datatype.basic().copyFrom(inOutVec, 0, new UnsafeBuffer(inOut), 0, length);
    }
}
