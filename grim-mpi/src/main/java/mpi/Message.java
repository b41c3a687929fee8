// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

import org.grim.mpi.Arrival;
import org.grim.mpi.Engine;
import org.grim.mpi.Receive;

/** A message that a probe has taken out: only this object receives it. */
public final class Message
{
    private Comm comm;
    private Arrival arrival;
    private boolean isOfNobody;

    /** Makes one of no message. */
    public Message()
    {
        // Idle.
    }

    // Open MPI

    /** Tests whether there is no message. */
    public boolean isNull()
    {
        return arrival == null && !isOfNobody;
    }

    /** Tests whether the message is one of {@code MPI.PROC_NULL}. */
    public boolean isNoProc()
    {
        return isOfNobody;
    }

    /** Waits for a message and takes it out. */
    public Status mProbe(final int source, final int tag, final Comm ofComm) throws MPIException
    {
        Status status = take("mProbe", source, tag, Comm.required("mProbe", ofComm));
        while (status == null)
        {
            ofComm.probe("mProbe", source, tag);
            status = take("mProbe", source, tag, ofComm);   // Another thread may have received it.
        }
        return status;
    }

    /** Takes a message out if there is one; returns null if there is none. */
    public Status imProbe(final int source, final int tag, final Comm ofComm) throws MPIException
    {
        return Comm.required("imProbe", ofComm).probeNow("imProbe", source, tag) == null ? null :
            take("imProbe", source, tag, ofComm);
    }

    private Status take(final String name, final int source, final int tag, final Comm ofComm)
    {
        comm = ofComm;
        arrival = null;
        isOfNobody = ofComm.isNobody(name, source, tag, true);
        if (isOfNobody)
        {
            return Status.ofNobody();
        }
        final Engine engine = ofComm.communicator.engine();
        arrival = engine.take(ofComm.communicator.targets(), source, tag);
        return arrival == null ? null : Status.of(arrival);
    }

    /** Receives the message. */
    public Status mRecv(final Object buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = Call.awaited(owner("mRecv"), "mRecv").to(buf, 0, count, type);
        final Receive receive = begin(call);
        if (receive == null)
        {
            return Status.ofNobody();
        }
        call.await(receive);
        return call.status(receive);
    }

    /** Begins to receive the message. */
    public Request imRecv(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = Call.begun(owner("imRecv"), "imRecv").to(buf, 0, count, type);
        final Receive receive = begin(call);
        return receive == null ? call.nothing() : call.end(receive);
    }

    private Comm owner(final String name)
    {
        if (isNull())
        {
            throw MPI.COMM_WORLD.failure(name, MPI.ERR_REQUEST, "there is no message");
        }
        return comm;
    }

    private Receive begin(final Call call)
    {
        if (isOfNobody)
        {
            isOfNobody = false;
            return null;
        }
        final Engine engine = comm.communicating(call.name).engine();
        final Receive receive = call.toReceive();
        engine.begin(receive, arrival);
        arrival = null;
        return receive;
    }
}
