// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.DoubleBuffer;
import java.nio.IntBuffer;

import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Messages between two or more processes by the names of Open MPI. */
public final class OpenMpiMessages
{
    private static final int LONG = 100_000;

    private OpenMpiMessages()
    {
    }

    public static void main(final String[] args) throws MPIException
    {
        Check.same(MPI.THREAD_MULTIPLE, MPI.InitThread(args, MPI.THREAD_FUNNELED));
        Check.same(true, MPI.isThreadMain());
        final Intracomm world = MPI.COMM_WORLD;
        final int rank = world.getRank();
        final int size = world.getSize();
        final int next = (rank + 1) % size;
        final int last = (rank + size - 1) % size;
        blocking(world, rank, next, last);
        memory(world, rank, next, last);
        buffers(world, rank, next, last);
        requests(world, rank, next, last);
        taken(world, rank, next, last);
        errors(world, size);
        attributes(world);
        world.barrier();
        MPI.Finalize();
        Check.same(true, MPI.isFinalized());
    }

    private static void blocking(final Comm world, final int rank, final int next, final int last) throws MPIException
    {
        final int[] mine = {rank, rank + 1};
        final int[] theirs = new int[2];
        MPI.attachBuffer(new byte[100]);
        world.bSend(mine, 2, MPI.INT, next, 1);
        final Status status = world.recv(theirs, 2, MPI.INT, MPI.ANY_SOURCE, 1);
        Check.same(last, status.getSource());
        Check.same(2, status.getCount(MPI.INT));
        Check.same(new int[] {last, last + 1}, theirs);
        Check.same(100, MPI.detachBuffer().length);
        world.sendRecvReplace(mine, 2, MPI.INT, next, 2, last, 2);
        Check.same(theirs, mine);
        world.sendRecv(mine, 1, MPI.INT, next, 3, theirs, 1, MPI.INT, last, 3);
        // A slice of an array, whose memory is the array's.
        final double[] numbers = {0, 1, 2, 3};
        world.send(MPI.slice(numbers, 2), 2, MPI.DOUBLE, next, 4);
        final double[] received = new double[4];
        world.recv(MPI.slice(received, 1), 2, MPI.DOUBLE, last, 4);
        Check.same(new double[] {0, 2, 3, 0}, received);
    }

    /** Arrays of other values than the datatype's are memory. */
    private static void memory(final Comm world, final int rank, final int next, final int last) throws MPIException
    {
        final int[] mine = {rank, ~rank, rank + 7};
        final long[] theirs = new long[2];
        final Status status = world.sendRecv(mine, 6, MPI.SHORT, next, 7, theirs, 16, MPI.BYTE, last, 7);
        Check.same(12, status.getCount(MPI.BYTE));
        final int[] copy = new int[4];
        world.sendRecv(theirs, 4, MPI.FLOAT, rank, 8, copy, 2, MPI.DOUBLE, rank, 8);
        Check.same(new int[] {last, ~last, last + 7, 0}, copy);
        final double[] all = new double[2 * world.getSize()];
        world.allGather(mine, 12, MPI.BYTE, all, 6, MPI.CHAR);
        world.sendRecv(MPI.slice(all, 0), 6, MPI.SHORT, rank, 9, copy, 3, MPI.INT, rank, 9);
        Check.same(new int[] {0, ~0, 7, 0}, copy);
    }

    private static void buffers(final Comm world, final int rank, final int next, final int last) throws MPIException
    {
        for (final int length : new int[] {1, LONG})
        {
            final DoubleBuffer mine = MPI.newDoubleBuffer(length + 1);
            final DoubleBuffer theirs = MPI.newDoubleBuffer(length + 1);
            for (int i = 0; i <= length; i++)
            {
                mine.put(i, rank + i);
            }
            final Request receive = world.iRecv(MPI.slice(theirs, 1), length, MPI.DOUBLE, last, 5);
            final Request send = world.iSend(MPI.slice(mine, 1), length, MPI.DOUBLE, next, 5);
            final Status[] statuses = Request.waitAllStatus(new Request[] {receive, send});
            Check.same(length, statuses[0].getCount(MPI.DOUBLE));
            Check.same(0.0, theirs.get(0));
            for (int i = 1; i <= length; i++)
            {
                Check.same((double)last + i, theirs.get(i));
            }
            Check.same(true, receive.isNull());
            receive.free();
        }
    }

    private static void requests(final Comm world, final int rank, final int next, final int last) throws MPIException
    {
        final IntBuffer mine = MPI.newIntBuffer(3);
        final IntBuffer theirs = MPI.newIntBuffer(3);
        final Request[] requests = new Request[3];
        for (int i = 0; i < requests.length; i++)
        {
            mine.put(i, rank * 10 + i);
            requests[i] = world.iRecv(MPI.slice(theirs, i), 1, MPI.INT, last, i);
        }
        Check.same(false, Request.testAll(requests));
        Check.same(null, requests[0].getStatus());
        MPI.COMM_WORLD.barrier();
        for (int i = 0; i < requests.length; i++)
        {
            world.isSend(MPI.slice(mine, i), 1, MPI.INT, next, i).waitFor();
        }
        Check.same(1, requests[1].waitStatus().getTag());
        int first = Request.waitAny(requests);
        Check.same(true, first != 1 && requests[first].isNull());
        Check.same(new int[] {2 - first}, Request.waitSome(requests));
        first = Request.waitAny(requests);
        Check.same(MPI.UNDEFINED, first);
        Check.same(null, Request.waitSome(requests));
        Check.same(last * 10 + 2, theirs.get(2));
        final Prequest send = world.sendInit(mine, 3, MPI.INT, next, 6);
        final Prequest receive = world.recvInit(theirs, 3, MPI.INT, last, 6);
        for (int round = 0; round < 3; round++)
        {
            mine.put(0, round);
            Prequest.startAll(new Prequest[] {send, receive});
            Request.waitAll(new Request[] {send, receive});
            Check.same(round, theirs.get(0));
            Check.same(false, send.isNull());
        }
        send.free();
        Check.same(true, send.isNull());
    }

    private static void taken(final Comm world, final int rank, final int next, final int last) throws MPIException
    {
        final Message message = new Message();
        Check.same(null, message.imProbe(MPI.ANY_SOURCE, 7, world));
        Check.same(true, message.isNull());
        MPI.COMM_WORLD.barrier();
        world.send(new int[] {rank, 1}, 2, MPI.INT, next, 7);
        world.send(new int[] {rank, 2}, 2, MPI.INT, next, 7);
        Check.same(2, message.mProbe(last, 7, world).getCount(MPI.INT));
        final int[] theirs = new int[2];
        world.recv(theirs, 2, MPI.INT, last, 7);
        Check.same(new int[] {last, 2}, theirs);
        Check.same(last, message.mRecv(theirs, 2, MPI.INT).getSource());
        Check.same(new int[] {last, 1}, theirs);
        message.mProbe(MPI.PROC_NULL, 7, world);
        Check.same(true, message.isNoProc());
        Check.same(MPI.PROC_NULL, message.mRecv(theirs, 2, MPI.INT).getSource());
    }

    private static void errors(final Comm world, final int size) throws MPIException
    {
        world.setErrhandler(MPI.ERRORS_RETURN);
        try
        {
            world.send(new int[1], 1, MPI.INT, size, 0);
            Check.holds(false, "no exception");
        }
        catch (final MPIException ex)
        {
            Check.same(MPI.ERR_RANK, ex.getErrorClass());
            Check.same("send: rank=" + size + " is outside 0 to " + (size - 1), ex.getMessage());
        }
        Check.same(MPI.ERRORS_RETURN, world.dup().getErrhandler());
        world.setErrhandler(MPI.ERRORS_ARE_FATAL);
    }

    private static void attributes(final Comm world) throws MPIException
    {
        Check.same(Integer.MAX_VALUE, world.getAttr(MPI.TAG_UB));
        Check.same(MPI.COMM_WORLD.getSize(), world.getAttr(MPI.UNIVERSE_SIZE));
        final int key = Comm.createKeyval();
        world.setAttr(key, "value");
        final Comm copy = world.iDup();
        copy.getRequest().waitFor();
        Check.same("value", copy.getAttr(key));
        copy.deleteAttr(key);
        Check.same(null, copy.getAttr(key));
        Check.same("value", world.getAttr(key));
        Comm.freeKeyval(key);
        copy.free();
        Check.same(true, copy.isNull());
        Check.same("MPI_COMM_WORLD", world.getName());
        Check.same(1, MPI.COMM_SELF.getSize());
    }
}
