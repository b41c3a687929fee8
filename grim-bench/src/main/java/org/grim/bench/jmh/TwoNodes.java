// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.bench.process.FarHandler;
import org.grim.buffer.Buffers;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.process.PrivateDirectory;

/**
 * Two nodes in one thread, each with a board of its own that whoever sends or polls steps: one sends to the other.
 * <p>Thread: one, the maker's. Owns: both nodes and their cluster.
 */
final class TwoNodes implements AutoCloseable
{
    private static final String COUNT = "count";

    private final PrivateDirectory directory;
    private final Grim near;
    private final Grim far;
    private final Link link;
    private final AtomicBuffer payload;
    private final HandlerId handler;
    private final int payloadLength;
    private long receivedCount;

    TwoNodes(final int payloadLength)
    {
        this.payloadLength = payloadLength;
        payload = Buffers.allocate(Math.max(1, payloadLength));
        directory = PrivateDirectory.create("grim-hops-", null);
        near = enable("near");
        far = enable("far");
        near.handlers().register(COUNT, message -> receivedCount--);
        near.join();
        FarHandler.register(near, far, COUNT, message -> receivedCount++);
        handler = near.handlers().resolve(COUNT);
        link = near.endpoint().link(near.locate("far"));
    }

    /** Appends the message, transmits it and puts it on the wire. */
    void send()
    {
        final SendStatus status = link.send(handler, 1, 2, 3, 4, payload, 0, payloadLength);
        if (status != SendStatus.SENT)
        {
            throw new IllegalStateException("status=" + status);
        }
    }

    /** Takes the message from the wire, delivers it and runs the handler; returns messages so far. */
    long receive()
    {
        far.poll();
        return receivedCount;
    }

    /** Takes the acknowledgement. */
    void settle()
    {
        near.poll();
    }

    @Override
    public void close()
    {
        far.close();
        near.close();
        directory.close();
    }

    private Grim enable(final String name)
    {
        return Grim.enable(BoardKind.DUTY_CYCLE.apply(
            GrimConfig.builder().nodeName(name).directory(directory.path())
                .set("grim.liveness.interval", "1m").build()));
    }
}
