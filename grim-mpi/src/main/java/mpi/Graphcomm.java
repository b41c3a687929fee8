// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Communicator;

/** A communicator with a graph topology, of mpiJava 1.2. */
public final class Graphcomm extends Intracomm
{
    private final GraphParms graph;

    private Graphcomm(final Communicator communicator, final GraphParms graph)
    {
        super(communicator);
        this.graph = graph;
    }

    static Graphcomm create(
        final Intracomm parent, final int[] index, final int[] edges, final boolean isReordered)
    {
        parent.open("Create_graph");
        final GraphParms graph = Topology.checked(parent, "Create_graph", () -> GraphParms.of(index, edges));
        final Communicator members = Topology.first(parent, "Create_graph", index.length);
        if (members == null)
        {
            return null;
        }
        final Graphcomm made = new Graphcomm(members, graph);
        made.setErrhandler(parent.getErrhandler());
        return made;
    }

    @Override
    int[] neighborSources(final String call)
    {
        return graph.neighbors(open(call).rank());
    }

    // mpiJava 1.2

    @Override
    public int Topo_test()
    {
        open("Topo_test");
        return MPI.GRAPH;
    }

    /** {@return the graph} */
    public GraphParms Get() throws MPIException
    {
        open("Get");
        return graph.copy();
    }

    /**
     * Returns the neighbours of a process.
     *
     * @param rank of the process.
     * @return their ranks.
     */
    public int[] Neighbours(final int rank) throws MPIException
    {
        open("Neighbours");
        return Topology.checked(this, "Neighbours", () -> graph.neighbors(rank));
    }

    /**
     * Returns the rank that this process would have in a graph.
     *
     * @param index edges of each node and all before it.
     * @param edges other node of each edge.
     * @return the rank; {@code MPI.UNDEFINED} if it would not be there.
     */
    public int Map(final int[] index, final int[] edges) throws MPIException
    {
        return Topology.mapped(this, "Map", () -> GraphParms.of(index, edges).getIndexCount());
    }

    @Override
    public Graphcomm dup() throws MPIException
    {
        return inherit(new Graphcomm(duplicate("dup"), graph));
    }

    @Override
    public Graphcomm clone()
    {
        return dup();
    }

    @Override
    public Graphcomm iDup() throws MPIException
    {
        return (Graphcomm)super.iDup();
    }

    @Override
    public Graphcomm dupWithInfo(final Info newInfo) throws MPIException
    {
        return (Graphcomm)super.dupWithInfo(newInfo);
    }
}
