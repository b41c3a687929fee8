// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Claims, publishes and the common tail of a shared queue: accepted messages of two senders come once, whole and in
 * each sender's order.
 */
public final class SharedQueueStress
{
    private static final int SLOT_SHIFT = 4;
    private static final InboxGeometry GEOMETRY = StressInbox.shared(0, 1 << SLOT_SHIFT, 8);
    private static final InboxGeometry SMALL_GEOMETRY = StressInbox.shared(0, 4, 1);
    private static final int STALLED_SENDER = 2;
    /** Of each sender, so that the half of the slots that carries messages holds all. */
    private static final int MESSAGE_COUNT = 3;
    private static final int LAPS_COUNT = 10;
    private static final int IN_SLOT = 32;
    private static final int IN_FRAME = 96;

    private SharedQueueStress()
    {
    }

    /** Small messages, one step. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Sends
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        @Actor
        public void send()
        {
            sender.send(MESSAGE_COUNT, IN_SLOT);
        }

        @Actor
        public void sendToo()
        {
            otherSender.send(MESSAGE_COUNT, IN_SLOT);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /** Small messages against large ones, both claimed, filled and published. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Claims
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        @Actor
        public void send()
        {
            sender.claim(MESSAGE_COUNT, IN_SLOT);
        }

        @Actor
        public void sendToo()
        {
            otherSender.claim(MESSAGE_COUNT, IN_FRAME);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /** A sender stands still between its claim and the move of the tail: both others move it on. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class HelpOn
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        public HelpOn()
        {
            inbox.state(0, SlotState.claimed(0, SLOT_SHIFT, STALLED_SENDER));
        }

        @Actor
        public void send()
        {
            sender.send(MESSAGE_COUNT, IN_SLOT);
        }

        @Actor
        public void sendToo()
        {
            otherSender.send(MESSAGE_COUNT, IN_SLOT);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            // The one that stood still died after all; as when the receiver takes its claim back.
            inbox.state(0, SlotState.skipped(0, SLOT_SHIFT, STALLED_SENDER));
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }

    /** One sender has the loop that receives in its own thread, so three meet in one queue. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class SendWhileReceiving
    {
        private final StressInbox inbox = new StressInbox(SMALL_GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);
        private final StressSender otherSender = inbox.attached(StressInbox.OTHER_SENDER);

        @Actor
        public void send()
        {
            sender.send(LAPS_COUNT, IN_SLOT);
        }

        @Actor
        public void sendAndReceive()
        {
            for (int i = 0; i < LAPS_COUNT; i++)
            {
                otherSender.send(i + 1, IN_SLOT, 1);
                inbox.poll();
            }
            inbox.receive(2 * LAPS_COUNT);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount() + otherSender.acceptedCount());
        }
    }
}
