// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** The bad end of a blocking call of a {@link Communicator}. */
public final class OperationException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final Operation.Outcome outcome;

    OperationException(final String call, final Operation.Outcome outcome)
    {
        super(call + " ended with " + outcome);
        this.outcome = outcome;
    }

    /** {@return how the operation ended} */
    public Operation.Outcome outcome()
    {
        return outcome;
    }
}
