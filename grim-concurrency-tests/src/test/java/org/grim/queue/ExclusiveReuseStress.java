// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The release store of an exclusive queue's head against the sender's acquire load: no slot and no byte of the ring is
 * written again before its message was consumed. Messages go round several times.
 */
public final class ExclusiveReuseStress
{
    private static final InboxGeometry GEOMETRY = StressInbox.exclusive(1, 4);
    private static final int MESSAGE_COUNT = 14;
    private static final int IN_SLOT = 32;
    /** Two fill the ring, behind a gap at its end. */
    private static final int IN_RING = 448;

    private ExclusiveReuseStress()
    {
    }

    /** Four slots. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Slots
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);

        @Actor
        public void send()
        {
            sender.send(MESSAGE_COUNT, IN_SLOT);
        }

        @Actor
        public void receive()
        {
            inbox.receive(MESSAGE_COUNT);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount());
        }
    }

    /** A ring of two payloads. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Ring
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);

        @Actor
        public void send()
        {
            sender.send(MESSAGE_COUNT, IN_RING);
        }

        @Actor
        public void receive()
        {
            inbox.receive(MESSAGE_COUNT);
        }

        @Arbiter
        public void judge(final III_Result result)
        {
            inbox.judge(result, sender.acceptedCount());
        }
    }
}
