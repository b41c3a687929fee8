// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.ArrayList;
import java.util.List;

import org.grim.ni.guard.Guards;

import static org.grim.ni.firmware.MulticastBench.TREE;

/** Runs that need one guard of multicasts each. Null is success, else what went wrong. */
final class MulticastScenarios
{
    private static final int DATA_LENGTH = 200;

    private MulticastScenarios()
    {
    }

    /** More messages than tickets between two errors. */
    static String ticketOrder(final Guards guards)
    {
        final MulticastBench bench = new MulticastBench(3, guards);
        bench.open(0, 0, TREE, 1, 0, 10, 20);
        bench.settle();
        return problem(bench, send(bench, 0, 1, 20), 0, 1, 2);
    }

    /** A tree that is deep enough for a second step. */
    static String treeDirection(final Guards guards)
    {
        final MulticastBench bench = new MulticastBench(4, guards);
        bench.open(0, 0, TREE, 1, 0, 10, 20, 30);
        bench.settle();
        final String problem = problem(bench, send(bench, 0, 1, 3), 0, 1, 2, 3);
        return problem == null && !bench.upwards.isEmpty() ? bench.upwards.get(0) : problem;
    }

    /** One child takes everything while the other has no room, and more comes than the queue holds. */
    static String recycledKept(final Guards guards)
    {
        final MulticastBench bench = new MulticastBench(3, guards);
        bench.open(0, 0, TREE, 1, 0, 10, 20);
        bench.settle();
        bench.isReceiving[2] = false;
        final List<String> expected = send(bench, 0, 1, 40);
        bench.isReceiving[2] = true;
        bench.settle();
        return problem(bench, expected, 0, 1, 2);
    }

    /** A child moves to another place in the tree. */
    static String treeForwarding(final Guards guards)
    {
        final MulticastBench bench = new MulticastBench(4, guards);
        bench.open(0, 0, TREE, 1, 0, 20);
        bench.settle();
        bench.close(0, 0, TREE, 1);
        bench.settle();
        bench.open(0, 0, TREE, 2, 0, 10, 20, 30);
        bench.settle();
        return problem(bench, send(bench, 0, 2, 3), 1, 3);
    }

    /** Sends so many at most, and lets some time pass after each. Returns what subscribers must have received. */
    private static List<String> send(final MulticastBench bench, final int rootNi, final int epoch, final int count)
    {
        final List<String> expected = new ArrayList<>(List.of(epoch + ".0 open"));
        for (int i = 0; i < count; i++)
        {
            if (bench.send(0, rootNi, TREE, epoch, i, DATA_LENGTH))
            {
                expected.add(epoch + "." + expected.size() + "=" + i);
            }
            for (int step = 0; step < 100; step++)
            {
                bench.step();
            }
        }
        return expected;
    }

    private static String problem(final MulticastBench bench, final List<String> expected, final int... nis)
    {
        for (final int ni : nis)
        {
            if (!expected.equals(bench.received(ni, 0)))
            {
                return "NI " + ni + " received " + bench.received(ni, 0) + " instead of " + expected;
            }
        }
        return null;
    }
}
