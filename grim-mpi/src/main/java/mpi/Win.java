// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.mpi.Collective;
import org.grim.mpi.Communicator;
import org.grim.mpi.Elements;
import org.grim.mpi.Engine;
import org.grim.mpi.Layout;
import org.grim.mpi.Operation;
import org.grim.mpi.Receive;
import org.grim.mpi.Send;

/**
 * Memory of processes that the others read and write (a window). Each access is a request that the target answers while
 * it polls; a flush waits for the answers.
 * <p>Thread: any, one at a time.
 */
public final class Win implements Freeable
{
    /** Kind of allocated memory: of one process. */
    public static final int FLAVOR_PRIVATE = 0;
    /** Kind of allocated memory: of a host. That of others is accessed by this class only, as with private. */
    public static final int FLAVOR_SHARED = 1;

    private static final String NEW = "new Win";
    private static final int POST_TAG = 1;
    private static final int COMPLETE_TAG = 2;
    private static final int FIRST_TAG = 16;            // Of answers.
    private static final int ANSWER_COUNT = 1 << 10;    // From here on those that need no flush are looked for.

    private final Intracomm comm;                       // Of the window alone.
    private final Communicator members;
    private final Buffer base;
    private final Exposure exposure;
    private final int[] lengths;                        // Bytes, of each member.
    private final int[] units;                          // Bytes of a displacement, of each member.
    private final List<List<Receive>> open = new ArrayList<>();     // Answers awaited; guards itself.
    private final Set<Integer> locked = ConcurrentHashMap.newKeySet();     // Ranks, by this process.
    private final Attributes attributes = new Attributes();
    private final boolean hasLocks;
    private boolean isFenced;                           // Accesses of the next fence may be made.
    private List<Receive> completions;                  // Of members that this process is exposed to; null for none.
    private int[] targets;                              // Ranks of members whose access was started; null for none.
    private int lastTag = FIRST_TAG;
    private Info info;
    private String name = "";

    // Open MPI

    /**
     * Exposes a buffer's memory; all members of the communicator call this.
     *
     * @param base     direct buffer.
     * @param size     its elements; of more than it has those that it has are exposed.
     * @param dispUnit elements of a displacement.
     * @param info     hints.
     * @param comm     members.
     */
    public Win(final Buffer base, final int size, final int dispUnit, final Info info, final Comm comm)
        throws MPIException
    {
        this(checked(Comm.required(NEW, comm), NEW, base, size, dispUnit), required(comm, info), base,
            Math.min(size, base.capacity()) * Datatype.elementLength(base), dispUnit * Datatype.elementLength(base));
    }

    /**
     * Exposes memory that is attached later. A displacement counts bytes: the first attached buffer begins at 0, and
     * each further one where the last one ended, rounded up to 8.
     *
     * @param info hints.
     * @param comm members.
     */
    public Win(final Info info, final Comm comm) throws MPIException
    {
        this(Comm.required(NEW, comm), required(comm, info), null, Integer.MAX_VALUE, 1);
    }

    /** Exposes a buffer, or no memory yet; the length is then that of all displacements. */
    private Win(final Comm comm, final Info info, final Buffer base, final int length, final int unit)
    {
        this.comm = new Intracomm(comm.part(NEW));
        this.comm.setErrhandler(comm.getErrhandler());
        members = this.comm.communicator;
        this.base = base;
        this.info = info.isNull() ? new Info() : info.clone();
        hasLocks = !"true".equals(this.info.get("no_locks"));
        exposure = new Exposure(members.targets());
        if (base != null)
        {
            exposure.attach(new UnsafeBuffer(Place.address(base), length), base);
        }
        final int[] all = new int[2 * members.size()];
        final Collective collective = new Collective();
        members.allGather(collective, new Elements().set(
            new int[] {length, unit}, 0, 2, Layout.INTS),
            new Elements().set(all, 0, 2, Layout.INTS));
        engine().await(collective);
        this.comm.fail(NEW, collective);
        lengths = IntStream.range(0, members.size()).map(i -> all[2 * i]).toArray();
        units = IntStream.range(0, members.size()).map(i -> all[2 * i + 1]).toArray();
        for (int i = 0; i < lengths.length; i++)
        {
            open.add(new ArrayList<>());
        }
        engine().add(exposure.responder());
        Collectives.barrier(call(NEW));
    }

    /**
     * Exposes memory that it allocates, of which {@code MPI.WIN_BASE} is a buffer.
     *
     * @param size     elements.
     * @param dispUnit elements of a displacement.
     * @param info     hints.
     * @param comm     members.
     * @param base     whose element type counts.
     * @param flavor   {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}.
     */
    public Win(
        final int size, final int dispUnit, final Info info, final Comm comm, final Buffer base, final int flavor)
        throws MPIException
    {
        this(ByteBuffer.allocateDirect(size * Datatype.elementLength(base)).order(ByteOrder.nativeOrder()),
            size * Datatype.elementLength(base), dispUnit * Datatype.elementLength(base), info, comm);
        if (flavor != FLAVOR_PRIVATE && flavor != FLAVOR_SHARED)
        {
            free();
            throw comm.failure(NEW, MPI.ERR_WIN, "flavor=" + flavor + " is none");
        }
    }

    /**
     * Exposes a buffer's memory in a window that was made without.
     *
     * @param newBase direct buffer.
     * @param size    its elements.
     */
    public void attach(final Buffer newBase, final int size) throws MPIException
    {
        checked(dynamic("attach"), "attach", newBase, size, 1);
        if (!exposure.attach(new UnsafeBuffer(Place.address(newBase),
            Math.min(size, newBase.capacity()) * Datatype.elementLength(newBase)), newBase))
        {
            throw comm.failure("attach", MPI.ERR_SIZE, "displacements have no place for size=" + size);
        }
    }

    /**
     * Exposes a buffer's memory no more.
     *
     * @param oldBase buffer that was attached.
     */
    public void detach(final Buffer oldBase) throws MPIException
    {
        dynamic("detach");
        if (!oldBase.isDirect() || !exposure.detach(Place.address(oldBase)))
        {
            throw comm.failure("detach", MPI.ERR_BASE, "the buffer is not attached");
        }
    }

    /**
     * Writes elements to a target.
     *
     * @param origin      own elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     */
    public void put(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType)
        throws MPIException
    {
        access(call("put").from(origin, 0, orgCount, orgType), Exposure.PUT,
            new Target(targetRank, targetDisp, targetCount, targetType), Op.REPLACE);
    }

    /**
     * Reads elements of a target.
     *
     * @param origin      gets the elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     */
    public void get(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType)
        throws MPIException
    {
        access(call("get").to(origin, 0, orgCount, orgType), Exposure.FETCH,
            new Target(targetRank, targetDisp, targetCount, targetType), Op.NO_OP);
    }

    /**
     * Combines elements of a target with own ones.
     *
     * @param origin      own elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     * @param op          operation.
     */
    public void accumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType,
        final Op op) throws MPIException
    {
        access(call("accumulate").from(origin, 0, orgCount, orgType), Exposure.PUT,
            new Target(targetRank, targetDisp, targetCount, targetType), op);
    }

    /**
     * Combines elements of a target with own ones, and reads them as they were.
     *
     * @param origin      own elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param resultAddr  gets elements as they were.
     * @param resultCount how many.
     * @param resultType  type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     * @param op          operation.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")     // The standard's.
    public void getAccumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final Buffer resultAddr,
        final int resultCount, final Datatype resultType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType,
        final Op op) throws MPIException
    {
        access(call("getAccumulate").from(origin, 0, orgCount, orgType)
            .to(resultAddr, 0, resultCount, resultType), Exposure.FETCH,
            new Target(targetRank, targetDisp, targetCount, targetType), op);
    }

    /**
     * Writes elements to a target.
     *
     * @param origin      own elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     * @return its request.
     */
    public Request rPut(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType)
        throws MPIException
    {
        return access(begun("rPut").from(origin, 0, orgCount, orgType), Exposure.PUT,
            new Target(targetRank, targetDisp, targetCount, targetType), Op.REPLACE);
    }

    /**
     * Reads elements of a target.
     *
     * @param origin      gets the elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     * @return its request.
     */
    public Request rGet(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType)
        throws MPIException
    {
        return access(begun("rGet").to(origin, 0, orgCount, orgType), Exposure.FETCH,
            new Target(targetRank, targetDisp, targetCount, targetType), Op.NO_OP);
    }

    /**
     * Combines elements of a target with own ones.
     *
     * @param origin      own elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     * @param op          operation.
     * @return its request.
     */
    public Request rAccumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType,
        final Op op) throws MPIException
    {
        return access(begun("rAccumulate").from(origin, 0, orgCount, orgType), Exposure.PUT,
            new Target(targetRank, targetDisp, targetCount, targetType), op);
    }

    /**
     * Combines elements of a target with own ones, and reads them as they were.
     *
     * @param origin      own elements.
     * @param orgCount    how many.
     * @param orgType     type of each.
     * @param resultAddr  gets elements as they were.
     * @param resultCount how many.
     * @param resultType  type of each.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     * @param targetCount elements there.
     * @param targetType  type of each.
     * @param op          operation.
     * @return its request.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")     // The standard's.
    public Request rGetAccumulate(
        final Buffer origin, final int orgCount, final Datatype orgType, final Buffer resultAddr,
        final int resultCount, final Datatype resultType, final int targetRank, final int targetDisp,
        final int targetCount, final Datatype targetType,
        final Op op) throws MPIException
    {
        return access(begun("rGetAccumulate").from(origin, 0, orgCount, orgType)
            .to(resultAddr, 0, resultCount, resultType), Exposure.FETCH,
            new Target(targetRank, targetDisp, targetCount, targetType), op);
    }

    /**
     * Combines an element of a target with an own one, and reads it as it was.
     *
     * @param origin     own element.
     * @param resultAddr gets the element as it was.
     * @param dataType   type of both.
     * @param targetRank rank of the target.
     * @param targetDisp place there, in its units.
     * @param op         operation.
     */
    public void fetchAndOp(
        final Buffer origin, final Buffer resultAddr, final Datatype dataType, final int targetRank,
        final int targetDisp, final Op op) throws MPIException
    {
        access(call("fetchAndOp").from(origin, 0, 1, dataType).to(resultAddr, 0, 1, dataType), Exposure.FETCH,
            new Target(targetRank, targetDisp, 1, dataType), op);
    }

    /**
     * Replaces an element of a target if it equals another, and reads it as it was.
     *
     * @param origin      new element.
     * @param compareAddr element that it is compared with.
     * @param resultAddr  gets the element as it was.
     * @param targetType  type of all.
     * @param targetRank  rank of the target.
     * @param targetDisp  place there, in its units.
     */
    public void compareAndSwap(
        final Buffer origin, final Buffer compareAddr, final Buffer resultAddr, final Datatype targetType,
        final int targetRank, final int targetDisp) throws MPIException
    {
        final byte[] compared = call("compareAndSwap").from(compareAddr, 0, 1, targetType).copy();
        final Call call = call("compareAndSwap").from(origin, 0, 1, targetType).to(resultAddr, 0, 1, targetType);
        final byte[] next = call.copy();
        final byte[] both = Arrays.copyOf(compared, 2 * compared.length);
        System.arraycopy(next, 0, both, compared.length, next.length);
        final Target target = new Target(targetRank, targetDisp, 1, targetType);
        if (targetRank != MPI.PROC_NULL)
        {
            begin(call.name, target.rank, Exposure.SWAP, 0, 0, runs(call.name, target), both, answerTo(call));
        }
    }

    /**
     * Ends accesses of all members, and begins others.
     *
     * @param assertion with {@code MPI.MODE_NOSUCCEED} none begin.
     */
    public void fence(final int assertion) throws MPIException
    {
        if (!locked.isEmpty() || targets != null || completions != null)
        {
            throw unsynchronized("fence", "a lock, a start or a post is not ended yet");
        }
        flushAll("fence");
        Collectives.barrier(call("fence"));
        isFenced = (assertion & MPI.MODE_NOSUCCEED) == 0;
    }

    /**
     * Begins accesses to some members; waits until they are exposed.
     *
     * @param group     the members.
     * @param assertion not used.
     */
    public void start(final Group group, final int assertion) throws MPIException
    {
        if (targets != null)
        {
            throw unsynchronized("start", "accesses were started before, and are not completed");
        }
        final int[] started = ranks("start", group);
        awaitAll("start", signals(POST_TAG, started));
        targets = started;
    }

    /** Ends accesses that were started. */
    public void complete() throws MPIException
    {
        if (targets == null)
        {
            throw unsynchronized("complete", "no accesses were started");
        }
        final int[] completed = targets;
        targets = null;
        try
        {
            inEach("complete", completed, target -> flush("complete", target));
        }
        finally
        {
            signal(COMPLETE_TAG, completed);        // The living ones wait for it.
        }
    }

    /**
     * Exposes this process to some members.
     *
     * @param group     the members.
     * @param assertion not used.
     */
    public void post(final Group group, final int assertion) throws MPIException
    {
        if (completions != null)
        {
            throw unsynchronized("post", "the window was posted before, and its accesses are not awaited");
        }
        final int[] origins = ranks("post", group);
        completions = signals(COMPLETE_TAG, origins);
        signal(POST_TAG, origins);
    }

    /** Waits until members that this process is exposed to have completed. */
    public void waitFor() throws MPIException
    {
        requirePosted("waitFor");
        final List<Receive> awaited = completions;
        completions = null;
        awaitAll("waitFor", awaited);
    }

    /** {@return whether members that this process is exposed to have completed} */
    public boolean test() throws MPIException
    {
        requirePosted("test");
        for (final Receive completion : completions)
        {
            if (!engine().test(completion))
            {
                return false;
            }
        }
        final List<Receive> ended = completions;
        completions = null;
        awaitAll("test", ended);
        return true;
    }

    /**
     * Locks a member's memory.
     *
     * @param lockType  {@code MPI.LOCK_EXCLUSIVE} or {@code MPI.LOCK_SHARED}.
     * @param rank      of the member.
     * @param assertion not used.
     */
    public void lock(final int lockType, final int rank, final int assertion) throws MPIException
    {
        lock("lock", lockType, rank);
    }

    /**
     * Ends accesses to a member, and unlocks its memory.
     *
     * @param rank of the member.
     */
    public void unlock(final int rank) throws MPIException
    {
        unlock("unlock", rank);
    }

    /**
     * Locks the memory of all members, shared.
     *
     * @param assertion not used.
     */
    public void lockAll(final int assertion) throws MPIException
    {
        int count = 0;
        try
        {
            for (; count < lengths.length; count++)
            {
                lock("lockAll", MPI.LOCK_SHARED, count);
            }
        }
        finally
        {
            for (int rank = 0; rank < count && count < lengths.length; rank++)
            {
                request("lockAll", rank, Exposure.UNLOCK);      // All or none.
            }
        }
    }

    /** Ends accesses to all members, and unlocks their memory; also if some are gone. */
    public void unlockAll() throws MPIException
    {
        inEach("unlockAll", IntStream.range(0, lengths.length).toArray(), rank -> unlock("unlockAll", rank));
    }

    /** Does nothing: memory is the same for the process and for others. */
    public void sync() throws MPIException
    {
        comm.open("sync");
    }

    /**
     * Ends accesses to a member.
     *
     * @param targetRank of the member.
     */
    public void flush(final int targetRank) throws MPIException
    {
        requireLocked("flush", targetRank);
        flush("flush", targetRank);
    }

    /** Ends accesses to all members. */
    public void flushAll() throws MPIException
    {
        requireLocks("flushAll");
        flushAll("flushAll");
    }

    /**
     * Ends accesses to a member.
     *
     * @param targetRank of the member.
     */
    public void flushLocal(final int targetRank) throws MPIException
    {
        requireLocked("flushLocal", targetRank);
        flush("flushLocal", targetRank);
    }

    /** Ends accesses to all members. */
    public void flushLocalAll() throws MPIException
    {
        requireLocks("flushLocalAll");
        flushAll("flushLocalAll");
    }

    /** {@return members} */
    public Group getGroup() throws MPIException
    {
        return comm.getGroup();
    }

    /** {@return hints} */
    public Info getInfo() throws MPIException
    {
        return info.clone();
    }

    /**
     * Sets hints.
     *
     * @param newInfo hints.
     */
    public void setInfo(final Info newInfo) throws MPIException
    {
        info = Topology.checked(
            comm, "setInfo", () -> MPIException.required(newInfo, MPI.ERR_INFO, "the hints")).clone();
    }

    /** {@return name} */
    public String getName() throws MPIException
    {
        return name;
    }

    /**
     * Names the window.
     *
     * @param newName name.
     */
    public void setName(final String newName) throws MPIException
    {
        name = newName;
    }

    /**
     * Sets the error handler.
     *
     * @param errhandler handler.
     */
    public void setErrhandler(final Errhandler errhandler) throws MPIException
    {
        comm.setErrhandler(errhandler);
    }

    /** {@return the error handler} */
    public Errhandler getErrhandler() throws MPIException
    {
        return comm.getErrhandler();
    }

    /**
     * Calls the error handler.
     *
     * @param errorCode the error.
     */
    public void callErrhandler(final int errorCode) throws MPIException
    {
        comm.callErrhandler(errorCode);
    }

    /** {@return a new key of attributes} */
    public static int createKeyval() throws MPIException
    {
        return Attributes.createKey();
    }

    /**
     * Frees a key of attributes.
     *
     * @param keyval the key.
     */
    public static void freeKeyval(final int keyval) throws MPIException
    {
        Attributes.freeKey(keyval);
    }

    /**
     * Sets an attribute.
     *
     * @param keyval its key.
     * @param value  its value.
     */
    public void setAttr(final int keyval, final Object value) throws MPIException
    {
        attributes.set(keyval, value);
    }

    /**
     * Returns an attribute.
     *
     * @param keyval its key, also {@code MPI.WIN_BASE}, {@code MPI.WIN_SIZE}, {@code MPI.WIN_DISP_UNIT}.
     * @return its value; null if there is none.
     */
    public Object getAttr(final int keyval) throws MPIException
    {
        return Topology.checked(comm, "getAttr", () -> keyval == MPI.WIN_BASE ? base :
            keyval == MPI.WIN_SIZE ? (Object)(base == null ? 0 : lengths[members.rank()]) :
            keyval == MPI.WIN_DISP_UNIT ? (Object)units[members.rank()] : attributes.get(keyval));
    }

    /**
     * Removes an attribute.
     *
     * @param keyval its key.
     */
    public void deleteAttr(final int keyval) throws MPIException
    {
        attributes.delete(keyval);
    }

    /**
     * Ends accesses, and frees the window; all members call this. A member that is gone is an error; it is freed. A
     * revoked window may have locks, and accesses that were not ended; it is freed, too.
     */
    @Override
    public void free() throws MPIException
    {
        if (!members.isRevoked() && (!locked.isEmpty() || targets != null || completions != null))
        {
            throw unsynchronized("free", "a lock, a start or a post is not ended yet");
        }
        end("free");
    }

    /** {@return whether the window was freed} */
    public boolean isNull()
    {
        return comm.isNull();
    }

    // The fault-tolerance proposal

    /** Ends calls of all members in this window, also those to come; all but free. */
    public void revoke() throws MPIException
    {
        comm.revoke();
    }

    // The library

    /** Ends locks and accesses, and frees the window, also if that fails. */
    void end(final String ofName)
    {
        try
        {
            inEach(ofName, locked.stream().mapToInt(Integer::intValue).toArray(), rank -> unlock(ofName, rank));
            flushAll(ofName);
            Collectives.barrier(call(ofName));
        }
        finally
        {
            engine().remove(exposure.responder());
            comm.free();
        }
    }

    private static Comm checked(
        final Comm comm, final String ofName, final Buffer base, final int size, final int dispUnit)
    {
        if (base == null)
        {
            throw comm.failure(ofName, MPI.ERR_BUFFER, "the buffer is null");
        }
        if (!base.isDirect() || base.isReadOnly() || size < 0 || dispUnit < 1)
        {
            throw comm.failure(ofName, MPI.ERR_WIN, "elements=" + size + " with a displacement's elements=" + dispUnit +
                " do not fit a buffer of elements=" + base.capacity() + (base.isDirect() ? "" : ", not direct") +
                (base.isReadOnly() ? ", read-only" : ""));
        }
        return comm;
    }

    private static Info required(final Comm comm, final Info info)
    {
        if (info == null)
        {
            throw comm.failure(NEW, MPI.ERR_INFO, "the hints are null");
        }
        return info;
    }

    /** Checks that buffers may be attached. */
    private Comm dynamic(final String ofName)
    {
        comm.open(ofName);
        if (base != null)
        {
            throw comm.failure(ofName, MPI.ERR_WIN, "the window was made with memory");
        }
        return comm;
    }

    private Engine engine()
    {
        return comm.engine();
    }

    private Call call(final String ofName)
    {
        return Call.awaited(comm, ofName);
    }

    private Call begun(final String ofName)
    {
        return Call.begun(comm, ofName);
    }

    /** Begins an access; returns its request if the call does not wait, which no access does by itself. */
    private Request access(final Call call, final int kind, final Target target, final Op op)
    {
        if (target.rank == MPI.PROC_NULL)
        {
            return call.nothing();
        }
        if (op == null)
        {
            throw comm.failure(call.name, MPI.ERR_OP, "the operation is null");
        }
        Topology.checked(comm, call.name, () -> Datatype.required(target.type).committed());
        final int operation = Exposure.OPERATIONS.indexOf(op);
        final boolean isPlain = op == Op.REPLACE || op == Op.NO_OP;
        final int type = isPlain ? 0 : typeIndex(target.type);
        if (operation < 0 || type < 0)
        {
            throw comm.failure(call.name, MPI.ERR_OP, "operation " + op + " is not defined for " + target.type);
        }
        if (!isPlain)
        {
            Topology.checked(comm, call.name, () -> op.reduction(Exposure.TYPES.get(type)));
        }
        final byte[] elements = op == Op.NO_OP ? new byte[0] : call.copy();
        final int length = Topology.checked(comm, call.name, () -> Place.packedLength(target.type, target.count));
        final int[] runs = runs(call.name, target);
        if (op != Op.NO_OP && elements.length != length)
        {
            throw comm.failure(call.name, MPI.ERR_TRUNCATE, "elements of length=" +
                elements.length + " bytes do not fit those of the target of length=" + length + " bytes");
        }
        final Receive answer = begin(call.name, target.rank, kind, operation, type, runs, elements,
            kind == Exposure.PUT ? new Receive() : answerTo(call));
        return call.isAwaited ? null : new Request(call, answer);
    }

    /** A receive that is the access's own: the call's is used again. */
    private static Receive answerTo(final Call call)
    {
        call.check(call.to);
        final Receive answer = new Receive();
        call.to.part(call.to.offset, call.to.count).in(answer);
        return answer;
    }

    private Receive begin(
        final String ofName, final int target, final int kind, final int operation, final int type, final int[] runs,
        final byte[] elements, final Receive answer)
    {
        checkRank(ofName, target);
        comm.communicating(ofName);
        if (kind <= Exposure.SWAP && !isFenced && !locked.contains(target) &&
            (targets == null || IntStream.of(targets).noneMatch(each -> each == target)))
        {
            throw unsynchronized(ofName, "rank=" + target + " is accessed without a fence, a start or a lock");
        }
        if (kind == Exposure.PUT || kind > Exposure.SWAP)
        {
            answer.elements(new byte[0], 0, 0, Layout.BYTES);
        }
        synchronized (open)
        {
            lastTag = lastTag == Integer.MAX_VALUE ? FIRST_TAG : lastTag + 1;
            engine().begin(answer, members.targets(), target, lastTag);
            engine().begin(Call.sendOf(Exposure.request(kind, lastTag, operation, type, runs, elements)),
                members.targets(), target, 0, Send.Mode.STANDARD);
            final List<Receive> ofTarget = open.get(target);
            if (ofTarget.size() >= ANSWER_COUNT && Integer.bitCount(ofTarget.size()) == 1)
            {
                ofTarget.removeIf(each -> each.isDone() && each.outcome() == Operation.Outcome.DONE);
            }
            ofTarget.add(answer);
        }
        return answer;
    }

    private MPIException unsynchronized(final String ofName, final String reason)
    {
        comm.open(ofName);
        return comm.failure(ofName, MPI.ERR_RMA_SYNC, reason);
    }

    private void requirePosted(final String ofName)
    {
        if (completions == null)
        {
            throw unsynchronized(ofName, "the window was not posted");
        }
    }

    private void requireLocked(final String ofName, final int rank)
    {
        if (rank != MPI.PROC_NULL && !locked.contains(rank))
        {
            throw unsynchronized(ofName, "rank=" + rank + " is not locked by this process");
        }
    }

    private void requireLocks(final String ofName)
    {
        if (locked.isEmpty())
        {
            throw unsynchronized(ofName, "no member is locked by this process");
        }
    }

    /** Waits for all, also if some fail; throws the first error then. */
    private void awaitAll(final String ofName, final List<Receive> receives)
    {
        receives.forEach(engine()::await);
        receives.forEach(receive -> comm.fail(ofName, receive));
    }

    /** Does something with each member, also if it fails with some; throws the first error then. */
    private void inEach(final String ofName, final int[] ranks, final IntConsumer work)
    {
        comm.open(ofName);
        MPIException first = null;
        for (final int rank : ranks)
        {
            try
            {
                work.accept(rank);
            }
            catch (final MPIException ex)
            {
                first = first == null ? ex : first;
            }
        }
        if (first != null)
        {
            throw first;
        }
    }

    private void lock(final String ofName, final int lockType, final int rank)
    {
        if (lockType != MPI.LOCK_EXCLUSIVE && lockType != MPI.LOCK_SHARED)
        {
            throw comm.failure(ofName, MPI.ERR_LOCKTYPE, "lock type=" + lockType + " is none");
        }
        if (!hasLocks)
        {
            throw unsynchronized(ofName, "the window was created without locks");
        }
        if (rank == MPI.PROC_NULL)
        {
            return;
        }
        checkRank(ofName, rank);
        if (!locked.add(rank))
        {
            throw unsynchronized(ofName, "rank=" + rank + " is locked by this process already");
        }
        request(ofName, rank, lockType == MPI.LOCK_EXCLUSIVE ? Exposure.LOCK_EXCLUSIVE : Exposure.LOCK_SHARED);
    }

    private void unlock(final String ofName, final int rank)
    {
        requireLocked(ofName, rank);
        if (rank == MPI.PROC_NULL)
        {
            return;
        }
        try
        {
            flush(ofName, rank);
        }
        finally
        {
            request(ofName, rank, Exposure.UNLOCK);
        }
    }

    /** Asks for a lock, or for its end. */
    private void request(final String ofName, final int rank, final int kind)
    {
        boolean isLocked = false;
        try
        {
            final Receive answer = begin(ofName, rank, kind, 0, 0, new int[0], new byte[0], new Receive());
            engine().await(answer);
            synchronized (open)
            {
                open.get(rank).remove(answer);
            }
            comm.fail(ofName, answer);
            isLocked = kind != Exposure.UNLOCK;
        }
        finally
        {
            if (!isLocked)
            {
                locked.remove(rank);
            }
        }
    }

    private void flush(final String ofName, final int rank)
    {
        comm.open(ofName);
        if (rank == MPI.PROC_NULL)
        {
            return;
        }
        checkRank(ofName, rank);
        final List<Receive> answers;
        synchronized (open)
        {
            answers = List.copyOf(open.get(rank));
            open.get(rank).clear();
        }
        answers.forEach(engine()::await);
        for (final Receive answer : answers)
        {
            if (answer.outcome() == Operation.Outcome.TRUNCATED)
            {
                throw comm.failure(ofName, MPI.ERR_DISP, "an access was outside of memory that is attached");
            }
            comm.fail(ofName, answer);
        }
    }

    private void checkRank(final String ofName, final int rank)
    {
        if (rank < 0 || rank >= lengths.length)
        {
            throw comm.failure(ofName, MPI.ERR_RANK, "rank=" + rank + " is outside 0 to " + (lengths.length - 1));
        }
    }

    private void flushAll(final String ofName)
    {
        for (int rank = 0; rank < lengths.length; rank++)
        {
            flush(ofName, rank);
        }
    }

    /** Offsets and lengths in the target's memory, in bytes. */
    private int[] runs(final String ofName, final Target target)
    {
        final Layout layout = target.type.layout();
        checkRank(ofName, target.rank);
        if (target.count == 0)
        {
            return new int[0];                  // Of no elements, no displacement is wrong.
        }
        final long origin = (long)target.displacement * units[target.rank];
        final int elementLength = layout.basic().elementLength();
        final long last = (target.count - 1) * layout.extent();
        if (target.count < 0 || origin + elementLength * (layout.trueLowerBound() + Math.min(0, last)) < 0 ||
            origin + elementLength * (layout.trueUpperBound() + Math.max(0, last)) > lengths[target.rank])
        {
            throw comm.failure(ofName, MPI.ERR_DISP, "count=" + target.count + " of elements, extent=" +
                elementLength * layout.extent() + " bytes, at byte=" + origin + " (displacement=" +
                target.displacement + ") are outside of the window of rank=" + target.rank + ", length=" +
                lengths[target.rank] + " bytes");
        }
        if (layout.isDense())
        {
            return new int[] {(int)origin, Math.toIntExact(layout.packedLength() * target.count)};
        }
        final int[] places = layout.places(0, target.count);
        final IntStream.Builder runs = IntStream.builder();
        int start = 0;
        for (int i = 1; i <= places.length; i++)
        {
            if (i == places.length || places[i] != places[i - 1] + 1)
            {
                runs.add((int)origin + places[start] * elementLength).add((i - start) * elementLength);
                start = i;
            }
        }
        return runs.build().toArray();
    }

    /** Number of the type whose elements are combined; -1 if there is none. */
    private static int typeIndex(final Datatype type)
    {
        final int index = Exposure.TYPES.indexOf(type);
        return index >= 0 ? index : IntStream.range(0, Exposure.TYPES.size()).filter(i -> type.numbers() != null ?
            type.numbers() == Exposure.TYPES.get(i).numbers() : type.complexNumbers() != null &&
            type.complexNumbers() == Exposure.TYPES.get(i).complexNumbers()).findFirst().orElse(-1);
    }

    private int[] ranks(final String ofName, final Group group)
    {
        comm.open(ofName);
        if (group == null)
        {
            throw comm.failure(ofName, MPI.ERR_GROUP, "the group is null");
        }
        final int[] ranks = Group.Translate_ranks(
            group, IntStream.range(0, group.Size()).toArray(), comm.Group());
        if (IntStream.of(ranks).anyMatch(rank -> rank == MPI.UNDEFINED))
        {
            throw comm.failure(ofName, MPI.ERR_GROUP, "a process of the group is no member of the window");
        }
        return ranks;
    }

    private void signal(final int tag, final int... ranks)
    {
        for (final int rank : ranks)
        {
            engine().begin(Call.sendOf(new byte[0]), members.targets(), rank, tag, Send.Mode.STANDARD);
        }
    }

    private List<Receive> signals(final int tag, final int... ranks)
    {
        final List<Receive> receives = new ArrayList<>();
        for (final int rank : ranks)
        {
            final Receive receive = new Receive();
            receive.elements(new byte[0], 0, 0, Layout.BYTES);
            engine().begin(receive, members.targets(), rank, tag);
            receives.add(receive);
        }
        return receives;
    }

    /** Elements of a target. */
    private record Target(int rank, int displacement, int count, Datatype type)
    {
    }
}
