// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A user's operation of mpiJava. */
public abstract class User_function
{
    /** Is called by reductions. */
    protected User_function()
    {
        // Nothing to prepare.
    }

    // mpiJava 1.2

    /**
     * Combines elements: each of the second side becomes it and that of the first side.
     *
     * @param invec       array of the first side.
     * @param inoffset    its first element.
     * @param inoutvec    array of the second side, and of the result.
     * @param inoutoffset its first element.
     * @param count       elements.
     * @param datatype    of each.
     * @throws MPIException as the user likes.
     */
    public abstract void Call(
        Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
        throws MPIException;
}
