// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.stream.IntStream;

import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** Windows among any number of processes. */
public final class OpenMpiWindows
{
    private static final int LENGTH = 16;
    private static final int ROUND_COUNT = 50;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int size = world.getSize();
    private final int next = (rank + 1) % size;
    private final int before = (rank + size - 1) % size;
    private final IntBuffer own = MPI.newIntBuffer(LENGTH);
    private final IntBuffer values = MPI.newIntBuffer(LENGTH);
    private final Win win = new Win(own, LENGTH, 1, MPI.INFO_NULL, world);

    private OpenMpiWindows()
    {
    }

    public static void main(final String[] args) throws InterruptedException
    {
        MPI.Init(args);
        final OpenMpiWindows windows = new OpenMpiWindows();
        windows.world.setErrhandler(MPI.ERRORS_RETURN);
        windows.win.setErrhandler(MPI.ERRORS_RETURN);
        windows.fence();
        windows.postAndStart();
        windows.accumulate();
        windows.swap();
        windows.lock();
        windows.nothing();
        windows.threads();
        windows.refuse();
        windows.attached();
        windows.allocated();
        windows.win.free();
        MPI.Finalize();
    }

    private void fence()
    {
        win.fence(0);
        for (int i = 0; i < LENGTH; i++)
        {
            values.put(i, 100 * rank + i);
        }
        win.put(values, LENGTH, MPI.INT, next, 0, LENGTH, MPI.INT);
        win.fence(0);
        Check.same(100 * before + 3, own.get(3));

        final IntBuffer got = MPI.newIntBuffer(2);
        final Datatype second = Datatype.createVector(2, 1, 2, MPI.INT);
        second.commit();
        win.get(got, 2, MPI.INT, next, 5, 1, second);
        win.fence(0);
        Check.same(100 * rank + 5, got.get(0));
        Check.same(100 * rank + 7, got.get(1));
        world.barrier();
    }

    private void postAndStart()
    {
        final Group all = world.getGroup();
        win.post(all.incl(new int[] {before}), 0);
        win.start(all.incl(new int[] {next}), 0);
        values.put(0, 7_000 + rank);
        win.put(values, 1, MPI.INT, next, 1, 1, MPI.INT);
        win.complete();
        win.waitFor();
        Check.same(7_000 + before, own.get(1));
        world.barrier();
    }

    private void accumulate()
    {
        own.put(0, 0);
        win.fence(0);
        values.put(0, rank + 1);
        for (int target = 0; target < size; target++)
        {
            win.accumulate(values, 1, MPI.INT, target, 0, 1, MPI.INT, MPI.SUM);
        }
        win.fence(0);
        Check.same(size * (size + 1) / 2, own.get(0));
        world.barrier();
    }

    private void swap()
    {
        own.put(2, 0);
        world.barrier();
        win.lockAll(0);
        final IntBuffer one = MPI.newIntBuffer(1).put(0, 1);
        final IntBuffer found = MPI.newIntBuffer(1);
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            win.fetchAndOp(one, found, MPI.INT, 0, 2, MPI.SUM);
            win.flush(0);
        }
        win.unlockAll();
        world.barrier();
        Check.same(rank == 0 ? size * ROUND_COUNT : 0, own.get(2));
        world.barrier();                        // Rank 0 has looked before another swaps.

        win.lock(MPI.LOCK_SHARED, 0, 0);
        final IntBuffer expected = MPI.newIntBuffer(1).put(0, size * ROUND_COUNT);
        win.compareAndSwap(one, expected, found, MPI.INT, 0, 2);
        win.unlock(0);
        final int[] swapped = {found.get(0) == size * ROUND_COUNT ? 1 : 0};
        world.allReduce(swapped, 1, MPI.INT, MPI.SUM);
        Check.same(1, swapped[0]);
        world.barrier();
    }

    private void lock()
    {
        own.put(4, 0);
        world.barrier();
        final IntBuffer count = MPI.newIntBuffer(1);
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            win.get(count, 1, MPI.INT, 0, 4, 1, MPI.INT);
            win.flush(0);
            count.put(0, count.get(0) + 1);
            win.put(count, 1, MPI.INT, 0, 4, 1, MPI.INT);
            win.unlock(0);
        }
        world.barrier();
        Check.same(rank == 0 ? size * ROUND_COUNT : 0, own.get(4));
    }

    /** Accesses of no elements, also at displacements where none could be. */
    private void nothing()
    {
        final Datatype second = Datatype.createVector(2, 1, 2, MPI.INT);
        second.commit();
        own.put(0, 5);
        win.fence(0);
        for (final Datatype type : new Datatype[] {MPI.INT, second})
        {
            for (final int displacement : new int[] {0, LENGTH, Integer.MAX_VALUE})
            {
                win.put(values, 0, type, next, displacement, 0, type);
                win.get(values, 0, type, next, displacement, 0, type);
                win.accumulate(values, 0, type, next, displacement, 0, type, MPI.SUM);
                win.rPut(values, 0, type, next, displacement, 0, type).waitFor();
                win.rGet(values, 0, type, next, displacement, 0, type).waitFor();
                win.rAccumulate(values, 0, type, next, displacement, 0, type, MPI.SUM).waitFor();
            }
        }
        win.fence(0);
        Check.same(5, own.get(0));
        world.barrier();
    }

    private void threads() throws InterruptedException
    {
        own.put(6, 0);
        world.barrier();
        win.lockAll(0);
        final Thread[] threads = IntStream.range(0, 2).mapToObj(i -> new Thread(() ->
        {
            final IntBuffer one = MPI.newIntBuffer(1).put(0, 1);
            for (int round = 0; round < ROUND_COUNT; round++)
            {
                win.accumulate(one, 1, MPI.INT, next, 6, 1, MPI.INT, MPI.SUM);
                win.flush(next);
            }
        })).toArray(Thread[]::new);
        for (final Thread thread : threads)
        {
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        win.unlockAll();
        world.barrier();
        Check.same(threads.length * ROUND_COUNT, own.get(6));
    }

    private void refuse()
    {
        win.lock(MPI.LOCK_EXCLUSIVE, rank, 0);
        Check.same(MPI.ERR_RMA_SYNC, errorClass(() -> win.lock(MPI.LOCK_SHARED, rank, 0)));
        win.unlock(rank);
        Check.same(MPI.ERR_RMA_SYNC, errorClass(() -> win.unlock(rank)));
        Check.same(MPI.ERR_RANK, errorClass(() -> win.lock(MPI.LOCK_SHARED, size, 0)));
        Check.same(MPI.ERR_RANK, errorClass(() -> win.lock(MPI.LOCK_SHARED, size, 0)));
        Check.same(MPI.ERR_DISP, errorClass(() -> win.put(values, 1, MPI.INT, next, LENGTH, 1, MPI.INT)));

        final ByteBuffer readOnly = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        Check.same(MPI.ERR_BUFFER, errorClass(() -> win.get(readOnly, 1, MPI.INT, next, 0, 1, MPI.INT)));
        Check.same(MPI.ERR_BUFFER, errorClass(() -> world.recv(readOnly, 1, MPI.INT, next, 0)));
        Check.same(MPI.ERR_BUFFER, errorClass(() -> world.iRecv(readOnly, 1, MPI.INT, next, 0)));
        Check.same(MPI.ERR_WIN, errorClass(() -> new Win(readOnly, 1, 1, MPI.INFO_NULL, world)));
        world.sendRecv(readOnly, 1, MPI.INT, rank, 0, values, 1, MPI.INT, rank, 0);
        Check.same(0, values.get(0));
        final Win less = new Win(MPI.newIntBuffer(1), 4, 1, MPI.INFO_NULL, world);
        less.lock(MPI.LOCK_SHARED, next, 0);
        less.put(values, 1, MPI.INT, next, 0, 1, MPI.INT);
        Check.same(MPI.ERR_DISP, errorClass(() -> less.put(values, 1, MPI.INT, next, 1, 1, MPI.INT)));
        less.unlock(next);
        less.free();
        world.barrier();
    }

    private void attached()
    {
        final Win dynamic = new Win(MPI.INFO_NULL, world);
        dynamic.setErrhandler(MPI.ERRORS_RETURN);
        Check.same(0, dynamic.getAttr(MPI.WIN_SIZE));
        final IntBuffer first = MPI.newIntBuffer(3);
        final IntBuffer second = MPI.newIntBuffer(2);
        dynamic.attach(first, 3);
        dynamic.attach(second, 2);
        dynamic.fence(0);
        values.put(0, 900 + rank).put(1, 901 + rank);
        dynamic.put(values, 1, MPI.INT, next, 2 * Integer.BYTES, 1, MPI.INT);
        dynamic.put(values, 2, MPI.INT, next, 4 * Integer.BYTES, 2, MPI.INT);
        dynamic.fence(0);
        Check.same(900 + before, first.get(2));
        Check.same(901 + before, second.get(1));
        dynamic.detach(first);
        world.barrier();
        dynamic.lock(MPI.LOCK_SHARED, next, 0);
        dynamic.put(values, 1, MPI.INT, next, 0, 1, MPI.INT);
        Check.same(MPI.ERR_DISP, errorClass(() -> dynamic.flush(next)));
        dynamic.get(values, 1, MPI.INT, next, 4 * Integer.BYTES, 1, MPI.INT);
        dynamic.unlock(next);
        Check.same(900 + rank, values.get(0));
        Check.same(MPI.ERR_BASE, errorClass(() -> dynamic.detach(first)));
        Check.same(MPI.ERR_WIN, errorClass(() -> win.attach(first, 3)));
        Check.same(900 + before, first.get(2));
        dynamic.free();
    }

    private void allocated()
    {
        for (final int flavor : new int[] {Win.FLAVOR_PRIVATE, Win.FLAVOR_SHARED})
        {
            final Win allocated = new Win(2, 1, MPI.INFO_NULL, world, values, flavor);
            values.put(0, 70 + rank);
            allocated.fence(0);
            allocated.put(values, 1, MPI.INT, next, 1, 1, MPI.INT);
            allocated.fence(0);
            Check.same(70 + before, ((ByteBuffer)allocated.getAttr(MPI.WIN_BASE)).getInt(Integer.BYTES));
            allocated.free();
        }
        Check.same(MPI.ERR_WIN, errorClass(() -> new Win(2, 1, MPI.INFO_NULL, world, values, 7)));
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
