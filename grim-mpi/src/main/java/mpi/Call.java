// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Collective;
import org.grim.mpi.Elements;
import org.grim.mpi.Operation;
import org.grim.mpi.Probe;
import org.grim.mpi.Receive;
import org.grim.mpi.Send;

/**
 * A call of the user: its name, its places, and the operation that it begins. The one of a blocking call is its
 * thread's, and used again: such a call allocates nothing.
 * <p>Thread: the caller's.
 */
final class Call
{
    private static final ThreadLocal<Call> OF_THREAD = ThreadLocal.withInitial(Call::new);

    final Place from = new Place(false);
    final Place to = new Place(true);
    Comm comm;
    String name;
    boolean isAwaited;
    private Status result;                  // Of a call that has ended with it; null otherwise.
    private Send send;
    private Receive receive;
    private Probe probe;
    private Collective collective;

    /** Returns the thread's for a call that waits. */
    static Call awaited(final Comm comm, final String name)
    {
        Call call = OF_THREAD.get();
        if (call.isBusy())
        {
            call = new Call();
            OF_THREAD.set(call);
        }
        call.isAwaited = true;
        return call.of(comm, name);
    }

    /** Makes one for a call that does not wait. */
    static Call begun(final Comm comm, final String name)
    {
        return new Call().of(comm, name);
    }

    private Call of(final Comm newComm, final String newName)
    {
        comm = newComm;
        name = newName;
        result = null;
        from.clear();
        to.clear();
        return this;
    }

    /** Returns whether the operation is still in progress, as after an exception within a call. */
    private boolean isBusy()
    {
        return isOpen(send) || isOpen(receive) || isOpen(probe) || isOpen(collective);
    }

    private static boolean isOpen(final Operation operation)
    {
        return operation != null && !operation.isDone();
    }

    /** {@return whether the call's name is one of Open MPI, and not of mpiJava} */
    boolean isOpenMpi()
    {
        return Character.isLowerCase(name.charAt(0));
    }

    /** Sets the elements to send. */
    Call from(final Object buf, final int offset, final int count, final Datatype type)
    {
        from.set(buf, offset, count, type);
        return this;
    }

    /** Sets the elements to send to each process. */
    Call from(final Object buf, final int offset, final int[] counts, final int[] displacements, final Datatype type)
    {
        from.set(buf, offset, counts, displacements, type);
        return this;
    }

    /** Sets the elements to receive. */
    Call to(final Object buf, final int offset, final int count, final Datatype type)
    {
        to.set(buf, offset, count, type);
        return this;
    }

    /** Sets the elements to receive from each process. */
    Call to(final Object buf, final int offset, final int[] counts, final int[] displacements, final Datatype type)
    {
        to.set(buf, offset, counts, displacements, type);
        return this;
    }

    boolean isObject()
    {
        return from.isObject() || to.isObject();
    }

    /** {@return the checked elements to send} */
    Elements sent()
    {
        check(from);
        return from.elements();
    }

    /** {@return the checked elements to send; null if they are in place} */
    Elements sentOrInPlace()
    {
        requireOneGroupIfInPlace();
        return from.isThere ? sent() : null;
    }

    /** Refuses elements in place where those that come are of another group. */
    void requireOneGroupIfInPlace()
    {
        if (!from.isThere && comm.communicator.isIntercommunicator())
        {
            throw comm.failure(name, MPI.ERR_BUFFER, "elements cannot be in place in an intercommunicator");
        }
    }

    /** {@return the checked elements to receive} */
    Elements received()
    {
        check(to);
        return to.elements();
    }

    void check(final Place place)
    {
        check(place, comm.communicator.targets().size());
    }

    void check(final Place place, final int processCount)
    {
        try
        {
            place.check(processCount, isOpenMpi());
        }
        catch (final MPIException ex)
        {
            throw comm.failure(name, ex);
        }
    }

    /** {@return a send of the elements} */
    Send toSend()
    {
        check(from);
        if (send == null)
        {
            send = new Send();
        }
        if (from.isObject())
        {
            send.bytes(objects(from.offset, from.count));
        }
        else
        {
            from.in(send);
        }
        return send;
    }

    /** {@return a copy of the elements to send} */
    byte[] copy()
    {
        check(from);
        return from.isObject() ? objects(from.offset, from.count) :
            Topology.checked(comm, name, () -> from.packed());
    }

    /** {@return a send of bytes} */
    static Send sendOf(final byte[] bytes)
    {
        final Send send = new Send();
        send.bytes(bytes);
        return send;
    }

    /** {@return a receive of the elements} */
    Receive toReceive()
    {
        check(to);
        if (receive == null)
        {
            receive = new Receive();
        }
        if (to.isObject())
        {
            receive.anyLength();
        }
        else
        {
            to.in(receive);
        }
        return receive;
    }

    Probe toProbe()
    {
        if (probe == null)
        {
            probe = new Probe();
        }
        return probe;
    }

    Collective collective()
    {
        if (collective == null)
        {
            collective = new Collective();
        }
        return collective;
    }

    /** Serialises some of the objects to send. */
    byte[] objects(final int offset, final int count)
    {
        try
        {
            return Objects.write(from.objects(), from.indices(offset, count));
        }
        catch (final MPIException ex)
        {
            throw comm.failure(name, ex);
        }
    }

    /** Puts objects that have come into their places; returns how many have. */
    int objects(final byte[] bytes, final int offset, final int count)
    {
        try
        {
            return Objects.read(bytes, to.objects(), to.indices(offset, count));
        }
        catch (final MPIException ex)
        {
            throw comm.failure(name, ex);
        }
    }

    /** Waits for the operation if this call does; otherwise returns the request. */
    Request end(final Operation operation)
    {
        if (!isAwaited)
        {
            return new Request(this, operation);
        }
        await(operation);
        return null;
    }

    /** Waits for an operation and throws its error. */
    void await(final Operation operation)
    {
        comm.engine().await(operation);
        comm.fail(name, operation);
    }

    /** {@return a request that has ended with a result} */
    Request ended(final Status newResult)
    {
        result = newResult;
        return new Request(this, Request.NOTHING);
    }

    /** {@return a request that has ended; null for a call that waits} */
    Request nothing()
    {
        return isAwaited ? null : new Request(this, Request.NOTHING);
    }

    /** {@return the result of an operation that has ended; objects are put into their places} */
    Status status(final Operation operation)
    {
        if (operation == Request.NOTHING)
        {
            return result == null ? Status.ofNobody() : result;
        }
        if (operation != receive)
        {
            return operation.outcome() == Operation.Outcome.CANCELLED ? Status.of(operation, null, 0) : new Status();
        }
        final boolean hasObjects = to.isObject() && receive.outcome() == Operation.Outcome.DONE;
        return Status.of(receive, to.type, hasObjects ? objects(receive.bytes(), to.offset, to.count) : MPI.UNDEFINED);
    }
}
