// SPDX-License-Identifier: Apache-2.0
package programs;

import mpi.MPI;

/**
 * A job that stands still: the first two processes wait for a message of each other, the others in a barrier; or all
 * but the last one agree, which waits for a message.
 */
public final class Stuck
{
    private static final int TAG = 7;

    private Stuck()
    {
    }

    public static void main(final String[] args)
    {
        MPI.Init(args);
        final int rank = MPI.COMM_WORLD.Rank();
        if (args.length > 0 && rank < MPI.COMM_WORLD.Size() - 1)
        {
            MPI.COMM_WORLD.agree(1);
        }
        if (args.length > 0)
        {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, TAG);
        }
        if (rank > 1)
        {
            MPI.COMM_WORLD.barrier();
        }
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - rank, TAG);
        MPI.Finalize();
    }
}
