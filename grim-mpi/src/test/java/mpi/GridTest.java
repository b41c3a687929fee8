// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class GridTest
{
    private static int[] created(final int nodes, final int... dims)
    {
        Grid.createDims(nodes, dims);
        return dims;
    }

    @Test
    void shouldCreateDimensionsOfTheStandardsTable()
    {
        assertArrayEquals(new int[] {3, 2}, created(6, 0, 0));
        assertArrayEquals(new int[] {7, 1}, created(7, 0, 0));
        assertArrayEquals(new int[] {2, 3, 1}, created(6, 0, 3, 0));
        assertArrayEquals(new int[] {2, 3}, created(6, 2, 0));
        assertArrayEquals(new int[] {3, 2, 1}, created(6, 0, 0, 0));
        assertArrayEquals(new int[] {6}, created(6, 6));
        assertArrayEquals(new int[] {4, 3, 3}, created(36, 0, 0, 0));
        for (final int[] dims : new int[][] {{0, 5}, {0, 4, 0}, {-1, 0}, {2, 2}})
        {
            assertEquals(MPI.ERR_DIMS, assertThrows(MPIException.class, () -> created(6, dims)).getErrorClass());
        }
    }

    @Test
    void shouldCreateTheMostBalancedOfAllDimensions()
    {
        for (int nodes = 1; nodes <= 400; nodes++)
        {
            int[] best = null;
            for (int x = 1; x <= nodes; x++)
            {
                for (int y = 1; y <= x && nodes % x == 0; y++)
                {
                    final int z = nodes / x % y == 0 ? nodes / x / y : 0;
                    final int[] dims = {x, y, z};
                    best = z > 0 && z <= y && (best == null || Arrays.compare(dims, best) < 0) ? dims : best;
                }
            }
            assertArrayEquals(best, created(nodes, 0, 0, 0));
        }
    }

    @Test
    void shouldTranslateRanksAndCoordinates()
    {
        final Grid grid = new Grid(new int[] {3, 2, 4}, new boolean[] {false, true, false});
        int rank = 0;
        for (int x = 0; x < 3; x++)
        {
            for (int y = 0; y < 2; y++)
            {
                for (int z = 0; z < 4; z++)
                {
                    assertArrayEquals(new int[] {x, y, z}, grid.coords(rank));
                    assertEquals(rank, grid.rank(new int[] {x, y - 4, z}));
                    rank++;
                }
            }
        }
        assertEquals(24, grid.size());
        assertEquals(MPI.ERR_ARG, assertThrows(
            MPIException.class, () -> grid.rank(new int[] {3, 0, 0})).getErrorClass());
        assertEquals(MPI.ERR_RANK, assertThrows(MPIException.class, () -> grid.coords(24)).getErrorClass());
        assertThrows(MPIException.class, () -> new Grid(new int[] {3, 0}, new boolean[2]));
    }

    @Test
    void shouldShift()
    {
        final Grid flat = new Grid(new int[] {3, 2}, new boolean[2]);
        final Grid torus = new Grid(new int[] {2, 3}, new boolean[] {true, true});

        assertShift(MPI.PROC_NULL, MPI.PROC_NULL, flat.shift(2, 0, 5));
        assertShift(0, 4, flat.shift(2, 0, 1));
        assertShift(3, MPI.PROC_NULL, flat.shift(2, 1, -1));
        for (int rank = 0; rank < 6; rank++)
        {
            assertShift((rank + 3) % 6, (rank + 3) % 6, torus.shift(rank, 0, 5));
        }
        assertArrayEquals(new int[] {0, 4, MPI.PROC_NULL, 3}, flat.neighbors(2));
        assertArrayEquals(new int[] {3, 3, 2, 1}, torus.neighbors(0));
        assertEquals(MPI.ERR_ARG, assertThrows(MPIException.class, () -> flat.shift(0, 2, 1)).getErrorClass());
    }

    private static void assertShift(final int source, final int destination, final ShiftParms shift)
    {
        assertEquals(List.of(source, destination), List.of(shift.getRankSource(), shift.getRankDest()));
    }

    @Test
    void shouldPlaceEachRankOnceInSubgrids()
    {
        final Grid grid = new Grid(new int[] {3, 2, 4}, new boolean[] {false, true, false});
        for (int mask = 0; mask < 8; mask++)
        {
            final boolean[] isRemaining = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
            final Grid sub = grid.sub(isRemaining);
            final int[] places = IntStream.range(0, 24).map(rank ->
                grid.place(rank, isRemaining, false) * sub.size() + grid.place(rank, isRemaining, true)).toArray();

            assertArrayEquals(IntStream.range(0, 24).toArray(), IntStream.of(places).sorted().toArray());
            for (int rank = 0; rank < 24; rank++)
            {
                final int[] coords = grid.coords(rank);
                assertArrayEquals(IntStream.range(0, 3).filter(i -> isRemaining[i]).map(i -> coords[i]).toArray(),
                    sub.coords(grid.place(rank, isRemaining, true)));
            }
        }
    }

    @Test
    void shouldKnowNeighborsOfGraphs()
    {
        final GraphParms graph = GraphParms.of(new int[] {2, 3, 4, 6}, new int[] {1, 3, 0, 3, 0, 2});

        assertArrayEquals(new int[] {1, 3}, graph.neighbors(0));
        assertArrayEquals(new int[] {0}, graph.neighbors(1));
        assertArrayEquals(new int[] {0, 2}, graph.neighbors(3));
        assertEquals(List.of(4, 3, 6, 2), List.of(
            graph.getIndexCount(), graph.getIndex(1), graph.getEdgeCount(), graph.getEdge(5)));
        for (final int[] index : new int[][] {{2, 1}, {2, 5}, {2, 3}})
        {
            assertEquals(MPI.ERR_TOPOLOGY, assertThrows(
                MPIException.class, () -> GraphParms.of(index, new int[] {0, 1, 2})).getErrorClass());
        }
        assertThrows(MPIException.class, () -> graph.neighbors(4));
    }
}
