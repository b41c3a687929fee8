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
    /** Of several requests; null if the call was not one for several. */
    private final transient Status[] statuses;

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
        statuses = null;
    }

    /**
     * Makes one of a class.
     *
     * @param errorClass one of {@code MPI.ERR_...}.
     * @param message    the reason.
     */
    public MPIException(final int errorClass, final String message)
    {
        this(errorClass, message, null);
    }

    /** Returns an argument that a call needs. */
    static <T> T required(final T argument, final int errorClass, final String name)
    {
        if (argument == null)
        {
            throw new MPIException(errorClass, name + " is null");
        }
        return argument;
    }

    /** Makes one of several requests. */
    MPIException(final int errorClass, final String message, final Status[] statuses)
    {
        super(message);
        this.errorClass = errorClass;
        this.statuses = statuses;
    }

    /**
     * Returns the results of a call that ends several requests, whose class is {@code MPI.ERR_IN_STATUS}: of those that
     * have failed, and of those that have not. It is GRIM's own, as Java's methods return them only without an error.
     *
     * @return statuses, each with its class of error; null of other calls.
     */
    public Status[] getStatuses()
    {
        return statuses == null ? null : statuses.clone();
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
