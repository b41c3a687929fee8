// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Neighbours of this process in a distributed graph. */
public final class DistGraphNeighbors
{
    final int[] sources;
    final int[] destinations;
    private final int[] sourceWeights;
    private final int[] destinationWeights;
    private final boolean isWeighted;

    DistGraphNeighbors(
        final int[] sources, final int[] sourceWeights, final int[] destinations, final int[] destinationWeights,
        final boolean isWeighted)
    {
        this.sources = sources;
        this.sourceWeights = sourceWeights;
        this.destinations = destinations;
        this.destinationWeights = destinationWeights;
        this.isWeighted = isWeighted;
    }

    // Open MPI

    /** {@return number of edges to this process} */
    public int getInDegree()
    {
        return sources.length;
    }

    /** {@return number of edges from this process} */
    public int getOutDegree()
    {
        return destinations.length;
    }

    /** {@return whether edges have weights} */
    public boolean isWeighted()
    {
        return isWeighted;
    }

    /**
     * Returns a process with an edge to this one.
     *
     * @param i number of the edge.
     * @return its rank.
     */
    public int getSource(final int i)
    {
        return sources[i];
    }

    /**
     * Returns the weight of an edge to this process.
     *
     * @param i number of the edge.
     * @return the weight.
     */
    public int getSourceWeight(final int i)
    {
        return sourceWeights[i];
    }

    /**
     * Returns a process with an edge from this one.
     *
     * @param i number of the edge.
     * @return its rank.
     */
    public int getDestination(final int i)
    {
        return destinations[i];
    }

    /**
     * Returns the weight of an edge from this process.
     *
     * @param i number of the edge.
     * @return the weight.
     */
    public int getDestinationWeight(final int i)
    {
        return destinationWeights[i];
    }
}
