// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Communicator;

/** A communicator with a Cartesian topology, of Open MPI. */
public final class CartComm extends Intracomm
{
    private final Grid grid;

    private CartComm(final Communicator communicator, final Grid grid)
    {
        super(communicator);
        this.grid = grid;
    }

    static CartComm create(
        final Intracomm parent, final int[] dims, final boolean[] periods, final boolean isReordered)
    {
        parent.open("createCart");
        final Grid grid = Topology.checked(parent, "createCart", () -> new Grid(dims, periods));
        final Communicator members = Topology.first(parent, "createCart", grid.size());
        return of(parent, members, grid);
    }

    private static CartComm of(final Comm parent, final Communicator members, final Grid grid)
    {
        final CartComm made = new CartComm(members, grid);
        made.setErrhandler(parent.getErrhandler());
        return made;
    }

    @Override
    int[] neighborSources(final String call)
    {
        return grid.neighbors(open(call).rank());
    }

    // mpiJava 1.2

    @Override
    public int Topo_test()
    {
        open("Topo_test");
        return MPI.CART;
    }

    // Open MPI

    /**
     * Returns a rank.
     *
     * @param coords coordinates; outside of a periodic dimension they are counted round.
     * @return the rank.
     */
    public int getRank(final int[] coords) throws MPIException
    {
        open("getRank");
        return Topology.checked(this, "getRank", () -> grid.rank(coords));
    }

    /**
     * Returns coordinates.
     *
     * @param rank of a process.
     * @return its coordinates.
     */
    public int[] getCoords(final int rank) throws MPIException
    {
        open("getCoords");
        return Topology.checked(this, "getCoords", () -> grid.coords(rank));
    }

    /**
     * Returns the ranks that a shift is from and to.
     *
     * @param direction    the dimension.
     * @param displacement steps.
     * @return the ranks, {@code MPI.PROC_NULL} for none.
     */
    public ShiftParms shift(final int direction, final int displacement) throws MPIException
    {
        final int rank = open("shift").rank();
        return Topology.checked(this, "shift", () -> grid.shift(rank, direction, displacement));
    }

    /**
     * Makes communicators of subgrids.
     *
     * @param remainDims which dimensions remain.
     * @return that with this process.
     */
    public CartComm sub(final boolean[] remainDims) throws MPIException
    {
        return of(this, Topology.sub(this, "sub", grid, remainDims), grid.sub(remainDims));
    }

    /**
     * Returns the rank that this process would have in a grid.
     *
     * @param dims    processes in each dimension.
     * @param periods whether each is periodic.
     * @return the rank; {@code MPI.UNDEFINED} if it would not be there.
     */
    public int map(final int[] dims, final boolean[] periods) throws MPIException
    {
        return Topology.mapped(this, "map", () -> new Grid(dims, periods).size());
    }

    /** {@return the topology and the place of this process} */
    public CartParms getTopo() throws MPIException
    {
        return grid.parms(open("getTopo").rank());
    }

    /**
     * Chooses a balanced grid.
     *
     * @param nnodes processes.
     * @param dims   in each dimension; those that are 0 are set.
     */
    public static void createDims(final int nnodes, final int[] dims) throws MPIException
    {
        Topology.createDims("createDims", nnodes, dims);
    }

    @Override
    public CartComm dup() throws MPIException
    {
        return inherit(new CartComm(duplicate("dup"), grid));
    }

    @Override
    public CartComm clone()
    {
        return dup();
    }

    @Override
    public CartComm iDup() throws MPIException
    {
        return (CartComm)super.iDup();
    }

    @Override
    public CartComm dupWithInfo(final Info newInfo) throws MPIException
    {
        return (CartComm)super.dupWithInfo(newInfo);
    }
}
