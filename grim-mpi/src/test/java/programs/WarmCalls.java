// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.ByteBuffer;

import org.grim.Allocation;

import mpi.Intracomm;
import mpi.MPI;

/** Warm calls of two processes allocate nothing, but the status that a receive returns. */
public final class WarmCalls
{
    private static final int WARM_UP_COUNT = 1_000;
    private static final int CALL_COUNT = 500;              // Beside other work each takes milliseconds.
    private static final int RUN_COUNT_MAX = 100;
    private static final int STATUS_LENGTH = 48;
    private static final int OBJECT_LENGTH_MIN = 16;        // Less is not of each call: rings for a peer that sleeps.
    private static final int LONG = 50_000;

    private WarmCalls()
    {
    }

    public static void main(final String[] args)
    {
        System.setProperty("grim.mpi.spin", "1s");          // A thread that goes to sleep allocates.
        MPI.Init(args);
        final Intracomm world = MPI.COMM_WORLD;
        final boolean isFirst = world.getRank() == 0;
        final int other = 1 - world.getRank();
        final byte[] bytes = new byte[LONG];
        final ByteBuffer direct = MPI.newByteBuffer(LONG);
        final long[] numbers = new long[100];
        final long[] sums = new long[100];
        for (final int length : new int[] {32, LONG})
        {
            check(world, isFirst ? 0 : STATUS_LENGTH, isFirst ?
                () -> world.send(bytes, length, MPI.BYTE, other, 1) :
                () -> world.recv(bytes, length, MPI.BYTE, other, 1));
            check(world, isFirst ? STATUS_LENGTH : 0, isFirst ?
                () -> world.Recv(direct, 0, length, MPI.BYTE, other, 1) :
                () -> world.Ssend(direct, 0, length, MPI.BYTE, other, 1));
            check(world, 0, () -> world.bcast(bytes, length, MPI.BYTE, 1));
        }
        check(world, 0, world::barrier);
        check(world, 0, () -> world.allReduce(numbers, sums, numbers.length, MPI.LONG, MPI.SUM));
        check(world, 0, () -> world.Alltoall(numbers, 0, 50, MPI.LONG, sums, 0, 50, MPI.LONG));
        MPI.Finalize();
    }

    /**
     * The least of some runs: the JVM itself allocates while it compiles, and so does a thread whose peer sleeps as
     * others have its core. An allocation per call shows in each. Both processes make the same number of runs.
     */
    private static void check(final Intracomm world, final int bytesMax, final Runnable call)
    {
        repeat(call, WARM_UP_COUNT);
        final long limit = (long)(bytesMax + OBJECT_LENGTH_MIN) * CALL_COUNT;
        final int[] undisturbedCount = new int[1];
        long least = Long.MAX_VALUE;
        for (int i = 0; i < RUN_COUNT_MAX && undisturbedCount[0] < world.getSize(); i++)
        {
            final long before = Allocation.ofThisThread();
            repeat(call, CALL_COUNT);
            least = Math.min(least, Allocation.ofThisThread() - before);
            world.allReduce(new int[] {least < limit ? 1 : 0}, undisturbedCount, 1, MPI.INT, MPI.SUM);
        }
        Check.holds(least < limit, "calls allocate " + least / (double)CALL_COUNT + " bytes");
    }

    private static void repeat(final Runnable call, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            call.run();
        }
    }
}
