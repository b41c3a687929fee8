// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.Arrays;
import java.util.stream.IntStream;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.User_function;

/** Collective calls of any number of processes by the names of mpiJava 1.2. */
public final class MpiJavaCollectives
{
    private MpiJavaCollectives()
    {
    }

    public static void main(final String[] args)
    {
        MPI.Init(args);
        final Intracomm world = MPI.COMM_WORLD;
        for (final int count : new int[] {1, 7, 20_000})
        {
            numbers(world, count);
            reductions(world, count);
        }
        parts(world);
        objects(world);
        final Intracomm half = world.Split(world.Rank() % 2, -world.Rank());
        Check.same((world.Size() - 1 - world.Rank()) / 2, half.Rank());
        numbers(half, 3);
        Check.same(null, world.Split(MPI.UNDEFINED, 0));
        final Intracomm first = world.Create(world.Group().Incl(new int[] {0}));
        Check.same(world.Rank() == 0, first != null);
        half.Free();
        MPI.Finalize();
    }

    private static int[] of(final int rank, final int count)
    {
        return IntStream.range(0, count).map(i -> rank * 31 + i).toArray();
    }

    /** Values of all ranks, one behind the other. */
    private static int[] ofAll(final int size, final int count)
    {
        return IntStream.range(0, size).flatMap(rank -> Arrays.stream(of(rank, count))).toArray();
    }

    private static void numbers(final Intracomm comm, final int count)
    {
        final int rank = comm.Rank();
        final int size = comm.Size();
        final int root = size - 1;
        comm.Barrier();
        final int[] mine = of(rank, count);
        final int[] one = mine.clone();
        comm.Bcast(one, 0, count, MPI.INT, root);
        Check.same(of(root, count), one);
        final int[] all = new int[size * count];
        comm.Gather(mine, 0, count, MPI.INT, all, 0, count, MPI.INT, root);
        Check.same(rank == root ? ofAll(size, count) : new int[size * count], all);
        Arrays.fill(one, 0);
        comm.Scatter(all, 0, count, MPI.INT, one, 0, count, MPI.INT, root);
        Check.same(mine, one);
        Arrays.fill(all, 0);
        comm.Allgather(mine, 0, count, MPI.INT, all, 0, count, MPI.INT);
        Check.same(ofAll(size, count), all);
        final int[] exchanged = new int[size * count];
        comm.Alltoall(all, 0, count, MPI.INT, exchanged, 0, count, MPI.INT);
        for (int i = 0; i < size; i++)
        {
            Check.same(mine, Arrays.copyOfRange(exchanged, i * count, (i + 1) * count));
        }
    }

    private static void reductions(final Intracomm comm, final int count)
    {
        final int rank = comm.Rank();
        final int size = comm.Size();
        final int[] mine = of(rank, count);
        final int[] sums = new int[count];
        Arrays.setAll(sums, i -> IntStream.range(0, size).map(r -> r * 31 + i).sum());
        final int[] result = new int[count];
        comm.Reduce(mine, 0, result, 0, count, MPI.INT, MPI.SUM, 0);
        Check.same(rank == 0 ? sums : new int[count], result);
        comm.Allreduce(mine, 0, result, 0, count, MPI.INT, MPI.MAX);
        Check.same(of(size - 1, count), result);
        comm.Scan(mine, 0, result, 0, count, MPI.INT, MPI.SUM);
        Arrays.setAll(sums, i -> IntStream.rangeClosed(0, rank).map(r -> r * 31 + i).sum());
        Check.same(sums, result);
        final int[] counts = IntStream.range(0, size).toArray();
        final int before = rank * (rank - 1) / 2;
        final int[] blocks = new int[size * (size - 1) / 2];
        Arrays.setAll(blocks, i -> i);
        final int[] block = new int[rank];
        comm.Reduce_scatter(blocks, 0, block, 0, counts, MPI.INT, MPI.SUM);
        Check.same(IntStream.range(before, before + rank).map(i -> i * size).toArray(), block);
        final Op left = new Op(new Left(), false);
        comm.Allreduce(mine, 0, result, 0, count, MPI.INT, left);
        Check.same(of(0, count), result);
    }

    private static void parts(final Intracomm comm)
    {
        final int rank = comm.Rank();
        final int size = comm.Size();
        final int[] counts = IntStream.rangeClosed(1, size).toArray();
        final int[] displacements = IntStream.range(0, size).map(i -> 2 * size * i).toArray();
        final int[] all = new int[2 * size * size];
        final int[] expected = new int[all.length];
        for (int i = 0; i < size; i++)
        {
            System.arraycopy(of(i, i + 1), 0, expected, displacements[i], i + 1);
        }
        comm.Allgatherv(of(rank, rank + 1), 0, rank + 1, MPI.INT, all, 0, counts, displacements, MPI.INT);
        Check.same(expected, all);
        Arrays.fill(all, 0);
        comm.Gatherv(of(rank, rank + 1), 0, rank + 1, MPI.INT, all, 0, counts, displacements, MPI.INT, 0);
        Check.same(rank == 0 ? expected : new int[all.length], all);
        final int[] one = new int[rank + 1];
        comm.Scatterv(expected, 0, counts, displacements, MPI.INT, one, 0, rank + 1, MPI.INT, 0);
        Check.same(of(rank, rank + 1), one);
        final int[] received = new int[all.length];
        final int[] equal = new int[size];
        Arrays.fill(equal, rank + 1);
        comm.Alltoallv(expected, 0, counts, displacements, MPI.INT, received, 0, equal, displacements, MPI.INT);
        for (int i = 0; i < size; i++)
        {
            Check.same(of(rank, rank + 1),
                Arrays.copyOfRange(received, displacements[i], displacements[i] + rank + 1));
        }
    }

    private static void objects(final Intracomm comm)
    {
        final int rank = comm.Rank();
        final int size = comm.Size();
        final Object[] names = IntStream.range(0, size).mapToObj(i -> "name " + i).toArray();
        final Object[] mine = {names[rank]};
        final Object[] one = {rank == 0 ? "root's" : null};
        comm.Bcast(one, 0, 1, MPI.OBJECT, 0);
        Check.same("root's", one[0]);
        final Object[] all = new Object[size];
        comm.Allgather(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
        Check.same(names, all);
        comm.Scatter(names, 0, 1, MPI.OBJECT, one, 0, 1, MPI.OBJECT, size - 1);
        Check.same(names[rank], one[0]);
        comm.Alltoall(names, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
        Check.same(names[rank], all[size - 1]);
        final Op joined = new Op(new Joined(), false);
        comm.Reduce(new Object[] {"" + rank}, 0, one, 0, 1, MPI.OBJECT, joined, 0);
        Check.same(rank == 0 ? digits(size) : names[rank], one[0]);
        comm.Scan(new Object[] {"" + rank}, 0, one, 0, 1, MPI.OBJECT, joined);
        Check.same(digits(rank + 1), one[0]);
        one[0] = "none";
        comm.exScan(new Object[] {"" + rank}, one, 1, MPI.OBJECT, joined);
        Check.same(rank == 0 ? "none" : digits(rank), one[0]);
        pairs(comm, joined);
    }

    /** Elements that are two objects each; rank 0 gets none of them. */
    private static void pairs(final Intracomm comm, final Op joined)
    {
        final int rank = comm.Rank();
        final int size = comm.Size();
        final Datatype pair = Datatype.Contiguous(2, MPI.OBJECT);
        final int[] counts = IntStream.range(0, size).toArray();
        final int before = rank * (rank - 1);
        final Object[] all = IntStream.range(0, size * (size - 1)).mapToObj(i -> "(" + i + ")").toArray();
        final Object[] own = new Object[2 * rank];
        comm.Reduce_scatter(all, 0, own, 0, counts, pair, joined);
        for (int i = 0; i < own.length; i++)
        {
            Check.same(("(" + (before + i) + ")").repeat(size), own[i]);
        }
    }

    private static String digits(final int count)
    {
        final StringBuilder text = new StringBuilder();
        IntStream.range(0, count).forEach(text::append);
        return text.toString();
    }

    /** The first of two. */
    private static final class Left extends User_function
    {
        @Override
        public void Call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
            final Datatype type)
        {
            System.arraycopy(in, inOffset, inOut, inOutOffset, count);
        }
    }

    /** Texts one behind the other. */
    private static final class Joined extends User_function
    {
        @Override
        public void Call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
            final Datatype type)
        {
            for (int i = 0; i < count; i++)
            {
                ((Object[])inOut)[inOutOffset + i] =
                    ((Object[])in)[inOffset + i] + "" + ((Object[])inOut)[inOutOffset + i];
            }
        }
    }
}
