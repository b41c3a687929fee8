// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.window.SendWindow;
import org.grim.ni.window.SequenceSpace;

/**
 * The automaton that {@link SendWindow} is. Two windows are in the same state if base, next, high, end, probing and the
 * next sequence are the same, as the window's queries return them; a window has no other state. Also counts the
 * sequence numbers that the window should have skipped.
 */
final class SenderMachine extends WindowMachine<SendWindow, SenderMachine.Snapshot>
{
    /** Most states that a model's encoding has room for. */
    static final int STATE_COUNT_MAX = 1 << 16;

    static final int APPEND = 0;
    static final int SEND = 1;
    static final int TIME_OUT = 2;
    /** Kinds of answers. */
    static final int ACKNOWLEDGED = 0;
    static final int REFUSED = 1;
    static final int DENIED = 2;

    private static final int ANSWER = 3;
    private static final int ANSWER_KIND_COUNT = 3;

    /** A state; what the window said when it came here belongs to it, so that a lie is a state of its own. */
    record Snapshot(
        int base, int next, int high, int end, boolean isProbing, int nextSequence, int skippedCount, String lie)
    {
    }

    private final SequenceSpace space;
    private final Guards guards;
    private final int sequenceCount;

    SenderMachine(final SequenceSpace space, final int bits, final Guards guards)
    {
        super(ANSWER + ANSWER_KIND_COUNT * (1 << bits), STATE_COUNT_MAX, space.sendWindow(),
            new Snapshot(0, 0, 0, 0, false, 0, 0, null));
        this.space = space;
        this.guards = guards;
        sequenceCount = 1 << bits;
    }

    int answerInput(final int kind, final int sequence)
    {
        return ANSWER + kind * sequenceCount + sequence;
    }

    /** Returns the fault of a window by itself; null if there is none. */
    String fault(final int state)
    {
        final Snapshot is = key(state);
        final SendWindow window = window(state);
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
        if (is.nextSequence != (is.next + is.skippedCount) % sequenceCount ||
            window.isNextRepeated() != (is.next < is.high))
        {
            return "the sender does not know its next message: " + describe(state);
        }
        return null;
    }

    String describe(final int state)
    {
        final Snapshot is = key(state);
        return "base=" + is.base + " next=" + is.next + " high=" + is.high + " end=" + is.end +
            (is.isProbing ? " probing" : "") + (is.skippedCount > 0 ? " skipped=" + is.skippedCount : "");
    }

    @Override
    SendWindow newWindow()
    {
        return space.sendWindow();
    }

    @Override
    Snapshot key(final Snapshot before, final SendWindow window, final int input, final int settledCount)
    {
        final int end = input == APPEND ? before.end + 1 : before.end;
        final int base = end - window.pendingCount();
        final String lie = base - before.base == settledCount ? null :
            "the sender said that " + settledCount + " messages were settled, and went from " + before.base +
            " to " + base;
        final boolean isDenial = settledCount > 0 && input >= answerInput(DENIED, 0);
        return new Snapshot(base, base + window.inFlightCount(), base + window.unacknowledgedCount(),
            end, window.isProbing(), window.nextSequence(),
            (before.skippedCount + (isDenial ? skippedByDenial() : 0)) % sequenceCount, lie);
    }

    @Override
    int perform(final SendWindow window, final int input)
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
        final int sequence = (input - ANSWER) % sequenceCount;
        final int kind = (input - ANSWER) / sequenceCount;
        if (kind == REFUSED)
        {
            final int settledCount = window.refuse(sequence);
            return settledCount == SendWindow.STALE ? 0 : settledCount;
        }
        return kind == DENIED ? window.deny(sequence) : window.acknowledge(sequence);
    }

    /** A window begins again behind the one that the refused message stood at the beginning of. */
    private int skippedByDenial()
    {
        return guards.has(Guard.REFUSAL_KEPT) ? space.window() - 1 : 0;
    }
}
