// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.Serial;

/** An error of a call, with its class of the standard. It is unchecked, so that programs of both dialects compile. */
public class MPIException extends RuntimeException
{
    @Serial
    private static final long serialVersionUID = 1L;

    /** Class of the error. */
    private final int errorClass;

    /** Makes one without a reason. */
    public MPIException()
    {
        this(MPI.ERR_OTHER, null);
    }

    /**
     * Makes one of no particular class.
     *
     * @param message the reason.
     */
    public MPIException(final String message)
    {
        this(MPI.ERR_OTHER, message);
    }

    /**
     * Makes one of no particular class.
     *
     * @param cause of the error.
     */
    public MPIException(final Throwable cause)
    {
        super(cause);
        errorClass = MPI.ERR_OTHER;
    }

    /**
     * Makes one of a class.
     *
     * @param errorClass one of {@code MPI.ERR_...}.
     * @param message    the reason.
     */
    public MPIException(final int errorClass, final String message)
    {
        super(message);
        this.errorClass = errorClass;
    }

    /** {@return the code, which is the class} */
    public int getErrorCode()
    {
        return errorClass;
    }

    /** {@return the class, one of {@code MPI.ERR_...}} */
    public int getErrorClass()
    {
        return errorClass;
    }
}
