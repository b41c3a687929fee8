// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.lang.invoke.VarHandle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The asleep word: the receiver sets it and looks at its queues, the sender publishes and looks at the word. One of the
 * two sees the other (decision 08). The first number says whether the receiver saw the message, the second how often
 * the bell was rung.
 */
public final class AsleepStress
{
    private static final InboxGeometry GEOMETRY = StressInbox.exclusive(2, 4);
    private static final int BELL_WORD = 1;
    private static final long SETTLE_NS = 5_000;
    private static final int LENGTH = 32;

    private AsleepStress()
    {
    }

    /** The receiver looks for 5 microseconds, as an endpoint's doorbell does, so the sender needs no fence. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The receiver saw the message and stays awake")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The sender rang the sleeper")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both saw")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Neither saw the other, or the bell was rung twice")
    @State
    public static class Settle
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);

        @Actor
        public void send()
        {
            sender.send(1, LENGTH);
        }

        @Actor
        public void sleep(final II_Result result)
        {
            inbox.inbox.asleep(StressInbox.CHANNEL, BELL_WORD);
            final long startNs = System.nanoTime();
            boolean isSilent = inbox.isSilent();
            while (isSilent && System.nanoTime() - startNs < SETTLE_NS)
            {
                isSilent = inbox.isSilent();
            }
            result.r1 = isSilent ? 0 : 1;
        }

        @Arbiter
        public void count(final II_Result result)
        {
            result.r2 = inbox.ringCount.get();
        }
    }

    /**
     * The receiver's half alone: it looks once, and the sender pays for the fence and looks again. Both need their
     * store before their load; the receiver's is the one in {@link Inbox#asleep}.
     */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The receiver saw the message and stays awake")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The sender rang the sleeper")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both saw")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Neither saw the other, or the bell was rung twice")
    @State
    public static class Fence
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);

        @Actor
        public void send()
        {
            sender.send(1, LENGTH);
            VarHandle.fullFence();
            inbox.inbox.wake(inbox.inbox.asleepIndex(StressInbox.CHANNEL), inbox);
        }

        @Actor
        public void sleep(final II_Result result)
        {
            inbox.inbox.asleep(StressInbox.CHANNEL, BELL_WORD);
            result.r1 = inbox.isSilent() ? 0 : 1;
        }

        @Arbiter
        public void count(final II_Result result)
        {
            result.r2 = inbox.ringCount.get();
        }
    }

    /** Two senders find a sleeper: one of them takes the bell. */
    @JCStressTest
    @Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "One of the two rang")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Nobody rang, or both did")
    @State
    public static class Bell
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        public Bell()
        {
            inbox.inbox.asleep(StressInbox.CHANNEL, BELL_WORD);
        }

        @Actor
        public void send()
        {
            sender.send(1, LENGTH);
        }

        @Actor
        public void sendToo()
        {
            otherSender.send(1, LENGTH);
        }

        @Arbiter
        public void count(final II_Result result)
        {
            result.r1 = sender.acceptedCount() + otherSender.acceptedCount();
            result.r2 = inbox.ringCount.get();
        }
    }
}
