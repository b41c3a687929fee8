// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.ArrayList;
import java.util.List;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayList;
import org.grim.ni.window.ReceiveWindow;
import org.grim.ni.window.SequenceSpace;

/**
 * The automaton that {@link ReceiveWindow} is: states are numbered as they are met, and each is made by running a new
 * window through what led there. Two windows are in the same state if they expect the same and judge every sequence
 * alike.
 */
final class ReceiverMachine
{
    /** Most states that a model's encoding has room for. */
    static final int STATE_COUNT_MAX = 1 << 5;

    private static final int NOT_MET = -1;
    private static final int DENIED_FLAG = 1 << SequenceSpace.BITS_MAX;

    private final SequenceSpace space;
    private final int sequenceCount;
    private final Int2IntHashMap following = new Int2IntHashMap(NOT_MET);
    private final List<ReceiveWindow> windows = new ArrayList<>();
    private final List<IntArrayList> histories = new ArrayList<>();

    ReceiverMachine(final SequenceSpace space, final int bits)
    {
        this.space = space;
        sequenceCount = 1 << bits;
        windows.add(space.receiveWindow());
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
        return after(state, sequence);
    }

    /** The state after a message was refused for good. */
    int deny(final int state, final int sequence)
    {
        return after(state, sequence | DENIED_FLAG);
    }

    private int after(final int state, final int input)
    {
        final int key = state * 2 * DENIED_FLAG + input;
        int next = following.get(key);
        if (next == NOT_MET)
        {
            next = run(state, input);
            following.put(key, next);
        }
        return next;
    }

    private int run(final int state, final int input)
    {
        final IntArrayList history = new IntArrayList();
        history.addAll(histories.get(state));
        history.addInt(input);
        final ReceiveWindow window = space.receiveWindow();
        for (int i = 0; i < history.size(); i++)
        {
            perform(window, history.getInt(i));
        }
        for (int i = 0; i < windows.size(); i++)
        {
            if (isAlike(windows.get(i), window))
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

    private static void perform(final ReceiveWindow window, final int input)
    {
        if ((input & DENIED_FLAG) == 0)
        {
            window.accept(input);
        }
        else
        {
            window.deny(input & ~DENIED_FLAG);
        }
    }

    private boolean isAlike(final ReceiveWindow one, final ReceiveWindow other)
    {
        boolean isAlike = one.expected() == other.expected();
        for (int sequence = 0; sequence < sequenceCount; sequence++)
        {
            isAlike &= one.judge(sequence) == other.judge(sequence);
        }
        return isAlike;
    }
}
