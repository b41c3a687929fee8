// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.ArrayList;
import java.util.List;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayList;
import org.grim.ni.delivery.ReceiveWindow;
import org.grim.ni.delivery.SequenceSpace;
import org.grim.ni.guard.Guards;

/**
 * The automaton that {@link ReceiveWindow} is: states are numbered as they are met, and each is made by running a new
 * window through what led there. A window's whole state is what it expects.
 */
final class ReceiverMachine
{
    /** Most states that a model's encoding has room for. */
    static final int STATE_COUNT_MAX = 1 << 5;

    private static final int NOT_MET = -1;

    private final SequenceSpace space;
    private final Guards guards;
    private final Int2IntHashMap following = new Int2IntHashMap(NOT_MET);
    private final List<ReceiveWindow> windows = new ArrayList<>();
    private final List<IntArrayList> histories = new ArrayList<>();

    ReceiverMachine(final SequenceSpace space, final Guards guards)
    {
        this.space = space;
        this.guards = guards;
        windows.add(new ReceiveWindow(space, guards));
        histories.add(new IntArrayList());
    }

    ReceiveWindow.Judgement judge(final int state, final int sequence)
    {
        return windows.get(state).judge(sequence);
    }

    int expected(final int state)
    {
        return windows.get(state).expected();
    }

    /** The state after a message was accepted; found by running a window once, and remembered. */
    int accept(final int state, final int sequence)
    {
        final int key = state << SequenceSpace.BITS_MAX | sequence;
        int next = following.get(key);
        if (next == NOT_MET)
        {
            next = run(state, sequence);
            following.put(key, next);
        }
        return next;
    }

    private int run(final int state, final int sequence)
    {
        final IntArrayList history = new IntArrayList();
        history.addAll(histories.get(state));
        history.addInt(sequence);
        final ReceiveWindow window = new ReceiveWindow(space, guards);
        for (int i = 0; i < history.size(); i++)
        {
            window.accept(history.getInt(i));
        }
        for (int i = 0; i < windows.size(); i++)
        {
            if (windows.get(i).expected() == window.expected())
            {
                return i;
            }
        }
        if (windows.size() == STATE_COUNT_MAX)
        {
            throw new IllegalStateException("receiver has more than " + STATE_COUNT_MAX + " states");
        }
        windows.add(window);
        histories.add(history);
        return windows.size() - 1;
    }
}
