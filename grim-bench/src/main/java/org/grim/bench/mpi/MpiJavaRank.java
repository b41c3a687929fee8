// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import mpi.MPI;

/** A rank in mpiJava's dialect: of GRIM, or of the library whose jar stands before ours on the class path. */
public final class MpiJavaRank extends MpiRank
{
    private MpiJavaRank()
    {
        super(MPI.COMM_WORLD.Rank());
    }

    /** Runs a rank. */
    public static void main(final String... arguments)
    {
        MPI.Init(arguments);
        new MpiJavaRank().doTurns(arguments);
        MPI.Finalize();
    }

    @Override
    void send(final boolean isEcho, final int length, final boolean isDirect)
    {
        MPI.COMM_WORLD.Send(isEcho ? target : source, 0, length, MPI.BYTE, other(), 0);
    }

    @Override
    void receive(final int length, final boolean isDirect)
    {
        MPI.COMM_WORLD.Recv(target, 0, length, MPI.BYTE, other(), 0);
    }

    @Override
    void allReduce(final int length)
    {
        MPI.COMM_WORLD.Allreduce(addends, 0, sums, 0, length / Long.BYTES, MPI.LONG, MPI.SUM);
    }

    @Override
    void broadcast(final int length)
    {
        MPI.COMM_WORLD.Bcast(target, 0, length, MPI.BYTE, 0);
    }

    @Override
    void allToAll(final int length)
    {
        MPI.COMM_WORLD.Alltoall(source, 0, length, MPI.BYTE, target, 0, length, MPI.BYTE);
    }

    @Override
    void barrier()
    {
        MPI.COMM_WORLD.Barrier();
    }

    @Override
    byte received(final int index, final boolean isDirect)
    {
        return target[index];
    }
}
