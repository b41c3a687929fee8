// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.User_function;

/** Collective calls of any number of processes by the names of Open MPI. */
public final class OpenMpiCollectives
{
    private OpenMpiCollectives()
    {
    }

    public static void main(final String[] args) throws MPIException
    {
        MPI.Init(args);
        final Intracomm world = MPI.COMM_WORLD;
        for (final int count : new int[] {1, 9, 20_000})
        {
            waiting(world, count);
            begun(world, count);
        }
        inPlace(world);
        parts(world);
        members(world);
        MPI.Finalize();
    }

    private static int[] of(final int rank, final int count)
    {
        return IntStream.range(0, count).map(i -> rank * 31 + i).toArray();
    }

    private static int[] sums(final int size, final int count)
    {
        return IntStream.range(0, count).map(i -> IntStream.range(0, size).map(rank -> rank * 31 + i).sum()).toArray();
    }

    private static void waiting(final Intracomm comm, final int count) throws MPIException
    {
        final int rank = comm.getRank();
        final int size = comm.getSize();
        final int[] mine = of(rank, count);
        final int[] result = new int[count];
        comm.allReduce(mine, result, count, MPI.INT, MPI.SUM);
        Check.same(sums(size, count), result);
        comm.exScan(mine, result, count, MPI.INT, MPI.SUM);
        Check.same(rank == 0 ? sums(size, count) : sums(rank, count), result);
        final int[] all = new int[count * size];
        comm.gather(mine, count, MPI.INT, all, count, MPI.INT, 0);
        comm.bcast(all, count * size, MPI.INT, 0);
        Check.same(of(size - 1, count), Arrays.copyOfRange(all, count * (size - 1), count * size));
        final int[] block = new int[count];
        comm.reduceScatterBlock(all, block, count, MPI.INT, MPI.SUM);
        Check.same(IntStream.of(mine).map(i -> i * size).toArray(), block);
        MPI.COMM_SELF.allReduce(mine, result, count, MPI.INT, MPI.MAX);
        Check.same(mine, result);
        Comm.reduceLocal(mine, result, count, MPI.INT, MPI.SUM);
        Check.same(IntStream.of(mine).map(i -> i * 2).toArray(), result);
    }

    private static void begun(final Intracomm comm, final int count) throws MPIException
    {
        final int rank = comm.getRank();
        final int size = comm.getSize();
        final IntBuffer mine = MPI.newIntBuffer(count).put(of(rank, count));
        final IntBuffer result = MPI.newIntBuffer(count);
        final IntBuffer all = MPI.newIntBuffer(count * size);
        final IntBuffer one = MPI.newIntBuffer(count);
        final Request[] requests = {comm.iBarrier(), comm.iAllReduce(mine, result, count, MPI.INT, MPI.SUM),
            comm.iAllGather(mine, count, MPI.INT, all, count, MPI.INT), comm.iScan(mine, one, count, MPI.INT, MPI.MAX)};
        Request.waitAll(requests);
        Check.same(sums(size, count), ints(result));
        Check.same(of(rank, count), ints(one));
        Check.same(of(size - 1, count), Arrays.copyOfRange(ints(all), count * (size - 1), count * size));
        begunBeforeTheEnd(comm, mine);
    }

    /** Calls that are in progress when their communicator is freed. */
    private static void begunBeforeTheEnd(final Intracomm comm, final IntBuffer mine) throws MPIException
    {
        final int count = mine.capacity();
        final int size = comm.getSize();
        final IntBuffer all = MPI.newIntBuffer(count * size);
        final IntBuffer result = MPI.newIntBuffer(count);
        final Intracomm twin = comm.dup();
        final Request[] requests = {twin.iAllGather(mine, count, MPI.INT, all, count, MPI.INT),
            twin.iAllReduce(mine, result, count, MPI.INT, MPI.SUM)};
        twin.free();
        Request.waitAll(requests);
        Check.same(sums(size, count), ints(result));
        Check.same(of(size - 1, count), Arrays.copyOfRange(ints(all), count * (size - 1), count * size));
    }

    private static int[] ints(final IntBuffer buffer)
    {
        final int[] ints = new int[buffer.capacity()];
        buffer.duplicate().clear().get(ints);
        return ints;
    }

    private static void inPlace(final Intracomm comm) throws MPIException
    {
        final int rank = comm.getRank();
        final int size = comm.getSize();
        final int[] ranks = IntStream.range(0, size).toArray();
        final int[] sum = {rank, 1};
        comm.allReduce(sum, 2, MPI.INT, MPI.SUM);
        Check.same(new int[] {size * (size - 1) / 2, size}, sum);
        final int[] atRoot = {rank};
        comm.reduce(atRoot, 1, MPI.INT, MPI.SUM, 0);
        Check.same(rank == 0 ? sum[0] : rank, atRoot[0]);
        final int[] all = new int[size];
        all[rank] = rank;
        comm.allGather(all, 1, MPI.INT);
        Check.same(ranks, all);
        Arrays.fill(all, -1);
        all[rank == 0 ? rank : 0] = rank;
        comm.gather(all, 1, MPI.INT, 0);
        Check.same(rank == 0 ? size - 1 : rank, all[rank == 0 ? size - 1 : 0]);
        final int[] parts = rank == 0 ? ranks.clone() : new int[1];
        comm.scatter(parts, 1, MPI.INT, 0);
        Check.same(rank, parts[0]);
        final int[] scanned = {1};
        comm.scan(scanned, 1, MPI.INT, MPI.SUM);
        Check.same(rank + 1, scanned[0]);
        final int[] reduced = ranks.clone();
        final int[] ones = new int[size];
        Arrays.fill(ones, 1);
        comm.reduceScatter(reduced, ones, MPI.INT, MPI.SUM);
        Check.same(rank * size, reduced[0]);
        objectsInPlace(comm);
    }

    private static void objectsInPlace(final Intracomm comm) throws MPIException
    {
        final int rank = comm.getRank();
        final int size = comm.getSize();
        final Object[] ranks = IntStream.range(0, size).boxed().toArray();
        final Object[] all = new Object[size];
        all[rank] = rank;
        comm.allGather(all, 1, MPI.OBJECT);
        Check.same(ranks, all);
        final Object[] one = {rank};
        comm.gather(rank == 0 ? all : one, 1, MPI.OBJECT, 0);
        Check.same(ranks, all);
        final Object own = all[0];
        comm.scatter(rank == 0 ? all : one, 1, MPI.OBJECT, 0);
        Check.same(rank, one[0]);
        Check.holds(all[0] == own, "the root's own object stays where it is");
        final int[] ones = new int[size];
        Arrays.fill(ones, 1);
        if (rank == 0)
        {
            comm.gatherv(all, ones, IntStream.range(0, size).toArray(), MPI.OBJECT, 0);
            comm.scatterv(all, ones, IntStream.range(0, size).toArray(), MPI.OBJECT, 0);
        }
        else
        {
            comm.gatherv(one, 1, MPI.OBJECT, 0);
            comm.scatterv(one, 1, MPI.OBJECT, 0);
        }
        Check.same(ranks, all);
        Check.same(rank, one[0]);
        final Op last = new Op(new Last(), false);
        comm.allReduce(one, 1, MPI.OBJECT, last);
        Check.same(size - 1, one[0]);
        one[0] = rank;
        comm.scan(one, 1, MPI.OBJECT, last);
        comm.reduce(one, 1, MPI.OBJECT, last, 0);
        Check.same(rank == 0 ? size - 1 : rank, one[0]);
        one[0] = rank;
        comm.exScan(one, 1, MPI.OBJECT, last);
        Check.same(Math.max(0, rank - 1), one[0]);
        comm.reduceScatter(all, ones, MPI.OBJECT, last);
        Check.same(rank, all[0]);
    }

    /** The second one of two. */
    private static final class Last extends User_function
    {
        @Override
        public void Call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
            final Datatype type)
        {
            // It is where the result belongs.
        }
    }

    private static void parts(final Intracomm comm) throws MPIException
    {
        final int rank = comm.getRank();
        final int size = comm.getSize();
        final int[] counts = IntStream.rangeClosed(1, size).toArray();
        final int[] places = IntStream.range(0, size).map(i -> i * size).toArray();
        final int[] all = new int[size * size];
        comm.allGatherv(of(rank, rank + 1), rank + 1, MPI.INT, all, counts, places, MPI.INT);
        for (int i = 0; i < size; i++)
        {
            Check.same(of(i, i + 1), Arrays.copyOfRange(all, places[i], places[i] + i + 1));
        }
        final int[] mine = new int[rank + 1];
        if (rank == 0)
        {
            comm.scatterv(all, counts, places, MPI.INT, 0);
            comm.gatherv(all, counts, places, MPI.INT, 0);
        }
        else
        {
            comm.scatterv(mine, rank + 1, MPI.INT, 0);
            Check.same(of(rank, rank + 1), mine);
            comm.gatherv(mine, rank + 1, MPI.INT, 0);
        }
        final int[] ones = new int[size];
        Arrays.fill(ones, 1);
        final int[] bytePlaces = IntStream.range(0, size).map(i -> i * Integer.BYTES).toArray();
        final Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.INT);
        final int[] received = new int[size];
        comm.allToAllw(of(rank, size), ones, bytePlaces, types, received, ones, bytePlaces, types);
        Check.same(IntStream.range(0, size).map(i -> i * 31 + rank).toArray(), received);
        betweenInts(comm, ones, types);
    }

    /** Places that are no multiple of an element's length. */
    private static void betweenInts(final Intracomm comm, final int[] ones, final Datatype... types)
    {
        final int[] places = IntStream.range(0, ones.length).map(i -> i * 7 + 1).toArray();
        final ByteBuffer mine = ByteBuffer.allocate(7 * ones.length).order(ByteOrder.nativeOrder());
        Arrays.stream(places).forEach(place -> mine.putInt(place, comm.getRank() * 31 + place));
        final ByteBuffer onHeap = ByteBuffer.allocate(mine.capacity()).order(ByteOrder.nativeOrder());
        final ByteBuffer direct = MPI.newByteBuffer(mine.capacity()).order(ByteOrder.nativeOrder());
        final int[] array = new int[2 * ones.length];
        comm.allToAllw(mine, ones, places, types, onHeap, ones, places, types);
        comm.allToAllw(mine, ones, places, types, direct, ones, places, types);
        comm.allToAllw(direct, ones, places, types, array, ones, places, types);
        for (int i = 0; i < places.length; i++)
        {
            final int expected = i * 31 + comm.getRank() * 7 + 1;
            Check.same(expected, onHeap.getInt(places[i]));
            Check.same(expected, direct.getInt(places[i]));
        }
        final ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * array.length).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(array);
        Arrays.stream(places).forEach(place -> Check.same(mine.getInt(place), bytes.getInt(place)));
    }

    private static void members(final Intracomm world) throws MPIException
    {
        final int rank = world.getRank();
        final Intracomm half = world.split(rank % 2, rank);
        Check.same(rank / 2, half.getRank());
        half.free();
        Check.same(true, world.split(rank == 0 ? MPI.UNDEFINED : 0, 0).isNull() == (rank == 0));
        Check.same(world.getSize(), world.splitType(Comm.TYPE_SHARED, rank, MPI.INFO_NULL).getSize());
        final int[] odd = IntStream.range(0, world.getSize()).filter(i -> i % 2 == 1).toArray();
        if (rank % 2 == 1)
        {
            final Intracomm some = world.createGroup(world.getGroup().incl(odd), 3);
            Check.same(odd.length, some.getSize());
            Check.same(rank / 2, some.getRank());
            some.barrier();
        }
        Check.same(rank % 2 == 0, world.create(world.getGroup().incl(odd)).isNull());
        Check.same(MPI.IDENT, Comm.compare(world, world));
    }
}
