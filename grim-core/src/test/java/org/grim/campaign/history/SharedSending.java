// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.grim.death.History;
import org.grim.death.Patterns;

/**
 * A second thread of a node, which sends on shared links that the node's thread makes for it, and closes them.
 * <p>Thread: its own; {@link #renew} is for the node's.
 */
final class SharedSending implements Runnable
{
    private static final int SHORT_LENGTH = 33;

    private final int index;
    private final int key;
    private final Pace pace;
    private final HandlerId[] sinks;
    private final SplittableRandom random;
    private final History.Sink history;
    private final ActiveTime activeTime = new ActiveTime();
    private final AtomicReference<Flow> offered = new AtomicReference<>();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[Sending.LENGTH_MAX]);
    private final Thread thread = new Thread(this, "shared");
    private volatile boolean isOver;
    private Flow flow;

    SharedSending(
        final int index, final int key, final Pace pace, final SplittableRandom random, final History.Sink history,
        final HandlerId... sinks)
    {
        this.index = index;
        this.key = key;
        this.pace = pace;
        this.sinks = sinks.clone();
        this.random = random;
        this.history = history;
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    /** Another link, if the thread has none. */
    void renew(final Grim grim, final Sending sending, final SplittableRandom nodeRandom)
    {
        final int number = offered.get() == null ? sending.anyPeer() : -1;
        if (number < 0 || number == grim.endpoint().id().node())
        {
            return;
        }
        final int channel = nodeRandom.nextInt(Sending.CHANNEL_COUNT);
        final int before = sending.incarnationUp(number);
        if (before < 0)
        {
            return;
        }
        try
        {
            final SharedLink link = grim.endpoint().sharedLink(EndpointId.of(number, 0, channel));
            if (sending.incarnationUp(number) == before)
            {
                offered.set(new Flow(link, sending.nextStream(before, HistoryRecord.KIND_SHARED), channel, before));
            }
            else
            {
                link.close();
            }
        }
        catch (final GrimException ex)
        {
            return;                     // Gone, or it has no queue for one more sender.
        }
    }

    /** Waits until the thread is over, and its link closed. */
    void stop()
    {
        isOver = true;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run()
    {
        while (!isOver)
        {
            activeTime.advance();
            flow = offered.get();
            if (flow == null || !step() || random.nextInt(8) == 0)
            {
                LockSupport.parkNanos(pace.sharedPauseNs);
            }
        }
        close();
    }

    private boolean step()
    {
        final int next = flow.next();
        final int length = random.nextInt(3) > 0 ? random.nextInt(SHORT_LENGTH) :
            random.nextInt(flow.link.payloadLengthMax() + 1);
        Patterns.fill(scratch, 0, length, key, next);
        final SendStatus status = flow.link.send(sinks[random.nextInt(sinks.length)], key, flow.stream, next,
            Patterns.checksum(scratch, 0, length, key, flow.stream, next), scratch, 0, length);
        if (status.isAccepted())
        {
            history.onRecord(HistoryRecord.ACCEPTED, index, flow.stream, next, length);
            flow.progressed();
        }
        else if (status == SendStatus.BACK_PRESSURED || status == SendStatus.BUSY)
        {
            final long stuckNs = flow.refused(activeTime.ns(), pace.hungNs);
            if (stuckNs > 0)
            {
                history.onRecord(HistoryRecord.HUNG, index, flow.stream, flow.destination,
                    (int)(stuckNs / 1_000_000));
            }
        }
        else if (status == SendStatus.CLOSED)
        {
            throw new IllegalStateException("shared stream=" + flow.stream + " is CLOSED");
        }
        if (status == SendStatus.PEER_GONE || random.nextInt(400) == 0)
        {
            close();
        }
        return status.isAccepted();
    }

    private void close()
    {
        final Flow last = offered.getAndSet(null);
        if (last != null)
        {
            ((SharedLink)last.link).close();
        }
    }
}
