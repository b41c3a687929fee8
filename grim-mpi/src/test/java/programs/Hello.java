// SPDX-License-Identifier: Apache-2.0
package programs;

import mpi.MPI;

/** A program that only starts, counts its processes, and ends. */
public final class Hello
{
    private Hello()
    {
    }

    public static void main(final String[] args)
    {
        MPI.Init(args);
        final int[] sum = {1};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        Check.same(MPI.COMM_WORLD.Size(), sum[0]);
        MPI.Finalize();
    }
}
