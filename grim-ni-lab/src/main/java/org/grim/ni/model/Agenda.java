// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;

/** What will happen in a run, and when. One thread; allocates an event for each. */
final class Agenda
{
    private final VirtualClock clock = new VirtualClock();

    long nowNs()
    {
        return clock.nowNs();
    }

    void after(final long delayNs, final Runnable action)
    {
        at(clock.nowNs() + delayNs, action);
    }

    void at(final long timeNs, final Runnable action)
    {
        clock.schedule(new Happening(action), timeNs);
    }

    /** Runs until nothing is left to happen. */
    void run()
    {
        while (clock.runNext())
        {
            // Each event has done its work.
        }
    }

    private static final class Happening extends Event
    {
        private final Runnable action;

        private Happening(final Runnable action)
        {
            this.action = action;
        }

        @Override
        protected void run()
        {
            action.run();
        }
    }
}
