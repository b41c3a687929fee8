// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.function.Supplier;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.mpi.Communicator;
import org.grim.mpi.Engine;
import org.grim.mpi.Operation;
import org.grim.mpi.OperationException;
import org.grim.mpi.Probe;
import org.grim.mpi.Receive;
import org.grim.mpi.Send;
import org.grim.mpi.Send.Mode;

import static org.grim.mpi.Send.Mode.STANDARD;
import static org.grim.mpi.Send.Mode.SYNCHRONOUS;

/**
 * Processes that exchange messages, which no other communicator sees.
 * <p>Thread: any.
 */
public class Comm implements Freeable, Cloneable
{
    /** Kind of split: processes of one host. */
    public static final int TYPE_SHARED = 0;

    private static final String NESTED = "the function of a reduction's operation must not communicate";

    Communicator communicator;              // Null before the start of MPI, and of one that is freed.
    private final Attributes attributes = new Attributes();
    private Errhandler errhandler = Errhandler.FATAL;
    private Info info = new Info();
    private Request request;                // Of iDup; null if there was none.
    private String name = "";

    /** Makes one of members; null for none. */
    Comm(final Communicator communicator)
    {
        this.communicator = communicator;
    }

    /** Makes one that begins with MPI. */
    Comm(final String name)
    {
        this.name = name;
    }

    final void begin(final Communicator newCommunicator)
    {
        communicator = newCommunicator;
    }

    /** Waits for all others that are there; those that are gone are no error. */
    final void leave()
    {
        final Call call = Call.awaited(this, "Finalize");
        communicator.barrier(call.collective());
        engine().await(call.collective());
        if (call.collective().outcome() != Operation.Outcome.DONE)
        {
            leaveTheLiving();
        }
    }

    /** A barrier ends at once if one is gone. Nobody waits for a process that is cut off. */
    private void leaveTheLiving()
    {
        try
        {
            communicator.agree(-1);
        }
        catch (final OperationException ex)
        {
            if (ex.outcome() != Operation.Outcome.CUT_OFF)
            {
                throw ex;
            }
        }
    }

    /** {@return the engine, for a call that communicates} */
    final Engine engine()
    {
        final Engine engine = MPI.engine();
        if (Reductions.isInFunction())
        {
            throw failure("wait", MPI.ERR_OTHER, NESTED);
        }
        return engine == null ? open("wait").engine() : engine;
    }

    /** {@return the communicator, which can be used} */
    final Communicator open(final String call)
    {
        if (MPI.engine() == null)
        {
            throw failure(call, MPI.ERR_OTHER, MPI.unavailable());
        }
        if (communicator == null)
        {
            throw failure(call, MPI.ERR_COMM, "the communicator is null or freed");
        }
        return communicator;
    }

    /** {@return the communicator, for a call that communicates} */
    final Communicator communicating(final String call)
    {
        final Communicator open = open(call);
        if (Reductions.isInFunction())
        {
            throw failure(call, MPI.ERR_OTHER, NESTED);
        }
        return open;
    }

    /** {@return a communicator that is an argument of a call} */
    static Comm required(final String call, final Comm comm)
    {
        if (comm == null)
        {
            throw MPI.COMM_WORLD.failure(call, MPI.ERR_COMM, "the communicator is null or freed");
        }
        return comm;
    }

    /** Takes attributes and the error handler of another. */
    final <T extends Comm> T inherit(final T copy)
    {
        final Comm other = copy;
        other.attributes.addAll(attributes);
        other.errhandler = errhandler;
        return copy;
    }

    /**
     * Makes the exception of a call. An error of Open MPI's methods, whose names begin with small letters, ends the job
     * if the handler says so.
     */
    final MPIException failure(final String call, final int errorClass, final String reason)
    {
        return failure(call, errorClass, reason, null);
    }

    /** As {@link #failure(String, int, String)}, of a call that ends several requests. */
    final MPIException failure(
        final String call, final int errorClass, final String reason, final Status[] statuses)
    {
        final String text = call + ": " + reason;
        if (errhandler == Errhandler.FATAL && Character.isLowerCase(call.charAt(0)))
        {
            MPI.end(1, text);
        }
        return new MPIException(errorClass, text, statuses);
    }

    /** See {@link #failure(String, int, String)}. */
    final MPIException failure(final String call, final MPIException ex)
    {
        return failure(call, ex.getErrorClass(), ex.getMessage());
    }

    /** See {@link #failure(String, int, String)}. */
    final MPIException failure(final String call, final OperationException ex)
    {
        return failure(call, errorClass(ex.outcome()), reason(ex.outcome()));
    }

    /** Throws the error that an operation has ended with. */
    final void fail(final String call, final Operation operation)
    {
        final int errorClass = errorClass(operation.outcome());
        if (errorClass != MPI.SUCCESS)
        {
            throw failure(call, errorClass, reason(operation));
        }
    }

    /** {@return why an operation has failed} */
    final String reason(final Operation operation)
    {
        return operation.outcome() != Operation.Outcome.TRUNCATED ? reason(operation.outcome()) :
            "the message of source=" + operation.source() + " tag=" + operation.tag() +
            " is longer than its room of length=" + operation.length();
    }

    static int errorClass(final Operation.Outcome outcome)
    {
        return switch (outcome)
        {
            case DONE, CANCELLED -> MPI.SUCCESS;
            case TRUNCATED, MISMATCHED -> MPI.ERR_TRUNCATE;
            case PEER_FAILED -> MPI.ERR_PROC_FAILED;
            case REVOKED -> MPI.ERR_REVOKED;
            case FAILED -> MPI.ERR_OP;
            case CLOSED, CUT_OFF -> MPI.ERR_OTHER;
        };
    }

    private String reason(final Operation.Outcome outcome)
    {
        return switch (outcome)
        {
            case DONE, CANCELLED, TRUNCATED -> outcome.toString();
            case MISMATCHED -> "roots, lengths or operations of the processes differ";
            case PEER_FAILED -> "a process that the call needs is gone" + knownToBeGone();
            case REVOKED -> "a process has revoked the communicator";
            case FAILED -> "the operation of the reduction has thrown an exception";
            case CLOSED -> "MPI was finalized meanwhile";
            case CUT_OFF -> "this process cannot reach others that may live, and that may go on without it";
        };
    }

    private String knownToBeGone()
    {
        final int[] failed = communicator == null ? new int[0] : communicator.failedRanks();
        return failed.length == 0 ? "" : "; known to be gone: ranks " + Arrays.toString(failed);
    }

    /** Checks rank and tag; returns whether the message is to or from nobody. */
    final boolean isNobody(final String call, final int rank, final int tag, final boolean isReceive)
    {
        final int size = communicating(call).targets().size();
        if (tag < 0 && !(isReceive && tag == MPI.ANY_TAG))
        {
            throw failure(call, MPI.ERR_TAG, "tag=" + tag + " is outside 0 to " + Integer.MAX_VALUE);
        }
        if ((rank < 0 || rank >= size) && rank != MPI.PROC_NULL && !(isReceive && rank == MPI.ANY_SOURCE))
        {
            throw failure(call, MPI.ERR_RANK, "rank=" + rank + " is outside 0 to " + (size - 1));
        }
        return rank == MPI.PROC_NULL;
    }

    private Call call(final String call)
    {
        return Call.awaited(this, call);
    }

    private Call begun(final String call)
    {
        return Call.begun(this, call);
    }

    private Request send(final Call call, final int dest, final int tag, final Mode mode)
    {
        if (isNobody(call.name, dest, tag, false))
        {
            call.check(call.from);
            return call.nothing();
        }
        final Send send = call.toSend();
        engine().begin(send, communicator.targets(), dest, tag, mode);
        return call.end(send);
    }

    private Request bufferedSend(final Call call, final int dest, final int tag)
    {
        if (isNobody(call.name, dest, tag, false))
        {
            call.check(call.from);
        }
        else
        {
            BufferedSends.all().begin(call, dest, tag);
        }
        return call.nothing();
    }

    private Status receive(final Call call, final int source, final int tag)
    {
        final Receive receive = begunReceive(call, source, tag);
        if (receive == null)
        {
            return Status.ofNobody();
        }
        call.await(receive);
        return call.status(receive);
    }

    private Request beginReceive(final Call call, final int source, final int tag)
    {
        final Receive receive = begunReceive(call, source, tag);
        return receive == null ? call.nothing() : call.end(receive);
    }

    /** Begins to receive; returns null if it is from nobody. */
    private Receive begunReceive(final Call call, final int source, final int tag)
    {
        if (isNobody(call.name, source, tag, true))
        {
            call.check(call.to);
            return null;
        }
        final Receive receive = call.toReceive();
        engine().begin(receive, communicator.targets(), source, tag);
        return receive;
    }

    /** Sends elements, or a copy of those that are received. */
    private Status exchange(
        final Call call, final int dest, final int sendTag, final int source, final int receiveTag)
    {
        final boolean isToNobody = isNobody(call.name, dest, sendTag, false);
        final boolean isFromNobody = isNobody(call.name, source, receiveTag, true);
        final Send send = isToNobody ? null :
            call.from.buf == call.to.buf ? Call.sendOf(call.copy()) : call.toSend();
        final Receive receive = isFromNobody ? null : call.toReceive();
        if (receive != null)
        {
            engine().begin(receive, communicator.targets(), source, receiveTag);
        }
        if (send != null)
        {
            engine().begin(send, communicator.targets(), dest, sendTag, STANDARD);
            engine().await(send);
        }
        if (receive != null)
        {
            engine().await(receive);            // Also if the send has failed: later it would take another message.
        }
        if (send != null)
        {
            fail(call.name, send);
        }
        if (receive == null)
        {
            return Status.ofNobody();
        }
        fail(call.name, receive);
        return call.status(receive);
    }

    /** Checks the arguments of a persistent operation once. */
    private Prequest persistent(
        final Call call, final Place place, final int rank, final int tag, final Supplier<Request> start)
    {
        isNobody(call.name, rank, tag, place == call.to);
        call.check(place);
        return new Prequest(call, start);
    }

    private Prequest persistentSend(final Call call, final int dest, final int tag, final Mode mode)
    {
        return persistent(call, call.from, dest, tag, () -> send(call, dest, tag, mode));
    }

    private Prequest persistentBufferedSend(final Call call, final int dest, final int tag)
    {
        return persistent(call, call.from, dest, tag, () -> bufferedSend(call, dest, tag));
    }

    private Prequest persistentReceive(final Call call, final int source, final int tag)
    {
        return persistent(call, call.to, source, tag, () -> beginReceive(call, source, tag));
    }

    final Status probe(final String ofName, final int source, final int tag)
    {
        if (isNobody(ofName, source, tag, true))
        {
            return Status.ofNobody();
        }
        final Call call = call(ofName);
        final Probe probe = call.toProbe();
        engine().begin(probe, communicator.targets(), source, tag);
        call.await(probe);
        return Status.of(probe, null, MPI.UNDEFINED);
    }

    /** Looks for a message; null if there is none. */
    final Status probeNow(final String ofName, final int source, final int tag)
    {
        if (isNobody(ofName, source, tag, true))
        {
            return Status.ofNobody();
        }
        final Probe probe = call(ofName).toProbe();
        engine().begin(probe, communicator.targets(), source, tag);
        if (!engine().test(probe) && engine().tryCancel(probe))
        {
            return null;
        }
        fail(ofName, probe);
        return Status.of(probe, null, MPI.UNDEFINED);
    }

    private int pack(final Call call, final byte[] target, final int position)
    {
        open(call.name);
        requireBytes(call, target);
        final byte[] bytes = call.copy();
        final int prefix = call.isObject() ? Integer.BYTES : 0;
        if (position < 0 || position > target.length - prefix - bytes.length)
        {
            throw failure(call.name, MPI.ERR_BUFFER, "position=" + position + " and length=" +
                (prefix + bytes.length) + " are outside of the buffer's length=" + target.length);
        }
        if (prefix > 0)
        {
            new UnsafeBuffer(target).putInt(position, bytes.length);
        }
        System.arraycopy(bytes, 0, target, position + prefix, bytes.length);
        return position + prefix + bytes.length;
    }

    private int unpack(final Call call, final byte[] source, final int position)
    {
        open(call.name);
        requireBytes(call, source);
        call.check(call.to);
        final boolean isObject = call.isObject();
        final int prefix = isObject ? Integer.BYTES : 0;
        final int length = !isObject ? packedLength(call.name, call.to.count, call.to.type) :
            position < 0 || position > source.length - prefix ? 0 : new UnsafeBuffer(source).getInt(position);
        if (position < 0 || length < 0 || position > source.length - prefix - length)
        {
            throw failure(call.name, MPI.ERR_TRUNCATE, "position=" + position + " and length=" + (prefix + length) +
                " are outside of the buffer's length=" + source.length);
        }
        if (isObject)
        {
            call.objects(Arrays.copyOfRange(source, position + prefix, position + prefix + length), call.to.offset,
                call.to.count);
        }
        else
        {
            call.to.unpack(source, position);
        }
        return position + prefix + length;
    }

    private void requireBytes(final Call call, final byte[] packed)
    {
        if (packed == null)
        {
            throw failure(call.name, MPI.ERR_BUFFER, "the buffer of packed elements is null");
        }
    }

    private int packedLength(final String call, final int count, final Datatype type)
    {
        open(call);
        if (count < 0)
        {
            throw failure(call, MPI.ERR_COUNT, "count=" + count + " is negative");
        }
        return Topology.checked(this, call, () -> Place.packedLength(Datatype.required(type), count));
    }

    private static int compare(final String call, final Comm comm1, final Comm comm2)
    {
        final Communicator first = required(call, comm1).open(call);
        final Communicator second = required(call, comm2).open(call);
        if (first == second)
        {
            return MPI.IDENT;
        }
        if (first.isIntercommunicator() != second.isIntercommunicator())
        {
            return MPI.UNEQUAL;
        }
        final int own = compare(first.ranks(), second.ranks());
        final int remote = !first.isIntercommunicator() ? MPI.CONGRUENT :
            compare(first.remoteRanks(), second.remoteRanks());
        return own == MPI.UNEQUAL || remote == MPI.UNEQUAL ? MPI.UNEQUAL : own == MPI.SIMILAR ? own : remote;
    }

    private static int compare(final int[] first, final int... second)
    {
        final int[] sorted = first.clone();
        final int[] otherSorted = second.clone();
        Arrays.sort(sorted);
        Arrays.sort(otherSorted);
        return Arrays.equals(first, second) ? MPI.CONGRUENT :
            Arrays.equals(sorted, otherSorted) ? MPI.SIMILAR : MPI.UNEQUAL;
    }

    private Object attribute(final String call, final int keyval)
    {
        open(call);
        return switch (keyval)
        {
            case MPI.TAG_UB -> Integer.MAX_VALUE;
            case MPI.LASTUSEDCODE -> MPI.ERR_LASTCODE;
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> false;
            case MPI.UNIVERSE_SIZE -> engine().size();
            case MPI.APPNUM -> 0;
            default -> ownAttribute(call, keyval);
        };
    }

    private Object ownAttribute(final String call, final int keyval)
    {
        try
        {
            return attributes.get(keyval);
        }
        catch (final MPIException ex)
        {
            throw failure(call, ex);
        }
    }

    private void change(final String call, final Runnable change)
    {
        open(call);
        try
        {
            change.run();
        }
        catch (final MPIException ex)
        {
            throw failure(call, ex);
        }
    }

    private void close(final String call)
    {
        open(call);
        if (this == MPI.COMM_WORLD || this == MPI.COMM_SELF)
        {
            throw failure(call, MPI.ERR_COMM, name + " cannot be freed");
        }
        communicator.close();
        communicator = null;
    }

    private Intercomm intercomm(
        final String call, final Comm localComm, final int localLeader, final int remoteLeader, final int tag)
    {
        final Communicator local = required(call, localComm).communicating(call);
        final boolean isLeader = local.rank() == localLeader;
        try
        {
            return inherit(new Intercomm(Communicator.connect(
                local, localLeader, isLeader ? open(call) : null, remoteLeader, tag)));
        }
        catch (final OperationException ex)
        {
            throw failure(call, ex);
        }
    }

    /** Duplicates the communicator of members. */
    final Communicator duplicate(final String call)
    {
        final Communicator open = communicating(call);
        try
        {
            return open.duplicate();
        }
        catch (final OperationException ex)
        {
            throw failure(call, ex);
        }
    }

    /** Makes a communicator for a window or a file, which is revoked with this one. */
    final Communicator part(final String call)
    {
        final Communicator open = communicating(call);
        try
        {
            return open.part();
        }
        catch (final OperationException ex)
        {
            throw failure(call, ex);
        }
    }

    /** {@return ranks of the neighbours that send to this process; PROC_NULL for none} */
    int[] neighborSources(final String call)
    {
        throw failure(call, MPI.ERR_TOPOLOGY, "the communicator has no topology");
    }

    /** {@return ranks of the neighbours that this process sends to; PROC_NULL for none} */
    int[] neighborDestinations(final String call)
    {
        return neighborSources(call);
    }

    // mpiJava 1.2

    /** {@return number of processes} */
    public int Size()
    {
        return open("Size").size();
    }

    /** {@return rank of this process} */
    public int Rank()
    {
        return open("Rank").rank();
    }

    /** {@return group of the processes} */
    public Group Group()
    {
        return new Group(MPI.engine(), open("Group").ranks());
    }

    /** Compares two communicators. */
    public static int Compare(final Comm comm1, final Comm comm2)
    {
        return compare("Compare", comm1, comm2);
    }

    /** Frees the communicator. */
    public void Free()
    {
        close("Free");
    }

    /** Tests whether it is one between two groups. */
    public boolean Test_inter()
    {
        return open("Test_inter").isIntercommunicator();
    }

    /** Makes a communicator between two groups; called on one that the leaders have in common. */
    public Intercomm Create_intercomm(
        final Comm local_comm, final int local_leader, final int remote_leader, final int tag)
    {
        return intercomm("Create_intercomm", local_comm, local_leader, remote_leader, tag);
    }

    /** {@return value of an attribute; null if there is none} */
    public Object Attr_get(final int keyval)
    {
        return attribute("Attr_get", keyval);
    }

    /** Deletes an attribute. */
    public void Attr_delete(final int keyval)
    {
        change("Attr_delete", () -> attributes.delete(keyval));
    }

    /** Sends elements. */
    public void Send(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        send(call("Send").from(buf, offset, count, type), dest, tag, STANDARD);
    }

    /** Sends elements; returns when their receive has begun. */
    public void Ssend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        send(call("Ssend").from(buf, offset, count, type), dest, tag, SYNCHRONOUS);
    }

    /** Sends elements whose receive is posted. */
    public void Rsend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        send(call("Rsend").from(buf, offset, count, type), dest, tag, STANDARD);
    }

    /** Sends a copy of elements in the attached buffer. */
    public void Bsend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        bufferedSend(call("Bsend").from(buf, offset, count, type), dest, tag);
    }

    /** Begins to send elements. */
    public Request Isend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return send(begun("Isend").from(buf, offset, count, type), dest, tag, STANDARD);
    }

    /** Begins to send elements; ends when their receive has begun. */
    public Request Issend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return send(begun("Issend").from(buf, offset, count, type), dest, tag, SYNCHRONOUS);
    }

    /** Begins to send elements whose receive is posted. */
    public Request Irsend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return send(begun("Irsend").from(buf, offset, count, type), dest, tag, STANDARD);
    }

    /** Begins to send a copy of elements in the attached buffer. */
    public Request Ibsend(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return bufferedSend(begun("Ibsend").from(buf, offset, count, type), dest, tag);
    }

    /** Receives elements. */
    public Status Recv(
        final Object buf, final int offset, final int count, final Datatype type, final int source, final int tag)
    {
        return receive(call("Recv").to(buf, offset, count, type), source, tag);
    }

    /** Begins to receive elements. */
    public Request Irecv(
        final Object buf, final int offset, final int count, final Datatype type, final int source, final int tag)
    {
        return beginReceive(begun("Irecv").to(buf, offset, count, type), source, tag);
    }

    /** Waits for a message, which stays where it is. */
    public Status Probe(final int source, final int tag)
    {
        return probe("Probe", source, tag);
    }

    /** Looks for a message, which stays where it is; returns null if there is none. */
    public Status Iprobe(final int source, final int tag)
    {
        return probeNow("Iprobe", source, tag);
    }

    /** {@return bytes that elements take when packed} */
    public int Pack_size(final int incount, final Datatype type)
    {
        return packedLength("Pack_size", incount, type);
    }

    /** Packs elements; returns the position behind them. */
    public int Pack(
        final Object inbuf, final int offset, final int incount, final Datatype type, final byte[] outbuf, final int
        position)
    {
        return pack(call("Pack").from(inbuf, offset, incount, type), outbuf, position);
    }

    /** Unpacks elements; returns the position behind them. */
    public int Unpack(
        final byte[] inbuf, final int position, final Object outbuf, final int offset, final int outcount, final
        Datatype type)
    {
        return unpack(call("Unpack").to(outbuf, offset, outcount, type), inbuf, position);
    }

    /** Makes a request of a send. */
    public Prequest Send_init(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return persistentSend(begun("Send_init").from(buf, offset, count, type), dest, tag, STANDARD);
    }

    /** Makes a request of a send. */
    public Prequest Ssend_init(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return persistentSend(begun("Ssend_init").from(buf, offset, count, type), dest, tag, SYNCHRONOUS);
    }

    /** Makes a request of a send. */
    public Prequest Rsend_init(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return persistentSend(begun("Rsend_init").from(buf, offset, count, type), dest, tag, STANDARD);
    }

    /** Makes a request of a buffered send. */
    public Prequest Bsend_init(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int tag)
    {
        return persistentBufferedSend(begun("Bsend_init").from(buf, offset, count, type), dest, tag);
    }

    /** Makes a request of a receive. */
    public Prequest Recv_init(
        final Object buf, final int offset, final int count, final Datatype type, final int source, final int tag)
    {
        return persistentReceive(begun("Recv_init").to(buf, offset, count, type), source, tag);
    }

    /** Sends elements and receives others. */
    public Status Sendrecv(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final int dest, final
        int sendtag, final Object recvbuf, final int recvoffset, final int recvcount, final Datatype recvtype, final int
        source, final int recvtag)
    {
        return exchange(call("Sendrecv").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, recvtype), dest, sendtag, source, recvtag);
    }

    /** Sends elements and receives others in their place. */
    public Status Sendrecv_replace(
        final Object buf, final int offset, final int count, final Datatype type, final int dest, final int sendtag,
        final int source, final int recvtag)
    {
        return exchange(call("Sendrecv_replace").from(buf, offset, count, type)
            .to(buf, offset, count, type), dest, sendtag,
            source, recvtag);
    }

    /** {@return kind of topology; {@code MPI.UNDEFINED} if there is none} */
    public int Topo_test()
    {
        open("Topo_test");
        return MPI.UNDEFINED;
    }

    /** Ends the job. */
    public void Abort(final int errorcode)
    {
        abort("Abort", errorcode);
    }

    private static void abort(final String call, final int errorCode)
    {
        MPI.end((errorCode & 0xff) == 0 ? 1 : errorCode & 0xff, call + ": errorcode=" + errorCode);
    }

    // Open MPI

    /** Duplicates the communicator, its attributes and its error handler. */
    public Comm dup() throws MPIException
    {
        return inherit(new Comm(duplicate("dup")));
    }

    /** Duplicates the communicator. */
    @Override
    public Comm clone()
    {
        return dup();
    }

    /** Duplicates the communicator. Waits for all members: {@link #getRequest} is of an operation that has ended. */
    public Comm iDup() throws MPIException
    {
        final Comm copy = dup();
        copy.request = new Request(Call.begun(copy, "iDup"), Request.NOTHING);
        return copy;
    }

    /** Duplicates the communicator, with other settings. */
    public Comm dupWithInfo(final Info newInfo) throws MPIException
    {
        final Comm copy = dup();
        copy.setInfo(newInfo);
        return copy;
    }

    /** {@return request of {@link #iDup}} */
    public final Request getRequest()
    {
        return request;
    }

    /** {@return number of processes} */
    public final int getSize() throws MPIException
    {
        return open("getSize").size();
    }

    /** {@return rank of this process} */
    public final int getRank() throws MPIException
    {
        return open("getRank").rank();
    }

    /** Compares two communicators. */
    public static int compare(final Comm comm1, final Comm comm2) throws MPIException
    {
        return compare("compare", comm1, comm2);
    }

    @Override
    public void free() throws MPIException
    {
        close("free");
    }

    /** Tests whether it is none, or freed. */
    public final boolean isNull()
    {
        return communicator == null;
    }

    /** Sets settings, which are kept. */
    public final void setInfo(final Info newInfo) throws MPIException
    {
        if (newInfo == null)
        {
            throw failure("setInfo", MPI.ERR_INFO, "the settings are null");
        }
        info = newInfo;
    }

    /** {@return settings} */
    public final Info getInfo() throws MPIException
    {
        return info.clone();
    }

    /** Frees the communicator. */
    public final void disconnect() throws MPIException
    {
        close("disconnect");
    }

    /** {@return group of the processes} */
    public final Group getGroup() throws MPIException
    {
        return new Group(MPI.engine(), open("getGroup").ranks());
    }

    /** Tests whether it is one between two groups. */
    public final boolean isInter() throws MPIException
    {
        return open("isInter").isIntercommunicator();
    }

    /** Makes a communicator between two groups; called on one that the leaders have in common. */
    public final Intercomm createIntercomm(
        final Comm localComm, final int localLeader, final int remoteLeader, final int tag) throws MPIException
    {
        return intercomm("createIntercomm", localComm, localLeader, remoteLeader, tag);
    }

    /** Sends elements. */
    public final void send(
        final Object buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        send(call("send").from(buf, 0, count, type), dest, tag, STANDARD);
    }

    /** Receives elements. */
    public final Status recv(
        final Object buf, final int count, final Datatype type, final int source, final int tag) throws MPIException
    {
        return receive(call("recv").to(buf, 0, count, type), source, tag);
    }

    /** Sends elements and receives others. */
    public final Status sendRecv(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final int dest, final int sendtag, final
        Object recvbuf, final int recvcount, final Datatype recvtype, final int source, final int recvtag)
        throws MPIException
    {
        return exchange(call("sendRecv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), dest,
            sendtag, source, recvtag);
    }

    /** Sends elements and receives others in their place. */
    public final Status sendRecvReplace(
        final Object buf, final int count, final Datatype type, final int dest, final int sendtag, final int source,
        final int recvtag) throws MPIException
    {
        return exchange(call("sendRecvReplace").from(buf, 0, count, type)
            .to(buf, 0, count, type), dest, sendtag, source,
            recvtag);
    }

    /** Sends a copy of elements in the attached buffer. */
    public final void bSend(
        final Object buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        bufferedSend(call("bSend").from(buf, 0, count, type), dest, tag);
    }

    /** Sends elements; returns when their receive has begun. */
    public final void sSend(
        final Object buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        send(call("sSend").from(buf, 0, count, type), dest, tag, SYNCHRONOUS);
    }

    /** Sends elements whose receive is posted. */
    public final void rSend(
        final Object buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        send(call("rSend").from(buf, 0, count, type), dest, tag, STANDARD);
    }

    /** Begins to send elements. */
    public final Request iSend(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return send(begun("iSend").from(buf, 0, count, type), dest, tag, STANDARD);
    }

    /** Begins to send elements; ends when their receive has begun. */
    public final Request isSend(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return send(begun("isSend").from(buf, 0, count, type), dest, tag, SYNCHRONOUS);
    }

    /** Begins to send elements whose receive is posted. */
    public final Request irSend(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return send(begun("irSend").from(buf, 0, count, type), dest, tag, STANDARD);
    }

    /** Begins to send a copy of elements in the attached buffer. */
    public final Request ibSend(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return bufferedSend(begun("ibSend").from(buf, 0, count, type), dest, tag);
    }

    /** Begins to receive elements. */
    public final Request iRecv(
        final Buffer buf, final int count, final Datatype type, final int source, final int tag) throws MPIException
    {
        return beginReceive(begun("iRecv").to(buf, 0, count, type), source, tag);
    }

    /** Makes a request of a send. */
    public final Prequest sendInit(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return persistentSend(begun("sendInit").from(buf, 0, count, type), dest, tag, STANDARD);
    }

    /** Makes a request of a send. */
    public final Prequest sSendInit(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return persistentSend(begun("sSendInit").from(buf, 0, count, type), dest, tag, SYNCHRONOUS);
    }

    /** Makes a request of a send. */
    public final Prequest rSendInit(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return persistentSend(begun("rSendInit").from(buf, 0, count, type), dest, tag, STANDARD);
    }

    /** Makes a request of a buffered send. */
    public final Prequest bSendInit(
        final Buffer buf, final int count, final Datatype type, final int dest, final int tag) throws MPIException
    {
        return persistentBufferedSend(begun("bSendInit").from(buf, 0, count, type), dest, tag);
    }

    /** Makes a request of a receive. */
    public final Prequest recvInit(
        final Buffer buf, final int count, final Datatype type, final int source, final int tag) throws MPIException
    {
        return persistentReceive(begun("recvInit").to(buf, 0, count, type), source, tag);
    }

    /** Packs elements; returns the position behind them. */
    public final int pack(
        final Object inbuf, final int incount, final Datatype type, final byte[] outbuf, final int position)
        throws MPIException
    {
        return pack(call("pack").from(inbuf, 0, incount, type), outbuf, position);
    }

    /** Unpacks elements; returns the position behind them. */
    public final int unpack(
        final byte[] inbuf, final int position, final Object outbuf, final int outcount, final Datatype type)
        throws MPIException
    {
        return unpack(call("unpack").to(outbuf, 0, outcount, type), inbuf, position);
    }

    /** {@return bytes that elements take when packed} */
    public final int packSize(final int incount, final Datatype type) throws MPIException
    {
        return packedLength("packSize", incount, type);
    }

    /** Looks for a message, which stays where it is; returns null if there is none. */
    public final Status iProbe(final int source, final int tag) throws MPIException
    {
        return probeNow("iProbe", source, tag);
    }

    /** Waits for a message, which stays where it is. */
    public final Status probe(final int source, final int tag) throws MPIException
    {
        return probe("probe", source, tag);
    }

    /** Makes a key of attributes. */
    public static int createKeyval() throws MPIException
    {
        return Attributes.createKey();
    }

    /** Frees a key of attributes. */
    public static void freeKeyval(final int keyval) throws MPIException
    {
        ((Comm)MPI.COMM_WORLD).change("freeKeyval", () -> Attributes.freeKey(keyval));
    }

    /** Sets an attribute. */
    public final void setAttr(final int keyval, final Object value) throws MPIException
    {
        change("setAttr", () -> attributes.set(keyval, value));
    }

    /** {@return value of an attribute; null if there is none} */
    public final Object getAttr(final int keyval) throws MPIException
    {
        return attribute("getAttr", keyval);
    }

    /** Deletes an attribute. */
    public final void deleteAttr(final int keyval) throws MPIException
    {
        change("deleteAttr", () -> attributes.delete(keyval));
    }

    /** {@return kind of topology; {@code MPI.UNDEFINED} if there is none} */
    public final int getTopology() throws MPIException
    {
        return Topo_test();
    }

    /** Ends the job. */
    public final void abort(final int errorcode) throws MPIException
    {
        abort("abort", errorcode);
    }

    /** Sets the error handler. */
    public final void setErrhandler(final Errhandler newErrhandler) throws MPIException
    {
        if (newErrhandler == null)
        {
            throw failure("setErrhandler", MPI.ERR_ARG, "the error handler is null");
        }
        errhandler = newErrhandler;
    }

    /** {@return the error handler} */
    public final Errhandler getErrhandler() throws MPIException
    {
        return errhandler;
    }

    /** Calls the error handler: ends the job, or does nothing. */
    public void callErrhandler(final int errorCode) throws MPIException
    {
        if (errhandler == Errhandler.FATAL)
        {
            MPI.end(1, "callErrhandler: errorcode=" + errorCode);
        }
    }

    /** Sets the name. */
    public final void setName(final String newName) throws MPIException
    {
        name = newName;
    }

    /** {@return the name} */
    public final String getName() throws MPIException
    {
        return name;
    }

    /** Waits for all processes. */
    public final void barrier() throws MPIException
    {
        Collectives.barrier(call("barrier"));
    }

    /** Begins: waits for all processes. */
    public final Request iBarrier() throws MPIException
    {
        return Collectives.barrier(begun("iBarrier"));
    }

    /** Sends elements of the root to all. */
    public final void bcast(final Object buf, final int count, final Datatype type, final int root) throws MPIException
    {
        Collectives.broadcast(call("bcast").to(buf, 0, count, type), root);
    }

    /** Begins: sends elements of the root to all. */
    public final Request iBcast(
        final Buffer buf, final int count, final Datatype type, final int root) throws MPIException
    {
        return Collectives.broadcast(begun("iBcast").to(buf, 0, count, type), root);
    }

    /** Gathers elements at the root. */
    public final void gather(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int recvcount,
        final Datatype recvtype, final int root) throws MPIException
    {
        Collectives.gather(call("gather").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), root, false);
    }

    /** Begins: gathers elements at the root. */
    public final Request iGather(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int recvcount,
        final Datatype recvtype, final int root) throws MPIException
    {
        return Collectives.gather(begun("iGather").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), root, false);
    }

    /** Gathers elements at the root, where its own are in their place. */
    public final void gather(final Object buf, final int count, final Datatype type, final int root) throws MPIException
    {
        Collectives.gather(call("gather").to(buf, 0, count, type), root, false);
    }

    /** Begins: gathers elements at the root, where its own are in their place. */
    public final Request iGather(
        final Buffer buf, final int count, final Datatype type, final int root) throws MPIException
    {
        return Collectives.gather(begun("iGather").to(buf, 0, count, type), root, false);
    }

    /** Gathers numbers of elements at the root. */
    public final void gatherv(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int[] recvcount,
        final int[] displs, final Datatype recvtype, final int root) throws MPIException
    {
        Collectives.gather(call("gatherv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, displs, recvtype), root, true);
    }

    /** Begins: gathers numbers of elements at the root. */
    public final Request iGatherv(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int[] recvcount,
        final int[] displs, final Datatype recvtype, final int root) throws MPIException
    {
        return Collectives.gather(begun("iGatherv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, displs, recvtype), root, true);
    }

    /** Gathers numbers of elements at this process, where its own are in their place. */
    public final void gatherv(
        final Object recvbuf, final int[] recvcount, final int[] displs, final Datatype recvtype, final int root)
        throws MPIException
    {
        Collectives.gather(call("gatherv").to(recvbuf, 0, recvcount, displs, recvtype), root, true);
    }

    /** Begins: gathers numbers of elements at this process, where its own are in their place. */
    public final Request iGatherv(
        final Buffer recvbuf, final int[] recvcount, final int[] displs, final Datatype recvtype, final int root)
        throws MPIException
    {
        return Collectives.gather(begun("iGatherv").to(recvbuf, 0, recvcount, displs, recvtype), root, true);
    }

    /** Sends a number of elements to the root. */
    public final void gatherv(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final int root) throws MPIException
    {
        Collectives.gather(call("gatherv").from(sendbuf, 0, sendcount, sendtype), root, true);
    }

    /** Begins: sends a number of elements to the root. */
    public final Request iGatherv(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final int root) throws MPIException
    {
        return Collectives.gather(begun("iGatherv").from(sendbuf, 0, sendcount, sendtype), root, true);
    }

    /** Sends each process its part of the elements of the root. */
    public final void scatter(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int recvcount,
        final Datatype recvtype, final int root) throws MPIException
    {
        Collectives.scatter(call("scatter").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), root, false);
    }

    /** Begins: sends each process its part of the elements of the root. */
    public final Request iScatter(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int recvcount,
        final Datatype recvtype, final int root) throws MPIException
    {
        return Collectives.scatter(begun("iScatter").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), root, false);
    }

    /** Sends each process its part of the elements of the root, whose own stay in their place. */
    public final void scatter(
        final Object buf, final int count, final Datatype type, final int root) throws MPIException
    {
        Collectives.scatter(call("scatter").from(buf, 0, count, type), root, false);
    }

    /** Begins: sends each process its part of the elements of the root, whose own stay in their place. */
    public final Request iScatter(
        final Buffer buf, final int count, final Datatype type, final int root) throws MPIException
    {
        return Collectives.scatter(begun("iScatter").from(buf, 0, count, type), root, false);
    }

    /** Sends each process a number of elements of the root. */
    public final void scatterv(
        final Object sendbuf, final int[] sendcount, final int[] displs, final Datatype sendtype, final Object recvbuf,
        final int recvcount, final Datatype recvtype, final int root) throws MPIException
    {
        Collectives.scatter(call("scatterv").from(sendbuf, 0, sendcount, displs, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), root, true);
    }

    /** Begins: sends each process a number of elements of the root. */
    public final Request iScatterv(
        final Buffer sendbuf, final int[] sendcount, final int[] displs, final Datatype sendtype, final Buffer recvbuf,
        final int recvcount, final Datatype recvtype, final int root) throws MPIException
    {
        return Collectives.scatter(begun("iScatterv").from(sendbuf, 0, sendcount, displs, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), root, true);
    }

    /** Sends each process a number of elements of this process, whose own stay in their place. */
    public final void scatterv(
        final Object sendbuf, final int[] sendcount, final int[] displs, final Datatype sendtype, final int root)
        throws MPIException
    {
        Collectives.scatter(call("scatterv").from(sendbuf, 0, sendcount, displs, sendtype), root, true);
    }

    /** Begins: sends each process a number of elements of this process, whose own stay in their place. */
    public final Request iScatterv(
        final Buffer sendbuf, final int[] sendcount, final int[] displs, final Datatype sendtype, final int root)
        throws MPIException
    {
        return Collectives.scatter(begun("iScatterv").from(sendbuf, 0, sendcount, displs, sendtype), root, true);
    }

    /** Receives a number of elements of the root. */
    public final void scatterv(
        final Object recvbuf, final int recvcount, final Datatype recvtype, final int root) throws MPIException
    {
        Collectives.scatter(call("scatterv").to(recvbuf, 0, recvcount, recvtype), root, true);
    }

    /** Begins: receives a number of elements of the root. */
    public final Request iScatterv(
        final Buffer recvbuf, final int recvcount, final Datatype recvtype, final int root) throws MPIException
    {
        return Collectives.scatter(begun("iScatterv").to(recvbuf, 0, recvcount, recvtype), root, true);
    }

    /** Gathers elements at all processes. */
    public final void allGather(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        Collectives.allGather(call("allGather").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), false);
    }

    /** Begins: gathers elements at all processes. */
    public final Request iAllGather(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        return Collectives.allGather(begun("iAllGather").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), false);
    }

    /** Gathers elements at all processes, whose own are in their place. */
    public final void allGather(final Object buf, final int count, final Datatype type) throws MPIException
    {
        Collectives.allGather(call("allGather").to(buf, 0, count, type), false);
    }

    /** Begins: gathers elements at all processes, whose own are in their place. */
    public final Request iAllGather(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        return Collectives.allGather(begun("iAllGather").to(buf, 0, count, type), false);
    }

    /** Gathers numbers of elements at all processes. */
    public final void allGatherv(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int[] recvcount,
        final int[] displs, final Datatype recvtype) throws MPIException
    {
        Collectives.allGather(call("allGatherv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, displs, recvtype), true);
    }

    /** Begins: gathers numbers of elements at all processes. */
    public final Request iAllGatherv(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int[] recvcount,
        final int[] displs, final Datatype recvtype) throws MPIException
    {
        return Collectives.allGather(begun("iAllGatherv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, displs, recvtype), true);
    }

    /** Gathers numbers of elements at all processes, whose own are in their place. */
    public final void allGatherv(
        final Object recvbuf, final int[] recvcount, final int[] displs, final Datatype recvtype) throws MPIException
    {
        Collectives.allGather(call("allGatherv").to(recvbuf, 0, recvcount, displs, recvtype), true);
    }

    /** Begins: gathers numbers of elements at all processes, whose own are in their place. */
    public final Request iAllGatherv(
        final Buffer recvbuf, final int[] recvcount, final int[] displs, final Datatype recvtype) throws MPIException
    {
        return Collectives.allGather(begun("iAllGatherv").to(recvbuf, 0, recvcount, displs, recvtype), true);
    }

    /** Sends each process its part of the elements of each. */
    public final void allToAll(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        Collectives.allToAll(call("allToAll").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), false);
    }

    /** Begins: sends each process its part of the elements of each. */
    public final Request iAllToAll(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        return Collectives.allToAll(begun("iAllToAll").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), false);
    }

    /** Sends each process a number of elements of each. */
    public final void allToAllv(
        final Object sendbuf, final int[] sendcount, final int[] sdispls, final Datatype sendtype, final Object recvbuf,
        final int[] recvcount, final int[] rdispls, final Datatype recvtype) throws MPIException
    {
        Collectives.allToAll(call("allToAllv").from(sendbuf, 0, sendcount, sdispls, sendtype)
            .to(recvbuf, 0, recvcount, rdispls, recvtype), true);
    }

    /** Begins: sends each process a number of elements of each. */
    public final Request iAllToAllv(
        final Buffer sendbuf, final int[] sendcount, final int[] sdispls, final Datatype sendtype, final Buffer recvbuf,
        final int[] recvcount, final int[] rdispls, final Datatype recvtype) throws MPIException
    {
        return Collectives.allToAll(begun("iAllToAllv").from(sendbuf, 0, sendcount, sdispls, sendtype)
            .to(recvbuf, 0, recvcount, rdispls, recvtype), true);
    }

    /** Sends each process elements of a type of their own; places count bytes. */
    public final void allToAllw(
        final Object sendBuf, final int[] sendCount, final int[] sDispls, final Datatype[] sendTypes, final Object
        recvBuf, final int[] recvCount, final int[] rDispls, final Datatype[] recvTypes) throws MPIException
    {
        Collectives.allToAllTypes(call("allToAllw"), sendBuf, sendCount, sDispls, sendTypes, recvBuf, recvCount,
            rDispls,
            recvTypes);
    }

    /** Begins: sends each process elements of a type of their own; places count bytes. */
    public final Request iAllToAllw(
        final Buffer sendBuf, final int[] sendCount, final int[] sDispls, final Datatype[] sendTypes, final Buffer
        recvBuf, final int[] recvCount, final int[] rDispls, final Datatype[] recvTypes) throws MPIException
    {
        return Collectives.allToAllTypes(begun("iAllToAllw"), sendBuf, sendCount, sDispls, sendTypes, recvBuf,
            recvCount, rDispls,
            recvTypes);
    }

    /** Gathers elements of the neighbours. */
    public final void neighborAllGather(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        Collectives.neighbors(call("neighborAllGather").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), false);
    }

    /** Begins: gathers elements of the neighbours. */
    public final Request iNeighborAllGather(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        return Collectives.neighbors(begun("iNeighborAllGather").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), false);
    }

    /** Gathers numbers of elements of the neighbours. */
    public final void neighborAllGatherv(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int[] recvcount,
        final int[] displs, final Datatype recvtype) throws MPIException
    {
        Collectives.neighbors(call("neighborAllGatherv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, displs, recvtype), false);
    }

    /** Begins: gathers numbers of elements of the neighbours. */
    public final Request iNeighborAllGatherv(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int[] recvcount,
        final int[] displs, final Datatype recvtype) throws MPIException
    {
        return Collectives.neighbors(begun("iNeighborAllGatherv").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, displs, recvtype), false);
    }

    /** Sends each neighbour its part of the elements. */
    public final void neighborAllToAll(
        final Object sendbuf, final int sendcount, final Datatype sendtype, final Object recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        Collectives.neighbors(call("neighborAllToAll").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), true);
    }

    /** Begins: sends each neighbour its part of the elements. */
    public final Request iNeighborAllToAll(
        final Buffer sendbuf, final int sendcount, final Datatype sendtype, final Buffer recvbuf, final int recvcount,
        final Datatype recvtype) throws MPIException
    {
        return Collectives.neighbors(begun("iNeighborAllToAll").from(sendbuf, 0, sendcount, sendtype)
            .to(recvbuf, 0, recvcount, recvtype), true);
    }

    /** Sends each neighbour a number of elements. */
    public final void neighborAllToAllv(
        final Object sendbuf, final int[] sendcount, final int[] sdispls, final Datatype sendtype, final Object recvbuf,
        final int[] recvcount, final int[] rdispls, final Datatype recvtype) throws MPIException
    {
        Collectives.neighbors(call("neighborAllToAllv").from(sendbuf, 0, sendcount, sdispls, sendtype)
            .to(recvbuf, 0, recvcount, rdispls, recvtype), true);
    }

    /** Begins: sends each neighbour a number of elements. */
    public final Request iNeighborAllToAllv(
        final Buffer sendbuf, final int[] sendcount, final int[] sdispls, final Datatype sendtype, final Buffer recvbuf,
        final int[] recvcount, final int[] rdispls, final Datatype recvtype) throws MPIException
    {
        return Collectives.neighbors(begun("iNeighborAllToAllv").from(sendbuf, 0, sendcount, sdispls, sendtype)
            .to(recvbuf, 0, recvcount, rdispls, recvtype), true);
    }

    /** Combines elements of all processes at the root. */
    public final void reduce(
        final Object sendbuf, final Object recvbuf, final int count, final Datatype type, final Op op, final int root)
        throws MPIException
    {
        Collectives.reduce(call("reduce").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op, root);
    }

    /** Begins: combines elements of all processes at the root. */
    public final Request iReduce(
        final Buffer sendbuf, final Buffer recvbuf, final int count, final Datatype type, final Op op, final int root)
        throws MPIException
    {
        return Collectives.reduce(begun("iReduce").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op, root);
    }

    /** Combines elements of all processes at the root, in place. */
    public final void reduce(
        final Object buf, final int count, final Datatype type, final Op op, final int root) throws MPIException
    {
        Collectives.reduce(call("reduce").to(buf, 0, count, type), op, root);
    }

    /** Begins: combines elements of all processes at the root, in place. */
    public final Request iReduce(
        final Buffer buf, final int count, final Datatype type, final Op op, final int root) throws MPIException
    {
        return Collectives.reduce(begun("iReduce").to(buf, 0, count, type), op, root);
    }

    /** Combines elements of all processes at each. */
    public final void allReduce(
        final Object sendbuf, final Object recvbuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        Collectives.allReduce(call("allReduce").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op);
    }

    /** Begins: combines elements of all processes at each. */
    public final Request iAllReduce(
        final Buffer sendbuf, final Buffer recvbuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        return Collectives.allReduce(begun("iAllReduce").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op);
    }

    /** Combines elements of all processes at each, in place. */
    public final void allReduce(final Object buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        Collectives.allReduce(call("allReduce").to(buf, 0, count, type), op);
    }

    /** Begins: combines elements of all processes at each, in place. */
    public final Request iAllReduce(
        final Buffer buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        return Collectives.allReduce(begun("iAllReduce").to(buf, 0, count, type), op);
    }

    /** Combines elements of all processes; each gets a number of them. */
    public final void reduceScatter(
        final Object sendbuf, final Object recvbuf, final int[] recvcounts, final Datatype type, final Op op)
        throws MPIException
    {
        Collectives.reduceScatter(call("reduceScatter").from(sendbuf, 0, 0, type)
            .to(recvbuf, 0, 0, type), recvcounts, op);
    }

    /** Begins: combines elements of all processes; each gets a number of them. */
    public final Request iReduceScatter(
        final Buffer sendbuf, final Buffer recvbuf, final int[] recvcounts, final Datatype type, final Op op)
        throws MPIException
    {
        return Collectives.reduceScatter(begun("iReduceScatter").from(sendbuf, 0, 0, type)
            .to(recvbuf, 0, 0, type), recvcounts, op);
    }

    /** Combines elements of all processes; each gets a number of them, in place. */
    public final void reduceScatter(
        final Object buf, final int[] counts, final Datatype type, final Op op) throws MPIException
    {
        Collectives.reduceScatter(call("reduceScatter").to(buf, 0, 0, type), counts, op);
    }

    /** Begins: combines elements of all processes; each gets a number of them, in place. */
    public final Request iReduceScatter(
        final Buffer buf, final int[] counts, final Datatype type, final Op op) throws MPIException
    {
        return Collectives.reduceScatter(begun("iReduceScatter").to(buf, 0, 0, type), counts, op);
    }

    /** Combines elements of all processes; each gets its part. */
    public final void reduceScatterBlock(
        final Object sendbuf, final Object recvbuf, final int recvcount, final Datatype type, final Op op)
        throws MPIException
    {
        Collectives.reduceScatterBlock(call("reduceScatterBlock").from(sendbuf, 0, 0, type)
            .to(recvbuf, 0, 0, type), recvcount, op);
    }

    /** Begins: combines elements of all processes; each gets its part. */
    public final Request iReduceScatterBlock(
        final Buffer sendbuf, final Buffer recvbuf, final int recvcount, final Datatype type, final Op op)
        throws MPIException
    {
        return Collectives.reduceScatterBlock(begun("iReduceScatterBlock").from(sendbuf, 0, 0, type)
            .to(recvbuf, 0, 0, type), recvcount, op);
    }

    /** Combines elements of all processes; each gets its part, in place. */
    public final void reduceScatterBlock(
        final Object buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        Collectives.reduceScatterBlock(call("reduceScatterBlock").to(buf, 0, 0, type), count, op);
    }

    /** Begins: combines elements of all processes; each gets its part, in place. */
    public final Request iReduceScatterBlock(
        final Buffer buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        return Collectives.reduceScatterBlock(begun("iReduceScatterBlock").to(buf, 0, 0, type), count, op);
    }

    /** Combines elements of two buffers; the second one gets the result. */
    public static void reduceLocal(
        final Object inBuf, final Object inOutBuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        Collectives.reduceLocal(Call.awaited(MPI.COMM_WORLD, "reduceLocal").from(inBuf, 0, count, type)
            .to(inOutBuf, 0, count, type), op);
    }

    // The fault-tolerance proposal

    /**
     * Ends operations of all processes in this communicator, its windows and its files, also those to come; all but
     * shrink and agree.
     */
    public final void revoke() throws MPIException
    {
        open("revoke").revoke();
    }

    /** Tests whether a process has revoked the communicator. */
    public final boolean isRevoked() throws MPIException
    {
        return open("isRevoked").isRevoked();
    }
}
