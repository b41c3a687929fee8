// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.List;
import java.util.stream.IntStream;

import org.grim.ni.window.ReceiveWindow;
import org.grim.ni.window.ReceiveWindow.Judgement;
import org.grim.ni.window.SequenceSpace;

/**
 * The automaton that {@link ReceiveWindow} is. An input is a sequence that is accepted, or refused for good. Two
 * windows are in the same state if they expect the same and judge every sequence alike.
 */
final class ReceiverMachine extends WindowMachine<ReceiveWindow, ReceiverMachine.Judged>
{
    /** Most states that a model's encoding has room for. */
    static final int STATE_COUNT_MAX = 1 << 5;

    private static final int DENIED_FLAG = 1 << SequenceSpace.BITS_MAX;

    private final SequenceSpace space;
    private final int sequenceCount;

    ReceiverMachine(final SequenceSpace space, final int bits)
    {
        super(2 * DENIED_FLAG, STATE_COUNT_MAX, space.receiveWindow(), Judged.of(space.receiveWindow(), 1 << bits));
        this.space = space;
        sequenceCount = 1 << bits;
    }

    /** The sequence that a window expects, and its answer to each sequence. */
    record Judged(int expected, List<Judgement> judgements)
    {
        private static Judged of(final ReceiveWindow window, final int sequenceCount)
        {
            return new Judged(
                window.expected(), IntStream.range(0, sequenceCount).mapToObj(window::judge).toList());
        }
    }

    Judgement judge(final int state, final int sequence)
    {
        return window(state).judge(sequence);
    }

    int expected(final int state)
    {
        return key(state).expected;
    }

    /** The state after a message was accepted. */
    int accept(final int state, final int sequence)
    {
        return after(state, sequence);
    }

    /** The state after a message was refused for good. */
    int deny(final int state, final int sequence)
    {
        return after(state, sequence | DENIED_FLAG);
    }

    @Override
    ReceiveWindow newWindow()
    {
        return space.receiveWindow();
    }

    @Override
    int perform(final ReceiveWindow window, final int input)
    {
        if ((input & DENIED_FLAG) == 0)
        {
            window.accept(input);
        }
        else
        {
            window.deny(input & ~DENIED_FLAG);
        }
        return 0;
    }

    @Override
    Judged key(final Judged before, final ReceiveWindow window, final int input, final int answer)
    {
        return Judged.of(window, sequenceCount);
    }
}
