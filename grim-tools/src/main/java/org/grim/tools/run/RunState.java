// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.util.BitSet;

/**
 * Decides when the processes of a run are asked to end, and when they are killed. Time is an argument. Main thread.
 */
final class RunState
{
    /** No process has failed. */
    static final int NONE = -1;

    private final long graceNs;
    private final boolean isKeepingGoing;
    private final BitSet running = new BitSet();
    private final BitSet killed = new BitSet();
    private boolean mustEnd;
    private boolean isAsked;
    private long deadlineNs;
    private int failed = NONE;
    private int exitCode;

    /** The next step of the caller. */
    enum Action
    {
        /** Wait. */
        NONE,
        /** Ask all processes to end. */
        ASK,
        /** Kill all processes. */
        KILL
    }

    /** Of a run that keeps going a failed process ends no other one. */
    RunState(final long graceNs, final boolean isKeepingGoing)
    {
        this.graceNs = graceNs;
        this.isKeepingGoing = isKeepingGoing;
    }

    void onStart(final int process)
    {
        assert !mustEnd : "started at the end: process=" + process;
        running.set(process);
    }

    /** Notes the end of a process. The first that fails by itself ends the run, unless that keeps going. */
    void onEnd(final int process, final int code)
    {
        running.clear(process);
        if (code != 0 && !mustEnd && failed == NONE)
        {
            failed = process;
            exitCode = code;
            mustEnd = !isKeepingGoing;
        }
    }

    /** Ends the run. The first cause decides on the exit code. */
    void end(final int code)
    {
        if (!mustEnd)
        {
            exitCode = failed == NONE ? code : exitCode;
            mustEnd = true;
        }
    }

    /** Returns the next step, each once. */
    Action step(final long nowNs)
    {
        if (mustEnd && !isAsked)
        {
            isAsked = true;
            deadlineNs = nowNs + graceNs;
            return Action.ASK;
        }
        if (isAsked && killed.isEmpty() && deadlineNs - nowNs <= 0 && !running.isEmpty())
        {
            killed.or(running);
            return Action.KILL;
        }
        return Action.NONE;
    }

    /** Returns whether more processes may be started. */
    boolean canStart()
    {
        return !mustEnd;
    }

    boolean hasRunning()
    {
        return !running.isEmpty();
    }

    /** Returns the process that failed first; {@link #NONE} if none did. */
    int failed()
    {
        return failed;
    }

    int exitCode()
    {
        return exitCode;
    }

    /** Returns the processes that did not end in time. */
    BitSet killed()
    {
        return killed;
    }
}
