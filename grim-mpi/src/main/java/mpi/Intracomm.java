// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

import org.grim.mpi.Communicator;
import org.grim.mpi.OperationException;

/** Processes of one group. */
public class Intracomm extends Comm
{
    /** Makes one of members; null for none. */
    Intracomm(final Communicator communicator)
    {
        super(communicator);
    }

    /** Makes one that begins with MPI. */
    Intracomm(final String name)
    {
        super(name);
    }

    private void requireGroup(final String call, final Group group)
    {
        if (group == null)
        {
            throw failure(call, MPI.ERR_GROUP, "the group is null");
        }
    }

    private Call call(final String call)
    {
        return Call.awaited(this, call);
    }

    private Call begun(final String call)
    {
        return Call.begun(this, call);
    }

    private Communicator part(final String call, final int color, final int key)
    {
        final Communicator open = communicating(call);
        if (color < 0 && color != MPI.UNDEFINED)
        {
            throw failure(call, MPI.ERR_ARG, "color=" + color + " is negative");
        }
        try
        {
            return open.split(color, key);
        }
        catch (final OperationException ex)
        {
            throw failure(call, ex);
        }
    }

    private Communicator part(final String call, final Group group)
    {
        final Communicator open = communicating(call);
        requireGroup(call, group);
        try
        {
            // Disjoint groups may be made by one call (MPI 3.1, section 6.4.2), as a split does.
            final int[] members = Collectives.within(open, group.ranks);
            int key = members.length - 1;
            while (key >= 0 && members[key] != open.rank())
            {
                key--;
            }
            return open.split(key < 0 ? MPI.UNDEFINED : members[0], key);
        }
        catch (final OperationException ex)
        {
            throw failure(call, ex);
        }
        catch (final MPIException ex)
        {
            throw failure(call, ex);
        }
    }

    /** {@return one of the members, with this one's attributes; a null one for null} */
    private Intracomm of(final Communicator members)
    {
        final Intracomm made = new Intracomm(members);
        made.setErrhandler(getErrhandler());
        return made;
    }

    // mpiJava 1.2

    /** Compares two communicators. */
    public static int Compare(final Comm comm1, final Comm comm2)
    {
        return Comm.Compare(comm1, comm2);
    }

    /** Makes communicators of those with equal colors, in the order of keys; returns null for {@code MPI.UNDEFINED}. */
    public Intracomm Split(final int color, final int key)
    {
        final Communicator part = part("Split", color, key);
        return part == null ? null : of(part);
    }

    /** Makes a communicator of some processes; returns null elsewhere. */
    public Intracomm Create(final Group group)
    {
        final Communicator part = part("Create", group);
        return part == null ? null : of(part);
    }

    /** Waits for all processes. */
    public void Barrier()
    {
        Collectives.barrier(call("Barrier"));
    }

    /** Sends elements of the root to all. */
    public void Bcast(final Object buf, final int offset, final int count, final Datatype type, final int root)
    {
        Collectives.broadcast(call("Bcast").to(buf, offset, count, type), root);
    }

    /** Gathers elements at the root. */
    public void Gather(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final Object recvbuf,
        final int recvoffset, final int recvcount, final Datatype recvtype, final int root)
    {
        Collectives.gather(call("Gather").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, recvtype), root, false);
    }

    /** Gathers numbers of elements at the root. */
    public void Gatherv(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final Object recvbuf,
        final int recvoffset, final int[] recvcount, final int[] displs, final Datatype recvtype, final int root)
    {
        Collectives.gather(call("Gatherv").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, displs, recvtype), root, true);
    }

    /** Sends each process its part of the elements of the root. */
    public void Scatter(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final Object recvbuf,
        final int recvoffset, final int recvcount, final Datatype recvtype, final int root)
    {
        Collectives.scatter(call("Scatter").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, recvtype), root, false);
    }

    /** Sends each process a number of elements of the root. */
    public void Scatterv(
        final Object sendbuf, final int sendoffset, final int[] sendcount, final int[] displs, final Datatype sendtype,
        final Object recvbuf, final int recvoffset, final int recvcount, final Datatype recvtype, final int root)
    {
        Collectives.scatter(call("Scatterv").from(sendbuf, sendoffset, sendcount, displs, sendtype)
            .to(recvbuf, recvoffset, recvcount, recvtype), root, true);
    }

    /** Gathers elements at all processes. */
    public void Allgather(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final Object recvbuf,
        final int recvoffset, final int recvcount, final Datatype recvtype)
    {
        Collectives.allGather(call("Allgather").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, recvtype), false);
    }

    /** Gathers numbers of elements at all processes. */
    public void Allgatherv(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final Object recvbuf,
        final int recvoffset, final int[] recvcount, final int[] displs, final Datatype recvtype)
    {
        Collectives.allGather(call("Allgatherv").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, displs, recvtype), true);
    }

    /** Sends each process its part of the elements of each. */
    public void Alltoall(
        final Object sendbuf, final int sendoffset, final int sendcount, final Datatype sendtype, final Object recvbuf,
        final int recvoffset, final int recvcount, final Datatype recvtype)
    {
        Collectives.allToAll(call("Alltoall").from(sendbuf, sendoffset, sendcount, sendtype)
            .to(recvbuf, recvoffset, recvcount, recvtype), false);
    }

    /** Sends each process a number of elements of each. */
    public void Alltoallv(
        final Object sendbuf, final int sendoffset, final int[] sendcount, final int[] sdispls, final Datatype sendtype,
        final Object recvbuf, final int recvoffset, final int[] recvcount, final int[] rdispls, final Datatype recvtype)
    {
        Collectives.allToAll(call("Alltoallv").from(sendbuf, sendoffset, sendcount, sdispls, sendtype)
            .to(recvbuf, recvoffset, recvcount, rdispls, recvtype), true);
    }

    /** Combines elements of all processes at the root. */
    public void Reduce(
        final Object sendbuf, final int sendoffset, final Object recvbuf, final int recvoffset, final int count, final
        Datatype type, final Op op, final int root)
    {
        Collectives.reduce(call("Reduce").from(sendbuf, sendoffset, count, type)
            .to(recvbuf, recvoffset, count, type), op, root);
    }

    /** Combines elements of all processes at each. */
    public void Allreduce(
        final Object sendbuf, final int sendoffset, final Object recvbuf, final int recvoffset, final int count, final
        Datatype type, final Op op)
    {
        Collectives.allReduce(call("Allreduce").from(sendbuf, sendoffset, count, type)
            .to(recvbuf, recvoffset, count, type), op);
    }

    /** Combines elements of all processes; each gets a number of them. */
    public void Reduce_scatter(
        final Object sendbuf, final int sendoffset, final Object recvbuf, final int recvoffset, final int[] recvcounts,
        final Datatype type, final Op op)
    {
        Collectives.reduceScatter(call("Reduce_scatter").from(sendbuf, sendoffset, 0, type)
            .to(recvbuf, recvoffset, 0, type), recvcounts, op);
    }

    /** Combines elements of the processes up to each. */
    public void Scan(
        final Object sendbuf, final int sendoffset, final Object recvbuf, final int recvoffset, final int count, final
        Datatype type, final Op op)
    {
        Collectives.scan(call("Scan").from(sendbuf, sendoffset, count, type)
            .to(recvbuf, recvoffset, count, type), op, true);
    }

    /** Makes a communicator of a grid. */
    public Cartcomm Create_cart(final int[] dims, final boolean[] periods, final boolean reorder)
    {
        return Cartcomm.create(this, dims, periods, reorder);
    }

    /** Makes a communicator of a graph. */
    public Graphcomm Create_graph(final int[] index, final int[] edges, final boolean reorder)
    {
        return Graphcomm.create(this, index, edges, reorder);
    }

    // Open MPI

    @Override
    public Intracomm dup() throws MPIException
    {
        return inherit(new Intracomm(duplicate("dup")));
    }

    @Override
    public Intracomm clone()
    {
        return dup();
    }

    @Override
    public Intracomm iDup() throws MPIException
    {
        return (Intracomm)super.iDup();
    }

    @Override
    public Intracomm dupWithInfo(final Info newInfo) throws MPIException
    {
        return (Intracomm)super.dupWithInfo(newInfo);
    }

    /** Makes communicators of those with equal colors, in the order of keys; a null one for {@code MPI.UNDEFINED}. */
    public final Intracomm split(final int color, final int key) throws MPIException
    {
        return of(part("split", color, key));
    }

    /** Makes communicators of processes of one host, in the order of keys; a null one for {@code MPI.UNDEFINED}. */
    public final Intracomm splitType(final int splitType, final int key, final Info info) throws MPIException
    {
        if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED)
        {
            throw failure("splitType", MPI.ERR_ARG, "type=" + splitType + " of the split is not known");
        }
        final int host = Collectives.firstOfHost(call("splitType"));
        return of(part("splitType", splitType == MPI.UNDEFINED ? splitType : host, key));
    }

    /** Makes a communicator of some processes; a null one elsewhere. */
    public final Intracomm create(final Group group) throws MPIException
    {
        return of(part("create", group));
    }

    /** Makes a communicator of some processes, which alone call. */
    public final Intracomm createGroup(final Group group, final int tag) throws MPIException
    {
        final Communicator open = communicating("createGroup");
        requireGroup("createGroup", group);
        try
        {
            return of(Collectives.unite(open, engine().self(), tag, group.ranks));
        }
        catch (final OperationException ex)
        {
            throw failure("createGroup", ex);
        }
    }

    /** Makes a communicator of a grid. */
    public final CartComm createCart(
        final int[] dims, final boolean[] periods, final boolean reorder) throws MPIException
    {
        return CartComm.create(this, dims, periods, reorder);
    }

    /** Makes a communicator of a graph. */
    public final GraphComm createGraph(final int[] index, final int[] edges, final boolean reorder) throws MPIException
    {
        return GraphComm.create(this, index, edges, reorder);
    }

    /** Makes a communicator of a graph of which each process names some edges. */
    public final GraphComm createDistGraph(
        final int[] sources, final int[] degrees, final int[] destinations, final int[] weights, final Info info, final
        boolean reorder) throws MPIException
    {
        return GraphComm.create(this, sources, degrees, destinations, weights, reorder);
    }

    /** Makes a communicator of a graph of which each process names some edges. */
    public final GraphComm createDistGraph(
        final int[] sources, final int[] degrees, final int[] destinations, final Info info, final boolean reorder)
        throws MPIException
    {
        return GraphComm.create(this, sources, degrees, destinations, null, reorder);
    }

    /** Makes a communicator of a graph of which each process names its edges. */
    public final GraphComm createDistGraphAdjacent(
        final int[] sources, final int[] sourceWeights, final int[] destinations, final int[] destWeights, final Info
        info, final boolean reorder) throws MPIException
    {
        return GraphComm.createAdjacent(this, sources, sourceWeights, destinations, destWeights, reorder);
    }

    /** Makes a communicator of a graph of which each process names its edges. */
    public final GraphComm createDistGraphAdjacent(
        final int[] sources, final int[] destinations, final Info info, final boolean reorder) throws MPIException
    {
        return GraphComm.createAdjacent(this, sources, null, destinations, null, reorder);
    }

    /** Combines elements of the processes up to each. */
    public final void scan(
        final Object sendbuf, final Object recvbuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        Collectives.scan(call("scan").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op, true);
    }

    /** Begins: combines elements of the processes up to each. */
    public final Request iScan(
        final Buffer sendbuf, final Buffer recvbuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        return Collectives.scan(begun("iScan").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op, true);
    }

    /** Combines elements of the processes up to each, in place. */
    public final void scan(final Object buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        Collectives.scan(call("scan").to(buf, 0, count, type), op, true);
    }

    /** Begins: combines elements of the processes up to each, in place. */
    public final Request iScan(final Buffer buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        return Collectives.scan(begun("iScan").to(buf, 0, count, type), op, true);
    }

    /** Combines elements of the processes before each. */
    public final void exScan(
        final Object sendbuf, final Object recvbuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        Collectives.scan(call("exScan").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op, false);
    }

    /** Begins: combines elements of the processes before each. */
    public final Request iExScan(
        final Buffer sendbuf, final Buffer recvbuf, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        return Collectives.scan(begun("iExScan").from(sendbuf, 0, count, type).to(recvbuf, 0, count, type), op, false);
    }

    /** Combines elements of the processes before each, in place. */
    public final void exScan(final Object buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        Collectives.scan(call("exScan").to(buf, 0, count, type), op, false);
    }

    /** Begins: combines elements of the processes before each, in place. */
    public final Request iExScan(
        final Buffer buf, final int count, final Datatype type, final Op op) throws MPIException
    {
        return Collectives.scan(begun("iExScan").to(buf, 0, count, type), op, false);
    }

    // The fault-tolerance proposal

    /** Makes a communicator of the processes that are there; processes may be gone. */
    public final Intracomm shrink() throws MPIException
    {
        final Communicator open = communicating("shrink");
        try
        {
            return of(open.shrink());
        }
        catch (final OperationException ex)
        {
            throw failure("shrink", ex);
        }
    }

    /** Agrees on the bits that all processes that are there have set; processes may be gone. */
    public final int agree(final int flags) throws MPIException
    {
        final Communicator open = communicating("agree");
        try
        {
            return open.agree(flags);
        }
        catch (final OperationException ex)
        {
            throw failure("agree", ex);
        }
    }
}
