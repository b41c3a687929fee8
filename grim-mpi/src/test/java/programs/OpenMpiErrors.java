// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.Buffer;
import java.nio.IntBuffer;
import java.util.Arrays;

import mpi.Comm;
import mpi.Datatype;
import mpi.File;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.User_function;
import mpi.Win;

/** Wrong arguments and calls out of turn, among any number of processes: each is refused with its class of error. */
public final class OpenMpiErrors
{
    private static final int HUGE = 1 << 30;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int size = world.getSize();
    private final int[] one = new int[1];
    private final IntBuffer direct = MPI.newIntBuffer(1);

    private OpenMpiErrors()
    {
    }

    public static void main(final String[] args)
    {
        MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        final OpenMpiErrors errors = new OpenMpiErrors();
        errors.missingOperations();
        errors.missingArguments();
        errors.objects();
        errors.displacements();
        if (errors.size > 1)
        {
            errors.inPlaceBetweenGroups();
        }
        errors.uncommitted();
        errors.tooLong();
        errors.requests();
        errors.nested();
        errors.windows();
        errors.windowArguments();
        errors.revocations(false);
        errors.revocations(true);
        MPI.Finalize();
    }

    private void missingOperations()
    {
        refused(MPI.ERR_OP, "allReduce: the operation is null", () -> world.allReduce(one, 1, MPI.INT, null));
        refused(MPI.ERR_OP, "iAllReduce", () -> world.iAllReduce(direct, 1, MPI.INT, null));
        refused(MPI.ERR_OP, "Reduce", () -> world.Reduce(one, 0, new int[1], 0, 1, MPI.INT, null, 0));
        refused(MPI.ERR_OP, "scan", () -> world.scan(one, 1, MPI.INT, null));
        refused(MPI.ERR_OP, "reduceScatterBlock", () -> world.reduceScatterBlock(one, 1, MPI.INT, null));
        refused(MPI.ERR_OP, "Reduce_scatter",
            () -> world.Reduce_scatter(one, 0, one, 0, new int[size], MPI.INT, null));
        refused(MPI.ERR_OP, "Allreduce",
            () -> world.Allreduce(new Object[1], 0, new Object[1], 0, 1, MPI.OBJECT, null));
        refused(MPI.ERR_OP, "reduceLocal", () -> Comm.reduceLocal(one, one, 1, MPI.INT, null));
    }

    private void missingArguments()
    {
        refused(MPI.ERR_ARG, "reduceScatter: counts are null",
            () -> world.reduceScatter(one, null, MPI.INT, MPI.SUM));
        refused(MPI.ERR_ARG, "allGatherv: counts are null",
            () -> world.allGatherv(one, 1, MPI.INT, new int[size], null, new int[size], MPI.INT));
        refused(MPI.ERR_ARG, "Allgatherv: displacements are null",
            () -> world.Allgatherv(one, 0, 1, MPI.INT, new int[size], 0, new int[size], null, MPI.INT));
        refused(MPI.ERR_ARG, "allToAllv: counts are null",
            () -> world.allToAllv(one, null, null, MPI.INT, one, null, null, MPI.INT));
        refused(MPI.ERR_ARG, "allToAllw: counts are null", () -> world.allToAllw(direct, null, new int[size],
            new Datatype[size], direct, new int[size], new int[size], new Datatype[size]));
        refused(MPI.ERR_TYPE, "allToAllw", () -> world.allToAllw(direct, new int[size], new int[size],
            new Datatype[size], direct, new int[size], new int[size], new Datatype[size]));
        refused(MPI.ERR_TYPE, "allReduce", () -> world.allReduce(one, new int[1], 1, null, MPI.SUM));
        refused(MPI.ERR_TYPE, "allGather",
            () -> world.allGather(one, 1, null, new int[size], 1, MPI.INT));
        refused(MPI.ERR_TYPE, "packSize", () -> world.packSize(1, null));
        refused(MPI.ERR_BUFFER, "pack", () -> world.pack(one, 1, MPI.INT, null, 0));
        refused(MPI.ERR_BUFFER, "Unpack", () -> world.Unpack(null, 0, one, 0, 1, MPI.INT));
        refused(MPI.ERR_BUFFER, "bcast: the buffer is null", () -> world.bcast(null, 1, MPI.INT, 0));
        refused(MPI.ERR_TYPE, "the datatype is null", () -> Datatype.createVector(1, 1, 1, null));
        refused(MPI.ERR_ARG, "the array of displacements is null", () -> Datatype.Indexed(new int[1], null, MPI.INT));
        refused(MPI.ERR_GROUP, "the group is null", () -> Group.union(world.getGroup(), null));
        refused(MPI.ERR_ARG, "the array of ranks is null", () -> world.getGroup().incl(null));
        refused(MPI.ERR_DIMS, "createCart: the array of dimensions",
            () -> world.createCart(null, new boolean[1], true));
        refused(MPI.ERR_BUFFER, "the buffer is null", () -> MPI.slice((IntBuffer)null, 0));
        refused(MPI.ERR_COMM, "compare", () -> Comm.compare(world, null));
        refused(MPI.ERR_GROUP, "create", () -> world.create(null));
        refused(MPI.ERR_ARG, "setErrhandler", () -> world.setErrhandler(null));
        refused(MPI.ERR_TRUNCATE, "allGather",
            () -> world.allGather(new int[2], 2, MPI.INT, new int[size], 1, MPI.INT));
    }

    /** Places of objects are checked before anything is sent, as those of numbers are. */
    private void objects()
    {
        final Object[] all = new Object[size];
        final Op op = new Op(new User_function()
        {
            @Override
            public void Call(
                final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
                final Datatype type)
            {
                throw new IllegalStateException("nothing is combined");
            }
        }, true);
        refused(MPI.ERR_BUFFER, "Bcast: the buffer is null", () -> MPI.COMM_SELF.Bcast(null, 0, 1, MPI.OBJECT, 0));
        refused(MPI.ERR_BUFFER, "Gather",
            () -> MPI.COMM_SELF.Gather(all, 0, 1, MPI.OBJECT, new Object[0], 0, 1, MPI.OBJECT, 0));
        refused(MPI.ERR_BUFFER, "Gather: the buffer is null",
            () -> MPI.COMM_SELF.Gather(all, 0, 1, MPI.OBJECT, null, 0, 1, MPI.OBJECT, 0));
        refused(MPI.ERR_BUFFER, "Scatter",
            () -> MPI.COMM_SELF.Scatter(all, 0, 1, MPI.OBJECT, new Object[1], 1, 1, MPI.OBJECT, 0));
        refused(MPI.ERR_TYPE, "Allgather", () -> world.Allgather(all, 0, 1, MPI.OBJECT, one, 0, 1, MPI.OBJECT));
        refused(MPI.ERR_TYPE, "Alltoall: objects are no elements of type",
            () -> world.Alltoall(all, 0, 1, MPI.OBJECT, new int[size], 0, 1, MPI.INT));
        refused(MPI.ERR_TYPE, "Alltoall: objects are no elements of type",
            () -> world.Alltoall(new int[size], 0, 1, MPI.INT, all, 0, 1, MPI.OBJECT));
        refused(MPI.ERR_BUFFER, "Allreduce", () -> world.Allreduce(all, 0, null, 0, 1, MPI.OBJECT, op));
        refused(MPI.ERR_BUFFER, "scan", () -> world.scan(all, new Object[0], 1, MPI.OBJECT, op));
        refused(MPI.ERR_BUFFER, "allGather: ", () -> world.allGather(new Object[0], 1, MPI.OBJECT));
        final Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.OBJECT);
        refused(MPI.ERR_TYPE, "allToAllw: objects are not for this call",
            () -> world.allToAllw(all, new int[size], new int[size], types, all, new int[size], new int[size], types));
        world.Allgather(one, 0, 0, MPI.OBJECT, one, 0, 0, MPI.OBJECT);
        final Op first = new Op(new User_function()
        {
            @Override
            public void Call(
                final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
                final Datatype type)
            {
                ((Object[])inOut)[inOutOffset] = ((Object[])in)[inOffset];
            }
        }, true);
        refused(MPI.ERR_TYPE, "Allreduce: a result of java.lang.String does not fit an array of java.lang.Integer",
            () -> world.Allreduce(new Object[] {"text"}, 0, new Integer[1], 0, 1, MPI.OBJECT, first));
    }

    /** Places that no number of 32 bits names, also of objects. */
    private void displacements()
    {
        final Datatype wide = Datatype.createResized(MPI.INT, 0, HUGE);
        wide.commit();
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.fill(counts, 1);
        Arrays.fill(places, HUGE);
        refused(MPI.ERR_ARG, "allGatherv: displacement=1073741824 of elements of extent=268435456 is outside of any",
            () -> world.allGatherv(one, 1, MPI.INT, one, counts, places, wide));
        final Datatype objects = Datatype.createVector(2, 1, HUGE, MPI.OBJECT);
        objects.commit();
        refused(MPI.ERR_ARG, "allToAllv: displacement=", () -> world.allToAllv(
            new Object[1], counts, places, objects, new Object[1], counts, places, objects));
    }

    private void inPlaceBetweenGroups()
    {
        final Intracomm half = world.split(rank % 2, rank);
        final Intercomm inter = world.createIntercomm(half, 0, 1 - rank % 2, 0);
        inter.setErrhandler(MPI.ERRORS_RETURN);
        final String reason = ": elements cannot be in place in an intercommunicator";
        final int[] counts = new int[half.getSize()];
        refused(MPI.ERR_BUFFER, "allReduce" + reason, () -> inter.allReduce(one, 1, MPI.INT, MPI.SUM));
        refused(MPI.ERR_BUFFER, "allGather" + reason, () -> inter.allGather(one, 1, MPI.INT));
        refused(MPI.ERR_BUFFER, "reduceScatter" + reason, () -> inter.reduceScatter(one, counts, MPI.INT, MPI.SUM));
        refused(MPI.ERR_BUFFER, "iAllReduce" + reason, () -> inter.iAllReduce(direct, 1, MPI.INT, MPI.SUM));
        refused(MPI.ERR_BUFFER, "allGather" + reason, () -> inter.allGather(new Object[1], 1, MPI.OBJECT));
        inter.free();
        half.free();
    }

    /** The methods of mpiJava take such types: MPJ Express, whose {@code Commit} does nothing, does so. */
    private void uncommitted()
    {
        final Datatype pair = Datatype.createContiguous(2, MPI.INT);
        final int[] two = {1, 2};
        refused(MPI.ERR_TYPE, "send: the type derived from INT is not committed", () -> world.send(two, 1, pair, 0, 0));
        refused(MPI.ERR_TYPE, "iRecv", () -> world.iRecv(MPI.newIntBuffer(2), 1, pair.dup(), 0, 0));
        refused(MPI.ERR_TYPE, "bcast", () -> world.bcast(two, 1, pair, 0));
        refused(MPI.ERR_TYPE, "pack", () -> world.pack(two, 1, pair, new byte[8], 0));
        Check.same(8, world.packSize(1, pair));
        refused(MPI.ERR_TYPE, "setView", () -> view(MPI.INT, pair));
        refused(MPI.ERR_TYPE, "setView", () -> view(pair, pair));
        final Win win = new Win(MPI.newIntBuffer(2), 2, 1, MPI.INFO_NULL, world);
        win.setErrhandler(MPI.ERRORS_RETURN);
        win.fence(0);
        refused(MPI.ERR_TYPE, "put", () -> win.put(MPI.newIntBuffer(2), 1, pair, rank, 0, 2, MPI.INT));
        refused(MPI.ERR_TYPE, "get", () -> win.get(MPI.newIntBuffer(2), 2, MPI.INT, rank, 0, 1, pair));
        win.fence(MPI.MODE_NOSUCCEED);
        win.free();

        final Status status = world.Sendrecv(two, 0, 1, pair, rank, 3, new int[2], 0, 1, pair, rank, 3);
        Check.same(1, status.Get_count(pair));
        pair.commit();
        world.sendRecv(two, 1, pair.dup(), rank, 3, new int[2], 1, pair, rank, 3);
        world.barrier();
    }

    private void view(final Datatype elementType, final Datatype fileType)
    {
        final File file = new File(MPI.COMM_SELF, System.getProperty("grim.cluster.directory") + "/view-" + rank,
            MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE);
        try
        {
            file.setErrhandler(MPI.ERRORS_RETURN);
            file.setView(0, elementType, fileType, "native");
        }
        finally
        {
            file.close();
        }
    }

    private void tooLong()
    {
        final Datatype flat = Datatype.createResized(MPI.INT, 0, 0);
        flat.commit();
        refused(MPI.ERR_COUNT, "bcast: the elements of this process", () -> world.bcast(one, HUGE, flat, 0));
        refused(MPI.ERR_COUNT, "allToAll", () -> world.allToAll(one, HUGE, flat, new int[1], HUGE, flat));
        refused(MPI.ERR_COUNT, "iAllReduce", () -> world.iAllReduce(direct, HUGE, flat, MPI.SUM));
        if (size > 1)
        {
            final int[] counts = new int[size];
            counts[0] = Integer.MAX_VALUE;
            counts[1] = Integer.MAX_VALUE;
            refused(MPI.ERR_COUNT, "reduceScatter", () -> world.reduceScatter(one, counts, MPI.INT, MPI.SUM));
        }
        refused(MPI.ERR_COUNT, "sendRecvReplace: packed elements of length=4294967296 are longer than 2 GiB",
            () -> world.sendRecvReplace(one, HUGE, flat, rank, 0, rank, 0));
        refused(MPI.ERR_COUNT, "Sendrecv",
            () -> world.Sendrecv(one, 0, HUGE, flat, rank, 0, one, 0, 1, MPI.INT, rank, 0));
        refused(MPI.ERR_COUNT, "bSend", () -> world.bSend(one, HUGE, flat, rank, 0));
        refused(MPI.ERR_COUNT, "pack", () -> world.pack(one, HUGE, flat, new byte[8], 0));
        refused(MPI.ERR_COUNT, "unpack", () -> world.unpack(new byte[8], 0, one, HUGE, flat));
        refused(MPI.ERR_COUNT, "reduceLocal", () -> Comm.reduceLocal(one, one, HUGE, flat, MPI.SUM));
        refused(MPI.ERR_COUNT, "packSize", () -> world.packSize(HUGE, MPI.INT));
        final Datatype huge = Datatype.createContiguous(Integer.MAX_VALUE, MPI.INT);
        huge.commit();
        Check.same(Integer.MAX_VALUE, huge.Size());
        refused(MPI.ERR_BUFFER, "send", () -> world.send(one, 1, huge, 0, 0));
        refused(MPI.ERR_ARG, "a type has more elements",
            () -> Datatype.createContiguous(HUGE, Datatype.createVector(2, 1, 2, MPI.INT)));
        world.barrier();
    }

    private void requests()
    {
        refused(MPI.ERR_REQUEST, "waitAll: the array of requests is null", () -> Request.waitAll(null));
        refused(MPI.ERR_REQUEST, "Waitany", () -> Request.Waitany(null));
        refused(MPI.ERR_REQUEST, "testSome", () -> Request.testSome(null));
        refused(MPI.ERR_REQUEST, "Testall", () -> Request.Testall(null));
        refused(MPI.ERR_REQUEST, "startAll: a request is null", () -> Prequest.startAll(new Prequest[1]));

        final Request[] requests = {world.iRecv(direct, 1, MPI.INT, rank, 1),
            world.Irecv(new int[2], 0, 2, MPI.INT, rank, 2), null};
        world.Isend(new int[2], 0, 2, MPI.INT, rank, 2).Wait();
        world.Isend(new int[2], 0, 2, MPI.INT, rank, 1).Wait();
        final MPIException ex = refused(MPI.ERR_IN_STATUS,
            "Waitall: requests=1 of 3 have failed; the first one, of index=0: the message of source=" + rank + " tag=1",
            () -> Request.Waitall(requests));
        final Status[] statuses = ex.getStatuses();
        Check.same(MPI.ERR_TRUNCATE, statuses[0].getError());
        Check.same(MPI.SUCCESS, statuses[1].getError());
        Check.same(2, statuses[1].Get_count(MPI.INT));
        Check.same(MPI.SUCCESS, statuses[2].getError());
        Check.same(true, requests[0].isNull() && requests[1].isNull());

        final Intracomm twin = world.dup();
        final Message message = new Message();
        twin.Send(one, 0, 1, MPI.INT, rank, 0);
        message.mProbe(rank, 0, twin);
        twin.free();
        refused(MPI.ERR_COMM, "mRecv: the communicator is null or freed", () -> message.mRecv(one, 1, MPI.INT));
    }

    /** A function that communicates would wait for what its own thread holds. */
    private void nested()
    {
        final int[] rankInFunction = {-1};
        final Op op = new Op(new User_function()
        {
            @Override
            public void Call(
                final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
                final Datatype type)
            {
                rankInFunction[0] = MPI.COMM_WORLD.Rank();          // Is no communication.
                MPI.COMM_WORLD.Barrier();
            }
        }, true);
        refused(MPI.ERR_OTHER, "Barrier: the function of a reduction's operation must not communicate",
            () -> Comm.reduceLocal(one, new int[1], 1, MPI.INT, op));
        Check.same(rank, rankInFunction[0]);
        world.barrier();
    }

    private void windows()
    {
        final Win win = new Win(direct, 1, 1, MPI.INFO_NULL, world);
        win.setErrhandler(MPI.ERRORS_RETURN);
        final IntBuffer values = MPI.newIntBuffer(1);
        unsynchronized("put: rank=0 is accessed without a fence, a start or a lock",
            () -> win.put(values, 1, MPI.INT, 0, 0, 1, MPI.INT));
        unsynchronized("fetchAndOp", () -> win.fetchAndOp(values, values, MPI.INT, 0, 0, MPI.SUM));
        unsynchronized("compareAndSwap", () -> win.compareAndSwap(values, values, values, MPI.INT, 0, 0));
        unsynchronized("unlock: rank=0 is not locked", () -> win.unlock(0));
        unsynchronized("unlockAll: rank=0 is not locked", win::unlockAll);
        unsynchronized("complete", win::complete);
        unsynchronized("waitFor", win::waitFor);
        unsynchronized("test", win::test);
        unsynchronized("flush", () -> win.flush(0));
        unsynchronized("flushAll", win::flushAll);
        world.barrier();

        win.lock(MPI.LOCK_SHARED, 0, 0);
        unsynchronized("free", win::free);
        unsynchronized("fence", () -> win.fence(0));
        unsynchronized("lockAll: rank=0 is locked", () -> win.lockAll(0));
        if (size > 1)
        {
            unsynchronized("put: rank=1", () -> win.put(values, 1, MPI.INT, 1, 0, 1, MPI.INT));
        }
        win.unlock(0);
        world.barrier();

        win.post(win.getGroup(), 0);
        unsynchronized("post", () -> win.post(win.getGroup(), 0));
        win.start(win.getGroup(), 0);
        unsynchronized("start", () -> win.start(win.getGroup(), 0));
        win.put(values, 1, MPI.INT, rank, 0, 1, MPI.INT);
        unsynchronized("free", win::free);
        win.complete();
        win.waitFor();

        win.fence(0);
        win.put(values, 1, MPI.INT, rank, 0, 1, MPI.INT);
        win.fence(MPI.MODE_NOSUCCEED);
        unsynchronized("get", () -> win.get(values, 1, MPI.INT, rank, 0, 1, MPI.INT));
        win.free();
    }

    private void windowArguments()
    {
        refused(MPI.ERR_BUFFER, "new Win", () -> new Win((Buffer)null, 1, 1, MPI.INFO_NULL, world));
        refused(MPI.ERR_INFO, "new Win", () -> new Win(direct, 1, 1, null, world));
        refused(MPI.ERR_WIN, "new Win: elements=-1", () -> new Win(direct, -1, 1, MPI.INFO_NULL, world));
        final Win win = new Win(direct, 1, 1, MPI.INFO_NULL, world);
        win.setErrhandler(MPI.ERRORS_RETURN);
        win.fence(0);
        final IntBuffer values = MPI.newIntBuffer(1);
        refused(MPI.ERR_OP, "accumulate", () -> win.accumulate(values, 1, MPI.INT, 0, 0, 1, MPI.INT, null));
        refused(MPI.ERR_TYPE, "put", () -> win.put(values, 1, MPI.INT, 0, 0, 1, null));
        final Datatype flat = Datatype.createResized(MPI.INT, 0, 0);
        flat.commit();
        refused(MPI.ERR_COUNT, "put", () -> win.put(values, HUGE, flat, 0, 0, HUGE, flat));
        refused(MPI.ERR_COUNT, "get", () -> win.get(values, HUGE, flat, 0, 0, HUGE, flat));
        refused(MPI.ERR_GROUP, "start", () -> win.start(null, 0));
        refused(MPI.ERR_LOCKTYPE, "lock", () -> win.lock(0, 0, 0));
        refused(MPI.ERR_DISP, "put: count=1 of elements, extent=4 bytes, at byte=8 (displacement=2) are outside of " +
            "the window of rank=0, length=4 bytes", () -> win.put(values, 1, MPI.INT, 0, 2, 1, MPI.INT));
        win.free();
    }

    /** A process ends what others wait for: in a window, or in all that was made of a communicator. */
    private void revocations(final boolean isOfAll)
    {
        final Intracomm twin = world.dup();
        twin.setErrhandler(MPI.ERRORS_RETURN);
        final Win win = new Win(direct, 1, 1, MPI.INFO_NULL, twin);
        win.post(win.getGroup(), 0);
        win.lock(MPI.LOCK_SHARED, rank, 0);
        world.barrier();                        // Of another communicator: the twin is revoked before all have left.
        if (rank == 0)
        {
            if (isOfAll)
            {
                twin.revoke();
            }
            else
            {
                win.revoke();
            }
        }
        refused(MPI.ERR_REVOKED, "waitFor: a process has revoked", win::waitFor);
        refused(MPI.ERR_REVOKED, "start", () -> win.start(win.getGroup(), 0));
        refused(MPI.ERR_REVOKED, "unlock", () -> win.unlock(rank));
        refused(MPI.ERR_REVOKED, "fence", () -> win.fence(0));
        refused(MPI.ERR_REVOKED, "lock", () -> win.lock(MPI.LOCK_EXCLUSIVE, 0, 0));
        win.post(win.getGroup(), 0);
        refused(MPI.ERR_REVOKED, "free", win::free);
        Check.same(true, win.isNull());
        Check.same(isOfAll, twin.isRevoked());
        twin.free();
    }

    private static void unsynchronized(final String text, final Runnable call)
    {
        refused(MPI.ERR_RMA_SYNC, text, call);
    }

    private static MPIException refused(final int errorClass, final String text, final Runnable call)
    {
        try
        {
            call.run();
        }
        catch (final MPIException ex)
        {
            Check.holds(ex.getErrorClass() == errorClass && ex.getMessage().startsWith(text),
                "expected class=" + errorClass + " " + text + " but found " + ex.getErrorClass() + " " +
                ex.getMessage());
            return ex;
        }
        throw new IllegalStateException("not refused: " + text);
    }
}
