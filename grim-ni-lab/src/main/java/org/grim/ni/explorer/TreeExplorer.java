// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.agrona.collections.IntArrayList;
import org.grim.ni.multicast.TreeRule;

/**
 * Visits every state of two trees on three NIs, each of which changes once while messages are under way: an NI's queue
 * holds few messages, and one is taken only if there is room. Every action brings a message on, so nothing stands still
 * for ever if each state but the last has an action.
 * <p>A state is a {@code long}: for each tree, what its old and its new root have taken (2 x 2 bits), and what each NI
 * expects next (3 x 3 bits); then the two queues of NIs that can have children, 2 messages of 6 bits each: there (1),
 * tree (1), number (2), children that do not have it (2).
 * <p>Thread: one. Allocates as it goes: a tool of tests.
 */
public final class TreeExplorer
{
    /** Most messages in the queue of an NI. */
    public static final int CAPACITY_MAX = 2;

    private static final int TREE_COUNT = 2;
    private static final int NI_COUNT = 3;
    private static final int CLOSE = 1;             // Numbers of a tree's messages: data and end of the old epoch,
    private static final int OPEN = 2;              // beginning and data of the new one.
    private static final int MESSAGE_COUNT = 4;
    private static final int ROOT_BITS = 2;
    private static final int EXPECTED_BITS = 3;
    private static final int TREE_BITS = 2 * ROOT_BITS + NI_COUNT * EXPECTED_BITS;
    private static final int QUEUES_SHIFT = TREE_COUNT * TREE_BITS;
    private static final int ENTRY_BITS = 6;
    private static final int ENTRY_MASK = (1 << ENTRY_BITS) - 1;
    private static final int QUEUE_BITS = CAPACITY_MAX * ENTRY_BITS;
    private static final long QUEUE_MASK = (1L << QUEUE_BITS) - 1;
    private static final int THERE = 1;
    private static final int TREE_SHIFT = 1;
    private static final int NUMBER_SHIFT = 2;
    private static final int CHILDREN_SHIFT = 4;
    private static final int LOW_MASK = 3;
    private static final int EXPECTED_MASK = 7;

    private final int[][][] members = new int[TREE_COUNT][2][];
    private final int capacity;
    private final boolean isConfirmed;
    private final TreeRule rule = new TreeRule();
    private final LongNumbers states = new LongNumbers();
    private final IntArrayList parents = new IntArrayList();
    private final List<String> stuck = new ArrayList<>();
    private int current;

    /**
     * Result of a search.
     *
     * @param stateCount states that were reached.
     * @param stuck      states in which nothing goes on although messages are missing, with the actions that led there.
     */
    public record Report(int stateCount, List<String> stuck)
    {
    }

    private TreeExplorer(final int[] subscribers, final int capacity, final boolean isConfirmed)
    {
        for (int i = 0; i < subscribers.length; i++)
        {
            final int set = subscribers[i];
            members[i / 2][i % 2] = IntStream.range(0, NI_COUNT).filter(ni -> ((set >>> ni) & 1) != 0).toArray();
        }
        this.capacity = capacity;
        this.isConfirmed = isConfirmed;
    }

    /**
     * Searches.
     *
     * @param subscribers sets of NIs, a bit each: tree 0 before and after its change, tree 1 before and after.
     * @param capacity    messages that an NI's queue holds, 1 or {@value #CAPACITY_MAX}.
     * @param isConfirmed whether an owner begins an epoch only when all have the end of the one before; otherwise an NI
     *                    lets the beginning wait at its parent until it has that.
     * @return what was found.
     */
    public static Report explore(final int[] subscribers, final int capacity, final boolean isConfirmed)
    {
        return new TreeExplorer(subscribers, capacity, isConfirmed).run();
    }

    private Report run()
    {
        reach(initial(), -1);
        for (current = 0; current < states.count(); current++)
        {
            final long state = states.value(current);
            if (!expand(state) && !isOver(state))
            {
                stuck.add(describe(current));
            }
        }
        return new Report(states.count(), List.copyOf(stuck));
    }

    private void reach(final long state, final int parent)
    {
        if (states.of(state) == parents.size())
        {
            parents.addInt(parent);
        }
    }

    private boolean expand(final long state)
    {
        boolean hasAction = false;
        for (int tree = 0; tree < TREE_COUNT; tree++)
        {
            for (int epoch = 0; epoch < 2; epoch++)
            {
                hasAction |= inject(state, tree, epoch);
            }
        }
        for (int ni = 0; ni < NI_COUNT - 1; ni++)
        {
            for (int slot = 0; slot < CAPACITY_MAX; slot++)
            {
                for (int child = 0; child < 2; child++)
                {
                    hasAction |= forward(state, ni, slot, child);
                }
            }
        }
        return hasAction;
    }

    /** A host sends the next message of an epoch to its root. */
    private boolean inject(final long state, final int tree, final int epoch)
    {
        final int takenCount = taken(state, tree, epoch);
        final int number = OPEN * epoch + takenCount;
        if (takenCount == 2 || (number == OPEN && isConfirmed && !isEpochOver(state, tree)))
        {
            return false;
        }
        return take(state + (1L << (tree * TREE_BITS + epoch * ROOT_BITS)), ni(tree, number, 0), tree, number);
    }

    /** An NI sends a message of its queue to a child, unless an earlier one of the same tree goes there first. */
    private boolean forward(final long state, final int ni, final int slot, final int child)
    {
        final int entry = entry(state, ni, slot);
        if ((entry & THERE) == 0 || ((entry >>> (CHILDREN_SHIFT + child)) & 1) == 0)
        {
            return false;
        }
        final int tree = (entry >>> TREE_SHIFT) & 1;
        final int number = (entry >>> NUMBER_SHIFT) & LOW_MASK;
        final int childNi = ni(tree, number, 2 * position(tree, number, ni) + 1 + child);
        long without = state & ~(1L << (shift(ni, slot) + CHILDREN_SHIFT + child));
        while ((entry(without, ni, 0) & THERE) != 0 && entry(without, ni, 0) >>> CHILDREN_SHIFT == 0)
        {
            final long queue = (without >>> shift(ni, 0)) & QUEUE_MASK;
            without = (without & ~(QUEUE_MASK << shift(ni, 0))) | ((queue >>> ENTRY_BITS) << shift(ni, 0));
        }
        return take(without, childNi, tree, number);
    }

    private boolean take(final long state, final int ni, final int tree, final int number)
    {
        final int used = (int)IntStream.range(0, CAPACITY_MAX).filter(i -> ni < NI_COUNT - 1 &&
            (entry(state, ni, i) & THERE) != 0).count();
        if (expected(state, tree, ni) != number || used >= capacity)
        {
            return false;
        }
        final int position = position(tree, number, ni);
        int children = 0;
        for (int child = 0; child < 2; child++)
        {
            children |= 2 * position + 1 + child < members(tree, number).length ? 1 << child : 0;
        }
        long next = state + (1L << expectedShift(tree, ni));
        if (number == CLOSE && position(tree, OPEN, ni) < 0)
        {
            next += (long)(MESSAGE_COUNT - OPEN) << expectedShift(tree, ni);        // Nothing more is for it.
        }
        if (children != 0)
        {
            final long entry = THERE | (tree << TREE_SHIFT) | (number << NUMBER_SHIFT) | (children << CHILDREN_SHIFT);
            next |= entry << shift(ni, used);
        }
        reach(next, current);
        return true;
    }

    private long initial()
    {
        long state = 0;
        for (int tree = 0; tree < TREE_COUNT; tree++)
        {
            for (int ni = 0; ni < NI_COUNT; ni++)
            {
                final int first = position(tree, 0, ni) >= 0 ? 0 : position(tree, OPEN, ni) >= 0 ? OPEN : MESSAGE_COUNT;
                state |= (long)first << expectedShift(tree, ni);
            }
        }
        return state;
    }

    private boolean isEpochOver(final long state, final int tree)
    {
        return Arrays.stream(members(tree, 0)).allMatch(ni -> expected(state, tree, ni) > CLOSE);
    }

    private boolean isOver(final long state)
    {
        return state >>> QUEUES_SHIFT == 0 && IntStream.range(0, TREE_COUNT * NI_COUNT)
            .allMatch(i -> expected(state, i / NI_COUNT, i % NI_COUNT) == MESSAGE_COUNT);
    }

    private int[] members(final int tree, final int number)
    {
        return members[tree][number / OPEN];
    }

    private int ni(final int tree, final int number, final int position)
    {
        final int[] nis = members(tree, number);
        return IntStream.range(0, nis.length).filter(rank -> rule.position(rank, nis.length) == position)
            .map(rank -> nis[rank]).findFirst().orElseThrow();
    }

    /** Negative if the NI is not in the tree. */
    private int position(final int tree, final int number, final int ni)
    {
        final int[] nis = members(tree, number);
        final int rank = Arrays.binarySearch(nis, ni);
        return rank < 0 ? rank : rule.position(rank, nis.length);
    }

    private static int taken(final long state, final int tree, final int epoch)
    {
        return (int)(state >>> (tree * TREE_BITS + epoch * ROOT_BITS)) & LOW_MASK;
    }

    private static int expected(final long state, final int tree, final int ni)
    {
        return (int)(state >>> expectedShift(tree, ni)) & EXPECTED_MASK;
    }

    private static int expectedShift(final int tree, final int ni)
    {
        return tree * TREE_BITS + 2 * ROOT_BITS + ni * EXPECTED_BITS;
    }

    private static int entry(final long state, final int ni, final int slot)
    {
        return (int)(state >>> shift(ni, slot)) & ENTRY_MASK;
    }

    private static int shift(final int ni, final int slot)
    {
        return QUEUES_SHIFT + ni * QUEUE_BITS + slot * ENTRY_BITS;
    }

    private String describe(final int index)
    {
        final List<String> steps = new ArrayList<>();
        for (int i = index; i >= 0; i = parents.getInt(i))
        {
            final long state = states.value(i);
            final StringBuilder text = new StringBuilder("queues");
            for (int ni = 0; ni < NI_COUNT - 1; ni++)
            {
                text.append(" NI ").append(ni).append(':');
                for (int slot = 0; slot < CAPACITY_MAX && (entry(state, ni, slot) & THERE) != 0; slot++)
                {
                    text.append(" tree ").append((entry(state, ni, slot) >>> TREE_SHIFT) & 1).append(" message ")
                        .append((entry(state, ni, slot) >>> NUMBER_SHIFT) & LOW_MASK);
                }
            }
            steps.add(0, text.toString());
        }
        return String.join("\n", steps);
    }
}
