// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.function.Supplier;

import org.grim.GrimException;
import org.grim.death.History;
import org.slf4j.LoggerFactory;

/**
 * Calls of one member, recorded in its history: their begin, end and exceptions.
 * <p>Thread: the member's.
 */
final class Calls
{
    private static final int LOGGED_COUNT_MAX = 20;

    private final History.Sink history;
    private final String name;
    private int membership;
    private int count;
    private int loggedCount;

    Calls(final History.Sink history, final String name)
    {
        this.history = history;
        this.name = name;
    }

    void membership(final int newMembership)
    {
        membership = newMembership;
    }

    int membership()
    {
        return membership;
    }

    void record(final int type, final int first, final int second, final int third)
    {
        history.onRecord(type, membership, first, second, third);
    }

    /** A call that may wait; false if it timed out or threw. */
    boolean run(final MemberRecord.Call call, final Runnable action)
    {
        count++;
        final int number = count;
        record(MemberRecord.CALL, number, MemberRecord.code(call), 0);
        int outcome = 2;
        try
        {
            action.run();
            outcome = 0;
        }
        catch (final GrimException ex)
        {
            if (ex.reason() == GrimException.Reason.TIMED_OUT)
            {
                outcome = 1;
                log(call, ex);
            }
            else
            {
                threw(call, ex);
            }
        }
        catch (final RuntimeException ex)
        {
            threw(call, ex);
        }
        record(MemberRecord.CALL_ENDED, number, outcome, 0);
        return outcome == 0;
    }

    /** A call that does not wait; the other value if it threw. */
    <T> T get(final MemberRecord.Call call, final Supplier<T> action, final T otherwise)
    {
        try
        {
            return action.get();
        }
        catch (final RuntimeException ex)
        {
            threw(call, ex);
            return otherwise;
        }
    }

    void threw(final MemberRecord.Call call, final Throwable ex)
    {
        record(MemberRecord.THREW, MemberRecord.code(call), 0, 0);
        log(call, ex);
    }

    void error(final Throwable ex)
    {
        for (Throwable cause = ex; cause != null; cause = cause.getCause())
        {
            if (OperationPlan.Thrower.MESSAGE.equals(cause.getMessage()))
            {
                return;
            }
        }
        record(MemberRecord.ERROR, 0, 0, 0);
        log(null, ex);
    }

    private void log(final MemberRecord.Call call, final Throwable ex)
    {
        if (loggedCount < LOGGED_COUNT_MAX)
        {
            loggedCount++;
            LoggerFactory.getLogger(Calls.class).error(name + " " + (call == null ? "error handler" : call), ex);
        }
    }
}
