// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayList;

/**
 * The automaton that a window is: states are numbered as they are met, and each is made by running a new window through
 * what led there. Two windows are in the same state if all that can be asked of them is the same: their key.
 */
abstract class WindowMachine<W, K>
{
    private static final int NOT_MET = -1;

    private final int inputCount;
    private final int stateCountMax;
    private final Int2IntHashMap following = new Int2IntHashMap(NOT_MET);
    private final Map<K, Integer> numbers = new HashMap<>();
    private final List<K> keys = new ArrayList<>();
    private final List<W> windows = new ArrayList<>();
    private final List<IntArrayList> histories = new ArrayList<>();

    WindowMachine(final int inputCount, final int stateCountMax, final W window, final K key)
    {
        this.inputCount = inputCount;
        this.stateCountMax = stateCountMax;
        add(key, window, new IntArrayList());
    }

    /** A window in its first state. */
    abstract W newWindow();

    /** Gives a window an input; returns what it says. */
    abstract int perform(W window, int input);

    /** The state of a window that has come from another state by an input. */
    abstract K key(K before, W window, int input, int answer);

    final W window(final int state)
    {
        return windows.get(state);
    }

    final K key(final int state)
    {
        return keys.get(state);
    }

    /** The state after an input; found by running a window once, and remembered. */
    final int after(final int state, final int input)
    {
        final int edge = state * inputCount + input;
        int next = following.get(edge);
        if (next == NOT_MET)
        {
            next = run(state, input);
            following.put(edge, next);
        }
        return next;
    }

    private int run(final int state, final int input)
    {
        final IntArrayList history = new IntArrayList();
        history.addAll(histories.get(state));
        final W window = newWindow();
        for (int i = 0; i < history.size(); i++)
        {
            perform(window, history.getInt(i));
        }
        history.addInt(input);
        final K key = key(keys.get(state), window, input, perform(window, input));
        final Integer known = numbers.get(key);
        return known != null ? known : add(key, window, history);
    }

    private int add(final K key, final W window, final IntArrayList history)
    {
        if (keys.size() == stateCountMax)
        {
            throw new IllegalStateException("a window has more than " + stateCountMax + " states");
        }
        numbers.put(key, keys.size());
        keys.add(key);
        windows.add(window);
        histories.add(history);
        return keys.size() - 1;
    }
}
