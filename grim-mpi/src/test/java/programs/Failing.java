// SPDX-License-Identifier: Apache-2.0
package programs;

import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** A program that makes a mistake, or of which a process ends early. */
public final class Failing
{
    private static final int EXIT_CODE = 7;

    private Failing()
    {
    }

    public static void main(final String[] args)
    {
        if (args[0].equals("early"))
        {
            MPI.COMM_WORLD.getRank();
        }
        MPI.Init(args);
        final Comm world = MPI.COMM_WORLD;
        final int rank = world.Rank();
        switch (args[0])
        {
            case "fatal" -> world.send(new int[1], 1, MPI.INT, world.Size(), 0);
            case "abort" -> abort(world, rank);
            case "open" -> world.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            case "death" -> death(world, rank);
            default -> throw new IllegalArgumentException(args[0]);
        }
        MPI.Finalize();
    }

    private static void abort(final Comm world, final int rank)
    {
        if (rank == 0)
        {
            world.Abort(EXIT_CODE);
        }
    }

    private static void death(final Comm world, final int rank)
    {
        final int[] one = new int[1];
        final Request request = world.Irecv(one, 0, 1, MPI.INT, 0, 1);
        MPI.COMM_WORLD.Barrier();
        if (rank == 0)
        {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        Check.same(MPI.ERR_PROC_FAILED, errorClass(request::Wait));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> world.Recv(one, 0, 1, MPI.INT, 0, 2)));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> world.Ssend(one, 0, 1, MPI.INT, 0, 2)));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> MPI.COMM_WORLD.Barrier()));
    }

    private static int errorClass(final Runnable call)
    {
        try
        {
            call.run();
            return MPI.SUCCESS;
        }
        catch (final MPIException ex)
        {
            return ex.getErrorClass();
        }
    }
}
