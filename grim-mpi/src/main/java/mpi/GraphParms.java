// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** A graph topology: edges of each node, one node after the other. */
public final class GraphParms
{
    // mpiJava 1.2

    /** Edges of each node and all before it. */
    public int[] index;

    /** Other node of each edge. */
    public int[] edges;

    GraphParms(final int[] index, final int[] edges)
    {
        this.index = index;
        this.edges = edges;
    }

    // Open MPI

    /** {@return number of nodes} */
    public int getIndexCount()
    {
        return index.length;
    }

    /**
     * Returns the edges of a node and all before it.
     *
     * @param i the node.
     * @return edges.
     */
    public int getIndex(final int i)
    {
        return index[i];
    }

    /** {@return number of edges} */
    public int getEdgeCount()
    {
        return edges.length;
    }

    /**
     * Returns the other node of an edge.
     *
     * @param i the edge.
     * @return the node.
     */
    public int getEdge(final int i)
    {
        return edges[i];
    }

    // The library

    /** Checks that it is a graph. */
    static GraphParms of(final int[] index, final int[] edges)
    {
        MPIException.required(edges, MPI.ERR_ARG, "the array of edges");
        int last = 0;
        for (final int end : MPIException.required(index, MPI.ERR_ARG, "the index"))
        {
            check(end >= last, index, edges);
            last = end;
        }
        check(last == edges.length, index, edges);
        for (final int node : edges)
        {
            check(node >= 0 && node < index.length, index, edges);
        }
        return new GraphParms(index.clone(), edges.clone());
    }

    private static void check(final boolean isGood, final int[] index, final int[] edges)
    {
        if (!isGood)
        {
            throw new MPIException(MPI.ERR_TOPOLOGY, "index " + Arrays.toString(index) + " and edges " +
                Arrays.toString(edges) + " are no graph");
        }
    }

    GraphParms copy()
    {
        return new GraphParms(index.clone(), edges.clone());
    }

    int[] neighbors(final int node)
    {
        if (node < 0 || node >= index.length)
        {
            throw new MPIException(MPI.ERR_RANK, "rank=" + node + " is outside 0 to " + (index.length - 1));
        }
        return Arrays.copyOfRange(edges, node == 0 ? 0 : index[node - 1], index[node]);
    }
}
