// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Communicator;

/** A communicator with a Cartesian topology, of mpiJava 1.2. */
public final class Cartcomm extends Intracomm
{
    private final Grid grid;

    private Cartcomm(final Communicator communicator, final Grid grid)
    {
        super(communicator);
        this.grid = grid;
    }

    static Cartcomm create(
        final Intracomm parent, final int[] dims, final boolean[] periods, final boolean isReordered)
    {
        parent.open("Create_cart");
        final Grid grid = Topology.checked(parent, "Create_cart", () -> new Grid(dims, periods));
        final Communicator members = Topology.first(parent, "Create_cart", grid.size());
        return members == null ? null : of(parent, members, grid);
    }

    private static Cartcomm of(final Comm parent, final Communicator members, final Grid grid)
    {
        final Cartcomm made = new Cartcomm(members, grid);
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

    // mpiJava 1.2

    /**
     * Returns a rank.
     *
     * @param coords coordinates; outside of a periodic dimension they are counted round.
     * @return the rank.
     */
    public int Rank(final int[] coords) throws MPIException
    {
        open("Rank");
        return Topology.checked(this, "Rank", () -> grid.rank(coords));
    }

    /**
     * Returns coordinates.
     *
     * @param rank of a process.
     * @return its coordinates.
     */
    public int[] Coords(final int rank) throws MPIException
    {
        open("Coords");
        return Topology.checked(this, "Coords", () -> grid.coords(rank));
    }

    /**
     * Returns the ranks that a shift is from and to.
     *
     * @param direction    the dimension.
     * @param disp         steps.
     * @return the ranks, {@code MPI.PROC_NULL} for none.
     */
    public ShiftParms Shift(final int direction, final int disp) throws MPIException
    {
        final int rank = open("Shift").rank();
        return Topology.checked(this, "Shift", () -> grid.shift(rank, direction, disp));
    }

    /**
     * Makes communicators of subgrids.
     *
     * @param remainDims which dimensions remain.
     * @return that with this process.
     */
    public Cartcomm Sub(final boolean[] remainDims) throws MPIException
    {
        return of(this, Topology.sub(this, "Sub", grid, remainDims), grid.sub(remainDims));
    }

    /**
     * Returns the rank that this process would have in a grid.
     *
     * @param dims    processes in each dimension.
     * @param periods whether each is periodic.
     * @return the rank; {@code MPI.UNDEFINED} if it would not be there.
     */
    public int Map(final int[] dims, final boolean[] periods) throws MPIException
    {
        return Topology.mapped(this, "Map", () -> new Grid(dims, periods).size());
    }

    /** {@return the topology and the place of this process} */
    public CartParms Get() throws MPIException
    {
        return grid.parms(open("Get").rank());
    }

    /**
     * Chooses a balanced grid.
     *
     * @param nnodes processes.
     * @param dims   in each dimension; those that are 0 are set.
     */
    public static void Dims_create(final int nnodes, final int[] dims) throws MPIException
    {
        Topology.createDims("Dims_create", nnodes, dims);
    }

    @Override
    public Cartcomm dup() throws MPIException
    {
        return inherit(new Cartcomm(duplicate("dup"), grid));
    }

    @Override
    public Cartcomm clone()
    {
        return dup();
    }

    @Override
    public Cartcomm iDup() throws MPIException
    {
        return (Cartcomm)super.iDup();
    }

    @Override
    public Cartcomm dupWithInfo(final Info newInfo) throws MPIException
    {
        return (Cartcomm)super.dupWithInfo(newInfo);
    }
}
