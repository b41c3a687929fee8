// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The release store of an exclusive queue's state word against the receiver's acquire load: header and payload come
 * before the state, whether the payload lies in the slot or in the ring. Messages take turns.
 */
public final class ExclusivePublishStress
{
    private static final InboxGeometry GEOMETRY = StressInbox.exclusive(1, 16);
    private static final int MESSAGE_COUNT = 8;
    private static final int IN_SLOT = 32;
    private static final int IN_RING = 96;

    private ExclusivePublishStress()
    {
    }

    /** One step. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Send
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);

        @Actor
        public void send()
        {
            for (int i = 1; i <= MESSAGE_COUNT; i++)
            {
                sender.send(i, (i & 1) == 0 ? IN_SLOT : IN_RING);
            }
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

    /** Claimed, filled and published. */
    @JCStressTest
    @JCStressMeta(Delivery.class)
    @State
    public static class Claim
    {
        private final StressInbox inbox = new StressInbox(GEOMETRY);
        private final StressSender sender = inbox.attached(StressInbox.SENDER);

        @Actor
        public void send()
        {
            for (int i = 1; i <= MESSAGE_COUNT; i++)
            {
                sender.claim(i, (i & 1) == 0 ? IN_SLOT : IN_RING);
            }
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
