// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.ByteBuffer;
import java.util.Arrays;

import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Messages between two or more processes by the names of mpiJava 1.2. */
public final class MpiJavaMessages
{
    private static final int LONG = 100_000;

    private MpiJavaMessages()
    {
    }

    public static void main(final String[] args)
    {
        Check.same(false, MPI.Initialized());
        MPI.Init(args);
        Check.same(true, MPI.Initialized());
        final Comm world = MPI.COMM_WORLD;
        final int rank = world.Rank();
        final int size = world.Size();
        final int next = (rank + 1) % size;
        final int last = (rank + size - 1) % size;
        modes(world, rank, next, last);
        requests(world, rank, next, last);
        objects(world, rank, next, last);
        persistent(world, rank, next, last);
        nobody(world);
        mistakes(world, rank, size);
        attributesAndPacks(world);
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
        Check.same(true, MPI.Finalized());
        Check.same(MPI.ERR_OTHER, errorClass(() -> world.Rank()));
    }

    private static int[] values(final int rank, final int length)
    {
        final int[] values = new int[length];
        Arrays.setAll(values, i -> rank * 1000 + i);
        return values;
    }

    private static void modes(final Comm world, final int rank, final int next, final int last)
    {
        MPI.Buffer_attach(ByteBuffer.allocateDirect(Integer.BYTES * LONG + MPI.BSEND_OVERHEAD));
        for (final int length : new int[] {0, 3, LONG})
        {
            final int[] mine = values(rank, length + 2);
            final int[] theirs = new int[length + 1];
            for (int mode = 0; mode < 4; mode++)
            {
                Arrays.fill(theirs, -1);
                final Request request = world.Irecv(theirs, 1, length, MPI.INT, mode % 2 == 0 ? last : MPI.ANY_SOURCE,
                    mode);
                if (mode == 0)
                {
                    world.Isend(mine, 2, length, MPI.INT, next, mode).Wait();
                }
                else if (mode == 1)
                {
                    world.Bsend(mine, 2, length, MPI.INT, next, mode);
                }
                else if (mode == 2)
                {
                    world.Ssend(mine, 2, length, MPI.INT, next, mode);
                }
                else
                {
                    world.Rsend(mine, 2, length, MPI.INT, next, mode);
                }
                final Status status = request.Wait();
                Check.same(last, status.source);
                Check.same(mode, status.tag);
                Check.same(length, status.Get_count(MPI.INT));
                Check.same(-1, theirs[0]);
                Check.same(Arrays.copyOfRange(values(last, length + 2), 2, length + 2),
                    Arrays.copyOfRange(theirs, 1, length + 1));
                MPI.COMM_WORLD.Barrier();
            }
        }
        MPI.Buffer_detach();
    }

    private static void requests(final Comm world, final int rank, final int next, final int last)
    {
        final int count = 5;
        final double[] mine = {rank, 1, 2, 3, 4};
        final double[] theirs = new double[count];
        final Request[] requests = new Request[count + 1];
        for (int i = 0; i < count; i++)
        {
            requests[i] = world.Irecv(theirs, i, 1, MPI.DOUBLE, last, i);
        }
        requests[count] = MPI.REQUEST_NULL;
        Check.same(null, requests[0].Test());
        MPI.COMM_WORLD.Barrier();
        for (int i = count - 1; i >= 0; i--)
        {
            world.Send(mine, i, 1, MPI.DOUBLE, next, i);
        }
        final Status any = Request.Waitany(requests);
        Check.same(any.index, any.tag);
        Check.same(true, requests[any.index].Is_null());
        int ended = 1;
        for (final Status status : Request.Waitsome(requests))
        {
            Check.same(status.index, status.tag);
            ended++;
        }
        for (Status status = Request.Testany(requests); ended < count; status = Request.Testany(requests))
        {
            ended += status == null ? 0 : 1;
        }
        Check.same(MPI.UNDEFINED, Request.Waitany(requests).index);
        Check.same(null, Request.Waitsome(requests));
        Check.same(count + 1, Request.Waitall(requests).length);
        Check.same(new double[] {last, 1, 2, 3, 4}, theirs);
        final Request never = world.Irecv(theirs, 0, 1, MPI.DOUBLE, last, 77);
        never.Cancel();
        Check.same(true, never.Wait().Test_cancelled());
        Check.same(null, world.Iprobe(MPI.ANY_SOURCE, 5));
        MPI.COMM_WORLD.Barrier();
        world.Send(mine, 0, 2, MPI.DOUBLE, next, 5);
        Check.same(2, world.Probe(MPI.ANY_SOURCE, 5).Get_count(MPI.DOUBLE));
        Check.same(last, world.Iprobe(last, MPI.ANY_TAG).source);
        Check.same(2, world.Recv(theirs, 3, 2, MPI.DOUBLE, last, 5).Get_count(MPI.DOUBLE));
        final int[] replaced = values(rank, LONG);
        world.Sendrecv_replace(replaced, 0, LONG, MPI.INT, next, 6, last, 6);
        Check.same(values(last, LONG), replaced);
    }

    private static void objects(final Comm world, final int rank, final int next, final int last)
    {
        final Object[] mine = {"from " + rank, null, new int[] {rank}};
        final Object[] theirs = new Object[4];
        final Status status = world.Sendrecv(mine, 0, 3, MPI.OBJECT, next, 8, theirs, 1, 3, MPI.OBJECT, last, 8);
        Check.same(3, status.Get_count(MPI.OBJECT));
        Check.same(new Object[] {null, "from " + last, null, new int[] {last}}, theirs);
        Check.same(MPI.ERR_TYPE, errorClass(() -> world.Send(new Object[] {new Object()}, 0, 1, MPI.OBJECT, next, 8)));
    }

    private static void persistent(final Comm world, final int rank, final int next, final int last)
    {
        final int[] mine = new int[1];
        final int[] theirs = new int[1];
        final Prequest[] requests = {
            world.Send_init(mine, 0, 1, MPI.INT, next, 9), world.Recv_init(theirs, 0, 1, MPI.INT, last, 9)};
        for (int round = 0; round < 3; round++)
        {
            mine[0] = rank + round;
            Prequest.Startall(requests);
            Check.same(1, Request.Waitall(requests)[1].Get_count(MPI.INT));
            Check.same(last + round, theirs[0]);
        }
        requests[0].Free();
        Check.same(MPI.ERR_REQUEST, errorClass(() -> requests[0].Start()));
    }

    private static void nobody(final Comm world)
    {
        final int[] untouched = {7};
        world.Send(untouched, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        final Status status = world.Recv(untouched, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        Check.same(MPI.PROC_NULL, status.source);
        Check.same(0, status.Get_count(MPI.INT));
        Check.same(MPI.PROC_NULL, world.Irecv(untouched, 0, 1, MPI.INT, MPI.PROC_NULL, 0).Wait().source);
        Check.same(7, untouched[0]);
    }

    private static void mistakes(final Comm world, final int rank, final int size)
    {
        final int[] one = new int[1];
        Check.same(MPI.ERR_RANK, errorClass(() -> world.Send(one, 0, 1, MPI.INT, size, 0)));
        Check.same(MPI.ERR_RANK, errorClass(() -> world.Send(one, 0, 1, MPI.INT, MPI.ANY_SOURCE, 0)));
        Check.same(MPI.ERR_TAG, errorClass(() -> world.Send(one, 0, 1, MPI.INT, 0, -7)));
        Check.same(MPI.ERR_COUNT, errorClass(() -> world.Send(one, 0, -1, MPI.INT, 0, 0)));
        Check.same(MPI.ERR_BUFFER, errorClass(() -> world.Send(one, 1, 1, MPI.INT, 0, 0)));
        Check.same(MPI.ERR_TYPE, errorClass(() -> world.Send(one, 0, 1, MPI.DOUBLE, 0, 0)));
        Check.same(MPI.ERR_BUFFER, errorClass(() -> world.Bsend(new int[LONG], 0, LONG, MPI.INT, 0, 0)));
        Check.same(MPI.ERR_ROOT, errorClass(() -> MPI.COMM_WORLD.Bcast(one, 0, 1, MPI.INT, size)));
        Check.same(MPI.ERR_OTHER, errorClass(() -> MPI.Init(new String[0])));
        MPI.COMM_WORLD.Barrier();
        world.Send(new int[2], 0, 2, MPI.INT, rank, 11);
        Check.same(MPI.ERR_TRUNCATE, errorClass(() -> world.Recv(one, 0, 1, MPI.INT, rank, 11)));
    }

    private static void attributesAndPacks(final Comm world)
    {
        Check.same(Integer.MAX_VALUE, world.Attr_get(MPI.TAG_UB));
        Check.same(MPI.UNDEFINED, world.Topo_test());
        Check.same(false, world.Test_inter());
        final byte[] packed = new byte[100];
        int position = world.Pack(new double[] {1, 2, 3}, 1, 2, MPI.DOUBLE, packed, 0);
        Check.same(world.Pack_size(2, MPI.DOUBLE), position);
        position = world.Pack(new Object[] {"a"}, 0, 1, MPI.OBJECT, packed, position);
        final double[] numbers = new double[2];
        final Object[] object = new Object[1];
        Check.same(position, world.Unpack(packed, world.Unpack(packed, 0, numbers, 0, 2, MPI.DOUBLE), object, 0, 1,
            MPI.OBJECT));
        Check.same(new double[] {2, 3}, numbers);
        Check.same("a", object[0]);
        Check.same(MPI.ERR_TRUNCATE, errorClass(() -> world.Unpack(packed, 99, numbers, 0, 1, MPI.DOUBLE)));
        final Comm copy = world.clone();
        Check.same(MPI.CONGRUENT, Comm.Compare(world, copy));
        Check.same(MPI.IDENT, Comm.Compare(world, world));
        copy.Free();
        Check.same(MPI.ERR_COMM, errorClass(() -> copy.Size()));
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
