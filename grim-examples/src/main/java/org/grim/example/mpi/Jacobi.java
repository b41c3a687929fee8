// SPDX-License-Identifier: Apache-2.0
package org.grim.example.mpi;

import java.util.Arrays;
import java.util.Locale;

import mpi.Cartcomm;
import mpi.Datatype;
import mpi.MPI;
import mpi.ShiftParms;

/**
 * Heat in a square plate whose upper edge is hot, by Jacobi's method: a grid of processes, each with a block of the
 * plate, exchanges the edges of blocks. In the dialect of MPJ Express.
 */
public final class Jacobi
{
    private static final int SIZE = 48;                             // points along an edge; grids up to 4 x 4 divide it
    private static final double CHANGE_MIN = 1e-5;

    private final Cartcomm grid;
    private final int rows;
    private final int columns;
    private final int width;                                        // of a row in memory, with an edge on each side
    private final Datatype column;
    private double[] now;
    private double[] next;

    private Jacobi(final Cartcomm grid, final int[] counts, final int[] coordinates)
    {
        this.grid = grid;
        rows = SIZE / counts[0];
        columns = SIZE / counts[1];
        width = columns + 2;
        now = new double[(rows + 2) * width];
        if (coordinates[0] == 0)
        {
            Arrays.fill(now, 0, width, 1);
        }
        next = now.clone();
        column = Datatype.Vector(rows, 1, width, MPI.DOUBLE);
        column.Commit();
    }

    /** Computes until no point changes any more. */
    public static void main(final String[] args)
    {
        MPI.Init(args);
        final int[] counts = {0, 0};
        Cartcomm.Dims_create(MPI.COMM_WORLD.Size(), counts);
        if (SIZE % counts[0] != 0 || SIZE % counts[1] != 0)
        {
            throw new IllegalArgumentException("processes: " + Arrays.toString(counts) + " do not divide " + SIZE);
        }
        final Cartcomm grid = MPI.COMM_WORLD.Create_cart(counts, new boolean[2], false);
        final Jacobi plate = new Jacobi(grid, counts, grid.Coords(grid.Rank()));
        final double[] change = {1};
        final double[] own = new double[1];
        int steps = 0;
        while (change[0] > CHANGE_MIN)
        {
            plate.exchange();
            own[0] = plate.step();
            grid.Allreduce(own, 0, change, 0, 1, MPI.DOUBLE, MPI.MAX);
            steps++;
        }
        final double[] sum = new double[1];
        own[0] = plate.sum();
        grid.Allreduce(own, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
        if (grid.Rank() == 0)
        {
            System.out.printf(Locale.ROOT, "steps: %d, mean: %.4f%n", steps, sum[0] / SIZE / SIZE);
        }
        MPI.Finalize();
    }

    /** Gets the edges of the four neighbours, and gives them its own. */
    private void exchange()
    {
        final ShiftParms vertical = grid.Shift(0, 1);
        final ShiftParms horizontal = grid.Shift(1, 1);
        final int up = vertical.rank_source;
        final int down = vertical.rank_dest;
        final int left = horizontal.rank_source;
        final int right = horizontal.rank_dest;
        send(rows, 1, down, columns, MPI.DOUBLE, 0, 1, up);
        send(1, 1, up, columns, MPI.DOUBLE, rows + 1, 1, down);
        send(1, columns, right, 1, column, 1, 0, left);
        send(1, 1, left, 1, column, 1, columns + 1, right);
    }

    /** Sends from a place of the block to one neighbour, and receives from the other one. */
    private void send(
        final int row, final int x, final int target, final int count, final Datatype type, final int toRow,
        final int toX, final int source)
    {
        grid.Sendrecv(now, row * width + x, count, type, target, 0, now, toRow * width + toX, count, type, source, 0);
    }

    private double step()
    {
        double change = 0;
        for (int row = 1; row <= rows; row++)
        {
            for (int i = row * width + 1; i <= row * width + columns; i++)
            {
                next[i] = (now[i - 1] + now[i + 1] + now[i - width] + now[i + width]) / 4;
                change = Math.max(change, Math.abs(next[i] - now[i]));
            }
        }
        final double[] old = now;
        now = next;
        next = old;
        return change;
    }

    private double sum()
    {
        double sum = 0;
        for (int row = 1; row <= rows; row++)
        {
            sum += Arrays.stream(now, row * width + 1, row * width + columns + 1).sum();
        }
        return sum;
    }
}
