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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The owner word of a frame: compare-and-set by who claims it, release store by who frees it. Nobody writes into a
 * frame that another still reads or fills.
 */
public final class FrameOwnerStress
{
    private static final int MESSAGE_COUNT = 4;
    private static final int IN_FRAME = 224;

    private FrameOwnerStress()
    {
    }

    /** Two senders and one frame: one of them gets it. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first has the frame")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The second has the frame")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both have it, or nobody")
    @State
    public static class Claim
    {
        private final StressInbox inbox = new StressInbox(StressInbox.shared(0, 16, 1));
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        @Actor
        public void claim(final II_Result result)
        {
            result.r1 = sender.tryClaim(IN_FRAME) ? 1 : 0;
        }

        @Actor
        public void claimToo(final II_Result result)
        {
            result.r2 = otherSender.tryClaim(IN_FRAME) ? 1 : 0;
        }
    }

    /** The receiver frees the only frame while its next senders wait for it, one after the other. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Free
    {
        private final StressInbox inbox = new StressInbox(StressInbox.shared(0, 16, 1));
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        @Actor
        public void send()
        {
            for (int i = 1; i <= MESSAGE_COUNT; i++)
            {
                sender.claim(i, IN_FRAME);
                otherSender.claim(i, IN_FRAME);
            }
        }

        @Actor
        public void receive()
        {
            inbox.receive(2 * MESSAGE_COUNT);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /** One sender claims, fills and aborts; another sends through the frames that are free meanwhile. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Abort
    {
        private final StressInbox inbox = new StressInbox(StressInbox.shared(0, 16, 2));
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        @Actor
        public void abort()
        {
            for (int i = 0; i < 4 * MESSAGE_COUNT; i++)
            {
                sender.tryAbort(IN_FRAME);
            }
        }

        @Actor
        public void send()
        {
            otherSender.claim(2, IN_FRAME);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, otherSender.acceptedCount());
        }
    }
}
