// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A Cartesian topology: ranks in row-major order (MPI 3.1, section 7.5).
 * <p>Thread: any; does not change.
 */
final class Grid
{
    private final int[] dims;
    private final boolean[] periods;

    Grid(final int[] dims, final boolean[] periods)
    {
        MPIException.required(dims, MPI.ERR_DIMS, "the array of dimensions");
        MPIException.required(periods, MPI.ERR_ARG, "the array of periods");
        if (dims.length != periods.length)
        {
            throw new MPIException(MPI.ERR_ARG, "dimensions=" + dims.length + " and periods=" + periods.length +
                " differ");
        }
        long size = 1;
        for (final int dim : dims)
        {
            size *= dim;
            if (dim < 1 || size > Integer.MAX_VALUE)
            {
                throw new MPIException(MPI.ERR_DIMS, "dimensions " + Arrays.toString(dims) + " are no grid");
            }
        }
        this.dims = dims.clone();
        this.periods = periods.clone();
    }

    /** Fills the dimensions that are 0: as close to each other as possible, in decreasing order. */
    static void createDims(final int nodes, final int[] dims)
    {
        int rest = nodes;
        int freeCount = 0;
        for (final int dim : MPIException.required(dims, MPI.ERR_DIMS, "the array of dimensions"))
        {
            if (dim < 0 || nodes < 1 || (dim > 0 && rest % dim != 0))
            {
                throw new MPIException(MPI.ERR_DIMS, "nodes=" + nodes + " are no grid of " + Arrays.toString(dims));
            }
            rest /= dim > 0 ? dim : 1;
            freeCount += dim == 0 ? 1 : 0;
        }
        final int[] factors = factors(rest, freeCount, rest, divisors(rest));
        if (factors == null)
        {
            throw new MPIException(MPI.ERR_DIMS, "nodes=" + nodes + " are no grid of " + Arrays.toString(dims));
        }
        int next = 0;
        for (int i = 0; i < dims.length; i++)
        {
            dims[i] = dims[i] == 0 ? factors[next++] : dims[i];
        }
    }

    /** The factors of which the largest is the smallest possible, and so on with the others; null if there are none. */
    private static int[] factors(final int product, final int count, final int limit, final int[] divisors)
    {
        if (count == 0)
        {
            return product == 1 ? new int[0] : null;
        }
        for (final int divisor : divisors)
        {
            if (divisor <= limit && product % divisor == 0 && Math.pow(divisor, count) > product - 0.5)
            {
                final int[] others = factors(product / divisor, count - 1, divisor, divisors);
                if (others != null)
                {
                    return IntStream.concat(IntStream.of(divisor), IntStream.of(others)).toArray();
                }
            }
        }
        return null;
    }

    private static int[] divisors(final int number)
    {
        return IntStream.rangeClosed(1, (int)Math.sqrt(number)).filter(i -> number % i == 0)
            .flatMap(i -> IntStream.of(i, number / i)).distinct().sorted().toArray();
    }

    int size()
    {
        return Arrays.stream(dims).reduce(1, (one, other) -> one * other);
    }

    int rank(final int[] coords)
    {
        if (MPIException.required(coords, MPI.ERR_ARG, "the array of coordinates").length < dims.length)
        {
            throw new MPIException(MPI.ERR_ARG, "coordinates=" + coords.length + " of dimensions=" + dims.length);
        }
        int rank = 0;
        for (int i = 0; i < dims.length; i++)
        {
            if (!periods[i] && (coords[i] < 0 || coords[i] >= dims[i]))
            {
                throw new MPIException(MPI.ERR_ARG, "coordinate=" + coords[i] + " of dimension " + i +
                    " is outside 0 to " + (dims[i] - 1));
            }
            rank = rank * dims[i] + Math.floorMod(coords[i], dims[i]);
        }
        return rank;
    }

    int[] coords(final int rank)
    {
        if (rank < 0 || rank >= size())
        {
            throw new MPIException(MPI.ERR_RANK, "rank=" + rank + " is outside 0 to " + (size() - 1));
        }
        final int[] coords = new int[dims.length];
        int rest = rank;
        for (int i = dims.length - 1; i >= 0; i--)
        {
            coords[i] = rest % dims[i];
            rest /= dims[i];
        }
        return coords;
    }

    /** The rank at a distance in one dimension; {@code MPI.PROC_NULL} if there is none. */
    int shifted(final int rank, final int direction, final int displacement)
    {
        if (direction < 0 || direction >= dims.length)
        {
            throw new MPIException(MPI.ERR_ARG, "direction=" + direction + " is outside 0 to " + (dims.length - 1));
        }
        final int[] coords = coords(rank);
        coords[direction] += displacement;
        return !periods[direction] && (coords[direction] < 0 || coords[direction] >= dims[direction]) ?
            MPI.PROC_NULL : rank(coords);
    }

    /** Source and destination of a shift. */
    ShiftParms shift(final int rank, final int direction, final int displacement)
    {
        return new ShiftParms(shifted(rank, direction, -displacement), shifted(rank, direction, displacement));
    }

    /** Ranks one step below and above in each dimension, in this order. */
    int[] neighbors(final int rank)
    {
        return IntStream.range(0, 2 * dims.length)
            .map(i -> shifted(rank, i / 2, i % 2 == 0 ? -1 : 1)).toArray();
    }

    /** The grid of the dimensions that remain. */
    Grid sub(final boolean[] isRemaining)
    {
        checkRemaining(isRemaining);
        final int[] kept = IntStream.range(0, dims.length).filter(i -> isRemaining[i]).toArray();
        final boolean[] keptPeriods = new boolean[kept.length];
        for (int i = 0; i < kept.length; i++)
        {
            keptPeriods[i] = periods[kept[i]];
        }
        return new Grid(IntStream.of(kept).map(i -> dims[i]).toArray(), keptPeriods);
    }

    /** Number of a rank's subgrid, or its place there: its number in the dimensions that do not remain, or do. */
    int place(final int rank, final boolean[] isRemaining, final boolean isInSub)
    {
        checkRemaining(isRemaining);
        final int[] coords = coords(rank);
        int place = 0;
        for (int i = 0; i < dims.length; i++)
        {
            place = isRemaining[i] == isInSub ? place * dims[i] + coords[i] : place;
        }
        return place;
    }

    CartParms parms(final int rank)
    {
        return new CartParms(dims.clone(), periods.clone(), coords(rank));
    }

    private void checkRemaining(final boolean[] isRemaining)
    {
        if (MPIException.required(isRemaining, MPI.ERR_ARG, "the array of choices").length < dims.length)
        {
            throw new MPIException(MPI.ERR_ARG, "choices=" + isRemaining.length + " of dimensions=" + dims.length);
        }
    }
}
