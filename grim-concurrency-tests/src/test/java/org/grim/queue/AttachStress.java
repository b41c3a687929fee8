// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Owner words of queues and entries of the table of senders, and the attach word that announces them: each has one
 * owner, and the loop finds every sender by the words that it polls alone, without housekeeping.
 */
public final class AttachStress
{
    private static final int MESSAGE_COUNT = 2;
    /** Odd, so that the receiver of 16 slots still keeps its head back when the sender leaves. */
    private static final int SUCCESSION_COUNT = 3;
    private static final int LENGTH = 32;
    private static final int IN_FRAME = 96;

    private AttachStress()
    {
    }

    /**
     * Two senders attach one after the other while the receiver looks for both: the second's word is not overlooked.
     */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Announce
    {
        private final StressInbox inbox = new StressInbox(StressInbox.exclusive(2, 4));
        private StressSender sender;
        private StressSender otherSender;

        @Actor
        public void attach()
        {
            sender = inbox.attach(StressInbox.SENDER);
            otherSender = inbox.attach(StressInbox.OTHER_SENDER);
            sender.send(1, LENGTH);
            otherSender.send(1, LENGTH);
        }

        @Actor
        public void receive()
        {
            inbox.receive(2);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /** Two senders want the only exclusive queue; who comes too late shares. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Own
    {
        private final StressInbox inbox = new StressInbox(StressInbox.shared(1, 16, 2));
        private StressSender sender;
        private StressSender otherSender;

        @Actor
        public void attach()
        {
            sender = inbox.attach(StressInbox.SENDER);
            sender.send(MESSAGE_COUNT, LENGTH);
        }

        @Actor
        public void attachToo()
        {
            otherSender = inbox.attach(StressInbox.OTHER_SENDER);
            otherSender.send(MESSAGE_COUNT, LENGTH);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /** Two senders enter the table of a shared queue; each one's frame must be found to be its own. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Share
    {
        private final StressInbox inbox = new StressInbox(StressInbox.shared(0, 16, 2));
        private StressSender sender;
        private StressSender otherSender;

        @Actor
        public void attach()
        {
            sender = inbox.attach(StressInbox.SENDER);
            sender.claim(1, IN_FRAME);
        }

        @Actor
        public void attachToo()
        {
            otherSender = inbox.attach(StressInbox.OTHER_SENDER);
            otherSender.claim(1, IN_FRAME);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /**
     * A sender gives its queue up; the receiver reads the rest and frees it; the next one goes on where the last one
     * stopped. Here housekeeping takes part: it is what frees queues.
     */
    @JCStressTest
    @Outcome(id = "0, 0, [01]", expect = Expect.ACCEPTABLE, desc = "All came intact")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A message was torn, lost, repeated or out of order")
    @State
    public static class Succeed
    {
        private final StressInbox inbox = new StressInbox(StressInbox.exclusive(1, 16));
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private StressSender nextSender;

        @Actor
        public void leaveAndAttach()
        {
            sender.send(SUCCESSION_COUNT, LENGTH);
            sender.close();
            for (int i = 0; i < StressInbox.ATTEMPT_COUNT_MAX && nextSender == null; i++)
            {
                nextSender = inbox.attach(StressInbox.OTHER_SENDER);
            }
            if (nextSender != null)
            {
                nextSender.send(SUCCESSION_COUNT, LENGTH);
            }
        }

        @Actor
        public void receive()
        {
            for (int i = 0; i < StressInbox.ATTEMPT_COUNT_MAX && inbox.deliveredCount() < 2 * SUCCESSION_COUNT; i++)
            {
                inbox.housekeep();
                inbox.poll();
            }
            inbox.receive(0);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + (nextSender == null ? 0 : nextSender.acceptedCount()));
        }
    }
}
