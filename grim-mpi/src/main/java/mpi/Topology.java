// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.grim.mpi.Communicator;
import org.grim.mpi.OperationException;

/** Steps that topologies of both dialects have in common. */
final class Topology
{
    private Topology()
    {
        // Static methods only.
    }

    /** Does something whose errors are those of a call. */
    static <T> T checked(final Comm comm, final String call, final Supplier<T> work)
    {
        try
        {
            return work.get();
        }
        catch (final MPIException ex)
        {
            throw comm.failure(call, ex);
        }
        catch (final OperationException ex)
        {
            throw comm.failure(call, ex);
        }
    }

    /** Makes a communicator of the first processes; null at the others. */
    static Communicator first(final Comm parent, final String call, final int count)
    {
        final Communicator all = parent.open(call);
        if (count > all.size())
        {
            throw parent.failure(call, MPI.ERR_TOPOLOGY, "a topology of processes=" + count +
                " is larger than the communicator of processes=" + all.size());
        }
        return count == 0 ? null : checked(parent, call, () -> all.create(IntStream.range(0, count).toArray()));
    }

    /** Makes the communicator of a subgrid. */
    static Communicator sub(final Comm comm, final String call, final Grid grid, final boolean[] isRemaining)
    {
        final Communicator all = comm.open(call);
        return checked(comm, call, () -> all.split(
            grid.place(all.rank(), isRemaining, false), grid.place(all.rank(), isRemaining, true)));
    }

    /** The rank in a topology without another order. */
    static int mapped(final Comm comm, final String call, final Supplier<Integer> count)
    {
        final int rank = comm.open(call).rank();
        return rank < checked(comm, call, count) ? rank : MPI.UNDEFINED;
    }

    /** Fills dimensions that are 0. */
    static void createDims(final String call, final int nodes, final int[] dims)
    {
        checked(MPI.COMM_WORLD, call, () ->
        {
            Grid.createDims(nodes, dims);
            return dims;
        });
    }
}
