// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.grim.mpi.Collective;
import org.grim.mpi.Communicator;
import org.grim.mpi.Elements;
import org.grim.mpi.Layout;

/** A communicator with a graph topology, or a distributed one, of Open MPI. */
public final class GraphComm extends Intracomm
{
    private static final int EDGE_LENGTH = 3;

    private final GraphParms graph;             // Null if it is distributed.
    private final DistGraphNeighbors neighbors; // Null if it is not.

    private GraphComm(final Communicator communicator, final GraphParms graph, final DistGraphNeighbors neighbors)
    {
        super(communicator);
        this.graph = graph;
        this.neighbors = neighbors;
    }

    private GraphComm handledAs(final Comm parent)
    {
        setErrhandler(parent.getErrhandler());
        return this;
    }

    static GraphComm create(
        final Intracomm parent, final int[] index, final int[] edges, final boolean isReordered)
    {
        parent.open("createGraph");
        final GraphParms graph = Topology.checked(parent, "createGraph", () -> GraphParms.of(index, edges));
        return new GraphComm(Topology.first(parent, "createGraph", index.length), graph, null).handledAs(parent);
    }

    /** Makes a distributed graph of which each process knows its neighbours. */
    static GraphComm createAdjacent(
        final Intracomm parent, final int[] sources, final int[] sourceWeights, final int[] destinations,
        final int[] destinationWeights, final boolean isReordered)
    {
        final Communicator all = parent.open("createDistGraphAdjacent");
        require(parent, "createDistGraphAdjacent", sources, "the array of sources");
        require(parent, "createDistGraphAdjacent", destinations, "the array of destinations");
        checkRanks(parent, "createDistGraphAdjacent", all.size(), IntStream.concat(
            IntStream.of(sources), IntStream.of(destinations)).toArray());
        final DistGraphNeighbors neighbors = new DistGraphNeighbors(
            sources.clone(), weights(sourceWeights, sources.length), destinations.clone(),
            weights(destinationWeights, destinations.length), sourceWeights != null && destinationWeights != null);
        return new GraphComm(parent.duplicate("createDistGraphAdjacent"), null, neighbors).handledAs(parent);
    }

    /** Makes a distributed graph of which each process knows some edges. */
    static GraphComm create(
        final Intracomm parent, final int[] sources, final int[] degrees, final int[] destinations,
        final int[] weights, final boolean isReordered)
    {
        final Communicator all = parent.open("createDistGraph");
        require(parent, "createDistGraph", sources, "the array of sources");
        require(parent, "createDistGraph", degrees, "the array of degrees");
        require(parent, "createDistGraph", destinations, "the array of destinations");
        final int count = Arrays.stream(degrees, 0, sources.length).sum();
        final int[] ownEdges = new int[EDGE_LENGTH * count];
        int edge = 0;
        for (int i = 0; i < sources.length; i++)
        {
            for (int j = 0; j < degrees[i]; j++)
            {
                ownEdges[EDGE_LENGTH * edge] = sources[i];
                ownEdges[EDGE_LENGTH * edge + 1] = destinations[edge];
                ownEdges[EDGE_LENGTH * edge + 2] = weights == null ? 1 : weights[edge];
                edge++;
            }
        }
        checkRanks(parent, "createDistGraph", all.size(), IntStream.concat(
            IntStream.of(sources), Arrays.stream(destinations, 0, count)).toArray());
        final DistGraphNeighbors neighbors = neighbors(allEdges(parent, all, ownEdges), all.rank(), weights != null);
        return new GraphComm(parent.duplicate("createDistGraph"), null, neighbors).handledAs(parent);
    }

    /** Exchanges edges of all processes. */
    private static int[] allEdges(final Comm parent, final Communicator all, final int... ownEdges)
    {
        final Collective collective = new Collective();
        final int[] counts = new int[all.size()];
        all.allGather(collective, new Elements().set(new int[] {ownEdges.length}, 0, 1, Layout.INTS),
            new Elements().set(counts, 0, 1, Layout.INTS));
        all.engine().await(collective);
        parent.fail("createDistGraph", collective);
        final int[] displacements = counts.clone();
        Arrays.parallelPrefix(displacements, Integer::sum);
        final int[] edges = new int[displacements[counts.length - 1]];
        Arrays.setAll(displacements, i -> displacements[i] - counts[i]);
        all.allGatherV(collective, new Elements().set(ownEdges, 0, ownEdges.length, Layout.INTS),
            new Elements().set(edges, 0, 0, Layout.INTS), counts, displacements);
        all.engine().await(collective);
        parent.fail("createDistGraph", collective);
        return edges;
    }

    private static DistGraphNeighbors neighbors(final int[] edges, final int rank, final boolean isWeighted)
    {
        final int[][] found = new int[4][];     // Sources, their weights, destinations, their weights.
        for (int side = 0; side < 2; side++)
        {
            final int own = 1 - side;
            final int other = side;
            final int[] starts = IntStream.range(0, edges.length / EDGE_LENGTH).map(i -> i * EDGE_LENGTH)
                .filter(i -> edges[i + own] == rank).toArray();
            found[2 * side] = IntStream.of(starts).map(i -> edges[i + other]).toArray();
            found[2 * side + 1] = IntStream.of(starts).map(i -> edges[i + 2]).toArray();
        }
        return new DistGraphNeighbors(found[0], found[1], found[2], found[3], isWeighted);
    }

    private static int[] weights(final int[] weights, final int count)
    {
        if (weights != null)
        {
            return Arrays.copyOf(weights, count);
        }
        final int[] ones = new int[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static void require(final Comm parent, final String call, final int[] argument, final String name)
    {
        Topology.checked(parent, call, () -> MPIException.required(argument, MPI.ERR_ARG, name));
    }

    private static void checkRanks(final Comm parent, final String call, final int size, final int... ranks)
    {
        for (final int rank : ranks)
        {
            if (rank < 0 || rank >= size)
            {
                throw parent.failure(call, MPI.ERR_RANK, "rank=" + rank + " is outside 0 to " + (size - 1));
            }
        }
    }

    @Override
    int[] neighborSources(final String call)
    {
        final int rank = open(call).rank();
        return graph == null ? neighbors.sources : graph.neighbors(rank);
    }

    @Override
    int[] neighborDestinations(final String call)
    {
        final int rank = open(call).rank();
        return graph == null ? neighbors.destinations : graph.neighbors(rank);
    }

    /** Returns the graph, unless it is a distributed one. */
    private GraphParms graph(final String call)
    {
        open(call);
        if (graph == null)
        {
            throw failure(call, MPI.ERR_TOPOLOGY, "the graph is a distributed one");
        }
        return graph;
    }

    // mpiJava 1.2

    @Override
    public int Topo_test()
    {
        open("Topo_test");
        return graph == null ? MPI.DIST_GRAPH : MPI.GRAPH;
    }

    // Open MPI

    /** {@return the graph} */
    public GraphParms getDims() throws MPIException
    {
        return graph("getDims").copy();
    }

    /**
     * Returns the neighbours of a process.
     *
     * @param rank of the process.
     * @return their ranks.
     */
    public int[] getNeighbors(final int rank) throws MPIException
    {
        return Topology.checked(this, "getNeighbors", () -> graph("getNeighbors").neighbors(rank));
    }

    /** {@return neighbours of this process in a distributed graph} */
    public DistGraphNeighbors getDistGraphNeighbors() throws MPIException
    {
        open("getDistGraphNeighbors");
        if (neighbors == null)
        {
            throw failure("getDistGraphNeighbors", MPI.ERR_TOPOLOGY, "the graph is not a distributed one");
        }
        return neighbors;
    }

    /**
     * Returns the rank that this process would have in a graph.
     *
     * @param index edges of each node and all before it.
     * @param edges other node of each edge.
     * @return the rank; {@code MPI.UNDEFINED} if it would not be there.
     */
    public int map(final int[] index, final int[] edges) throws MPIException
    {
        return Topology.mapped(this, "map", () -> GraphParms.of(index, edges).getIndexCount());
    }

    @Override
    public GraphComm dup() throws MPIException
    {
        return inherit(new GraphComm(duplicate("dup"), graph, neighbors));
    }

    @Override
    public GraphComm clone()
    {
        return dup();
    }

    @Override
    public GraphComm iDup() throws MPIException
    {
        return (GraphComm)super.iDup();
    }

    @Override
    public GraphComm dupWithInfo(final Info newInfo) throws MPIException
    {
        return (GraphComm)super.dupWithInfo(newInfo);
    }
}
