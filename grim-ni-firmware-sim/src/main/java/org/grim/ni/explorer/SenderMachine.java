// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.ArrayList;
import java.util.List;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayList;
import org.grim.ni.delivery.SendWindow;
import org.grim.ni.delivery.SequenceSpace;

/**
 * The automaton that {@link SendWindow} is: states are numbered as they are met, and each is made by running a new
 * window through what led there. Two windows are in the same state if base, next, high, end and probing are the same,
 * which the window's queries tell; that is all that a window has.
 */
final class SenderMachine
{
    /** Most states that a model's encoding has room for. */
    static final int STATE_COUNT_MAX = 1 << 12;

    static final int APPEND = 0;
    static final int SEND = 1;
    static final int TIME_OUT = 2;
    private static final int ACKNOWLEDGE = 3;
    private static final int NOT_MET = -1;

    /** A state; what the window said when it came here belongs to it, so that a lie is a state of its own. */
    private record Snapshot(int base, int next, int high, int end, boolean isProbing, String lie)
    {
    }

    private final SequenceSpace space;
    private final int sequenceCount;
    private final int inputCount;
    private final Int2IntHashMap following = new Int2IntHashMap(NOT_MET);
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final List<SendWindow> windows = new ArrayList<>();
    private final List<IntArrayList> histories = new ArrayList<>();

    SenderMachine(final SequenceSpace space, final int bits)
    {
        this.space = space;
        sequenceCount = 1 << bits;
        inputCount = ACKNOWLEDGE + 2 * sequenceCount;
        windows.add(new SendWindow(space));
        histories.add(new IntArrayList());
        snapshots.add(new Snapshot(0, 0, 0, 0, false, null));
    }

    int acknowledgeInput(final int sequence)
    {
        return ACKNOWLEDGE + sequence;
    }

    int refuseInput(final int sequence)
    {
        return ACKNOWLEDGE + sequenceCount + sequence;
    }

    /** The state after an input; found by running a window once, and remembered. */
    int after(final int state, final int input)
    {
        final int key = state * inputCount + input;
        int next = following.get(key);
        if (next == NOT_MET)
        {
            next = run(state, input);
            following.put(key, next);
        }
        return next;
    }

    boolean canSend(final int state)
    {
        return windows.get(state).canSend();
    }

    int inFlightCount(final int state)
    {
        return windows.get(state).inFlightCount();
    }

    int base(final int state)
    {
        return snapshots.get(state).base;
    }

    int next(final int state)
    {
        return snapshots.get(state).next;
    }

    int end(final int state)
    {
        return snapshots.get(state).end;
    }

    int nextSequence(final int state)
    {
        return windows.get(state).nextSequence();
    }

    /** What is wrong with a window by itself; null if nothing is. */
    String fault(final int state)
    {
        final Snapshot is = snapshots.get(state);
        final SendWindow window = windows.get(state);
        if (is.lie != null)
        {
            return is.lie;
        }
        if (is.base < 0 || is.next < is.base || is.high < is.next || is.end < is.high)
        {
            return "the sender's window is torn: " + describe(state);
        }
        if (is.high - is.base > space.window() || (is.isProbing && is.next - is.base > 1))
        {
            return "too many messages are in flight: " + describe(state);
        }
        if (window.nextSequence() != is.next % sequenceCount || window.isNextRepeated() != (is.next < is.high))
        {
            return "the sender does not know its next message: " + describe(state);
        }
        return null;
    }

    String describe(final int state)
    {
        final Snapshot is = snapshots.get(state);
        return "base=" + is.base + " next=" + is.next + " high=" + is.high + " end=" + is.end +
            (is.isProbing ? " probing" : "");
    }

    private int run(final int state, final int input)
    {
        final IntArrayList history = new IntArrayList();
        history.addAll(histories.get(state));
        final SendWindow window = new SendWindow(space);
        for (int i = 0; i < history.size(); i++)
        {
            perform(window, history.getInt(i));
        }
        final int settledCount = perform(window, input);
        history.addInt(input);
        final Snapshot before = snapshots.get(state);
        final int end = input == APPEND ? before.end + 1 : before.end;
        final int base = end - window.pendingCount();
        final String lie = base - before.base == settledCount ? null :
            "the sender said that " + settledCount + " messages were settled, and went from " + before.base +
            " to " + base;
        final Snapshot after = new Snapshot(base, base + window.inFlightCount(), base + window.unacknowledgedCount(),
            end, window.isProbing(), lie);
        final int known = snapshots.indexOf(after);
        return known >= 0 ? known : add(after, window, history);
    }

    private int add(final Snapshot snapshot, final SendWindow window, final IntArrayList history)
    {
        if (snapshots.size() == STATE_COUNT_MAX)
        {
            throw new IllegalStateException("sender has more than " + STATE_COUNT_MAX + " states");
        }
        snapshots.add(snapshot);
        windows.add(window);
        histories.add(history);
        return snapshots.size() - 1;
    }

    private int perform(final SendWindow window, final int input)
    {
        if (input == APPEND)
        {
            window.append();
            return 0;
        }
        if (input == SEND)
        {
            window.sent();
            return 0;
        }
        if (input == TIME_OUT)
        {
            window.timeOut();
            return 0;
        }
        if (input < ACKNOWLEDGE + sequenceCount)
        {
            return window.acknowledge(input - ACKNOWLEDGE);
        }
        final int settledCount = window.refuse(input - ACKNOWLEDGE - sequenceCount);
        return settledCount == SendWindow.STALE ? 0 : settledCount;
    }
}
