// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.nio.ByteBuffer;

import mpi.MPI;

/** A rank in Open MPI's dialect: of GRIM, or of the library whose jar stands before ours on the class path. */
public final class OpenMpiRank extends MpiRank
{
    private final ByteBuffer directSource = MPI.newByteBuffer(MpiOperation.LENGTH_MAX);
    private final ByteBuffer directTarget = MPI.newByteBuffer(MpiOperation.LENGTH_MAX);

    private OpenMpiRank()
    {
        super(MPI.COMM_WORLD.getRank());
        directSource.put(0, source);
    }

    /** Runs a rank. */
    public static void main(final String... arguments)
    {
        MPI.Init(arguments);
        new OpenMpiRank().doTurns(arguments);
        MPI.Finalize();
    }

    @Override
    void send(final boolean isEcho, final int length, final boolean isDirect)
    {
        if (isDirect)
        {
            MPI.COMM_WORLD.send(isEcho ? directTarget : directSource, length, MPI.BYTE, other(), 0);
        }
        else
        {
            MPI.COMM_WORLD.send(isEcho ? target : source, length, MPI.BYTE, other(), 0);
        }
    }

    @Override
    void receive(final int length, final boolean isDirect)
    {
        if (isDirect)
        {
            MPI.COMM_WORLD.recv(directTarget, length, MPI.BYTE, other(), 0);
        }
        else
        {
            MPI.COMM_WORLD.recv(target, length, MPI.BYTE, other(), 0);
        }
    }

    @Override
    void allReduce(final int length)
    {
        MPI.COMM_WORLD.allReduce(addends, sums, length / Long.BYTES, MPI.LONG, MPI.SUM);
    }

    @Override
    void broadcast(final int length)
    {
        MPI.COMM_WORLD.bcast(target, length, MPI.BYTE, 0);
    }

    @Override
    void allToAll(final int length)
    {
        MPI.COMM_WORLD.allToAll(source, length, MPI.BYTE, target, length, MPI.BYTE);
    }

    @Override
    void barrier()
    {
        MPI.COMM_WORLD.barrier();
    }

    @Override
    byte received(final int index, final boolean isDirect)
    {
        return isDirect ? directTarget.get(index) : target[index];
    }
}
