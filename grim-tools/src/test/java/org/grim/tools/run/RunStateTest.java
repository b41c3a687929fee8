// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import org.grim.tools.run.RunState.Action;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RunStateTest
{
    private static final long GRACE_NS = 1_000;
    /** Near the end: the clock wraps meanwhile. */
    private static final long START_NS = Long.MAX_VALUE - 10;

    private final RunState state = new RunState(GRACE_NS, false);

    @Test
    void shouldEndWithZeroWhenAllDo()
    {
        start(2);
        state.onEnd(0, 0);

        assertEquals(Action.NONE, state.step(at(0)));
        assertTrue(state.canStart() && state.hasRunning());
        state.onEnd(1, 0);

        assertFalse(state.hasRunning());
        assertEquals(0, state.exitCode());
        assertEquals(RunState.NONE, state.failed());
    }

    @Test
    void shouldAskOnceWhenOneFailsAndKillTheRestAtTheDeadline()
    {
        start(4);
        state.onEnd(2, 3);

        assertFalse(state.canStart());
        assertEquals(Action.ASK, state.step(at(0)));
        assertEquals(Action.NONE, state.step(at(0)));
        state.onEnd(0, 143);
        assertEquals(Action.NONE, state.step(at(GRACE_NS - 1)));
        assertEquals(Action.KILL, state.step(at(GRACE_NS)));
        assertEquals(Action.NONE, state.step(at(GRACE_NS + 1)));
        state.onEnd(1, 137);
        state.onEnd(3, 137);

        assertFalse(state.hasRunning());
        assertEquals(3, state.exitCode());
        assertEquals(2, state.failed());
        assertEquals("{1, 3}", state.killed().toString());
    }

    @Test
    void shouldKillNobodyWhenAllEndInTime()
    {
        start(2);
        state.onEnd(1, 9);
        state.step(at(0));
        state.onEnd(0, 143);

        assertEquals(Action.NONE, state.step(at(2 * GRACE_NS)));
        assertTrue(state.killed().isEmpty());
    }

    @Test
    void shouldKeepTheFirstCause()
    {
        start(2);
        state.end(0);
        state.onEnd(0, 130);
        state.end(1);

        assertEquals(Action.ASK, state.step(at(0)));
        assertEquals(0, state.exitCode());
        assertEquals(RunState.NONE, state.failed());
    }

    @Test
    void shouldKeepGoingWhenOneFails()
    {
        final RunState going = new RunState(GRACE_NS, true);
        for (int i = 0; i < 3; i++)
        {
            going.onStart(i);
        }
        going.onEnd(1, 137);
        going.onEnd(0, 3);

        assertEquals(Action.NONE, going.step(at(2 * GRACE_NS)));
        assertTrue(going.canStart() && going.hasRunning());
        going.onEnd(2, 0);

        assertFalse(going.hasRunning());
        assertEquals(137, going.exitCode());
        assertEquals(1, going.failed());
    }

    private static long at(final long durationNs)
    {
        return START_NS + durationNs;
    }

    private void start(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            state.onStart(i);
        }
    }
}
