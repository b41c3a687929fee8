// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The answer to errors: they end the job, or they are thrown. */
public final class Errhandler
{
    static final Errhandler FATAL = new Errhandler("MPI_ERRORS_ARE_FATAL");
    static final Errhandler RETURN = new Errhandler("MPI_ERRORS_RETURN");

    private final String name;

    private Errhandler(final String name)
    {
        this.name = name;
    }

    @Override
    public String toString()
    {
        return name;
    }
}
