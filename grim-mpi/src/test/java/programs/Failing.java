// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.IntBuffer;

import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/** A program that makes a mistake, or of which a process ends early. */
public final class Failing
{
    private static final int EXIT_CODE = 7;
    private static final int GO = 3;                // Tag.

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
            case "window" -> window(rank);
            default -> throw new IllegalArgumentException(args[0]);
        }
        MPI.Finalize();
    }

    private static void abort(final Comm world, final int rank)
    {
        final int[] one = new int[1];
        if (rank == 0)
        {
            world.Recv(one, 0, 1, MPI.INT, 1, GO);          // Otherwise it may end while the other one still starts.
            world.Abort(EXIT_CODE);
        }
        else
        {
            world.Send(one, 0, 1, MPI.INT, 0, GO);
        }
    }

    /** A process ends when all others have left the barrier, which its death would end with an error. */
    private static void dieBehindTheBarrier(final int victim, final int rank)
    {
        final Intracomm world = MPI.COMM_WORLD;
        final int[] one = new int[1];
        world.Barrier();
        if (rank == victim)
        {
            for (int other = 0; other < world.Size(); other++)
            {
                if (other != victim)
                {
                    world.Recv(one, 0, 1, MPI.INT, other, GO);
                }
            }
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        world.Send(one, 0, 1, MPI.INT, victim, GO);
    }

    private static void death(final Comm world, final int rank)
    {
        final int[] one = new int[1];
        final Request request = world.Irecv(one, 0, 1, MPI.INT, 0, 1);
        dieBehindTheBarrier(0, rank);
        Check.same(MPI.ERR_PROC_FAILED, errorClass(request::Wait));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> world.Recv(one, 0, 1, MPI.INT, 0, 2)));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> world.Ssend(one, 0, 1, MPI.INT, 0, 2)));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> MPI.COMM_WORLD.Barrier()));
        final int[] theirs = new int[1];
        exchange(world, rank, theirs, () -> world.Sendrecv(one, 0, 1, MPI.INT, 0, GO, theirs, 0, 1, MPI.INT, 2, GO));
        exchange(world, rank, theirs, () -> world.Sendrecv_replace(theirs, 0, 1, MPI.INT, 0, GO, 2, GO));
    }

    /** Rank 1 sends to the dead rank 0, and receives of rank 2 nevertheless. */
    private static void exchange(final Comm world, final int rank, final int[] theirs, final Runnable call)
    {
        if (rank == 2)
        {
            world.Recv(theirs, 0, 1, MPI.INT, 1, GO);
            world.Send(new int[] {EXIT_CODE}, 0, 1, MPI.INT, 1, GO);
            return;
        }
        theirs[0] = 0;
        world.Send(theirs, 0, 1, MPI.INT, 2, GO);
        Check.same(MPI.ERR_PROC_FAILED, errorClass(call));
        Check.same(EXIT_CODE, theirs[0]);
    }

    /** Rank 1 holds the lock of rank 0's window, and dies. */
    private static void window(final int rank)
    {
        final IntBuffer memory = MPI.newIntBuffer(1);
        final Win win = new Win(memory, 1, 1, MPI.INFO_NULL, MPI.COMM_WORLD);
        win.setErrhandler(MPI.ERRORS_RETURN);
        if (rank == 1)
        {
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
        }
        dieBehindTheBarrier(1, rank);
        win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
        win.unlock(0);
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> win.lock(MPI.LOCK_SHARED, 1, 0)));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> win.lock(MPI.LOCK_SHARED, 1, 0)));
        Check.same(MPI.ERR_PROC_FAILED, errorClass(() -> win.fence(0)));
        MPI.COMM_WORLD.shrink().barrier();
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
