// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

/**
 * A node whose handler sends itself more than its receive queue holds: most of it goes through the overflow queue.
 * <p>Thread: one, the maker's. Owns: the node.
 */
final class CrowdedNode implements AutoCloseable
{
    /** Messages that the handler sends at a time. */
    static final int BURST = 64;

    private static final int SLOT_COUNT = 16;

    private final Grim grim;
    private final Link link;
    private final AtomicBuffer payload;
    private final HandlerId burstHandler;
    private final HandlerId countHandler;
    private final int payloadLength;
    private long receivedCount;
    private long queuedCount;

    CrowdedNode(final int payloadLength)
    {
        this.payloadLength = payloadLength;
        payload = Buffers.allocate(payloadLength);
        grim = Grim.enable(GrimConfig.builder().nodeName("crowded").transports("null")
            .set("grim.queue.exclusive", 1).set("grim.queue.slot-count", SLOT_COUNT).build());
        grim.handlers().register("burst", this::onBurst);
        grim.handlers().register("count", message -> receivedCount++);
        grim.join();
        burstHandler = grim.handlers().resolve("burst");
        countHandler = grim.handlers().resolve("count");
        link = grim.endpoint().link(grim.endpoint().id());
    }

    /** Has the handler send a burst, and polls until all of it has come. Returns messages so far. */
    long burst()
    {
        final long expectedCount = receivedCount + BURST;
        require(link.send(burstHandler, payload, 0, 0) == SendStatus.SENT);
        while (receivedCount < expectedCount)
        {
            require(grim.poll() > 0);
        }
        return receivedCount;
    }

    /** Messages that went through the overflow queue. */
    long queuedCount()
    {
        return queuedCount;
    }

    @Override
    public void close()
    {
        grim.close();
    }

    private void onBurst(final ActiveMessage message)
    {
        for (int i = 0; i < BURST; i++)
        {
            final SendStatus status = link.send(countHandler, i, 0, 0, 0, payload, 0, payloadLength);
            queuedCount += status == SendStatus.QUEUED ? 1 : 0;
        }
    }

    private void require(final boolean isGood)
    {
        if (!isGood)
        {
            throw new IllegalStateException("received=" + receivedCount + " queued=" + queuedCount);
        }
    }
}
