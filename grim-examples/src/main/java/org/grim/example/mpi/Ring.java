// SPDX-License-Identifier: Apache-2.0
package org.grim.example.mpi;

import mpi.MPI;
import mpi.MPIException;

/** Tokens go round: each process sends what it has to the next one. In the dialect of Open MPI. */
public final class Ring
{
    private Ring()
    {
    }

    /** Passes the tokens, until each process has seen all. */
    public static void main(final String[] args) throws MPIException
    {
        MPI.Init(args);
        final int rank = MPI.COMM_WORLD.getRank();
        final int size = MPI.COMM_WORLD.getSize();
        final int[] token = {rank};
        int sum = 0;
        for (int i = 0; i < size; i++)
        {
            sum += token[0];
            MPI.COMM_WORLD.sendRecvReplace(token, 1, MPI.INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0);
        }
        System.out.println(rank + " of " + size + ": sum of all tokens " + sum);
        MPI.Finalize();
    }
}
