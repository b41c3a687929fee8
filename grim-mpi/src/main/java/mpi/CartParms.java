// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A Cartesian topology and the place of this process in it. */
public final class CartParms
{
    // mpiJava 1.2

    /** Processes in each dimension. */
    public int[] dims;

    /** Whether each dimension is periodic. */
    public boolean[] periods;

    /** Coordinates of this process. */
    public int[] coords;

    CartParms(final int[] dims, final boolean[] periods, final int[] coords)
    {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    // Open MPI

    /** {@return number of dimensions} */
    public int getDimCount()
    {
        return dims.length;
    }

    /**
     * Returns the processes in a dimension.
     *
     * @param i the dimension.
     * @return processes.
     */
    public int getDim(final int i)
    {
        return dims[i];
    }

    /**
     * Returns whether a dimension is periodic.
     *
     * @param i the dimension.
     * @return true if it is.
     */
    public boolean getPeriod(final int i)
    {
        return periods[i];
    }

    /**
     * Returns a coordinate of this process.
     *
     * @param i the dimension.
     * @return the coordinate.
     */
    public int getCoord(final int i)
    {
        return coords[i];
    }
}
