// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.death.History;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of a node that sends to all others in all ways until it is told to leave.
 * <p>Thread: its own, and one for a shared link.
 */
final class CampaignNode implements Runnable, Endpoint.NodeGoneListener
{
    /** Pauses after work and without, so that two cores have room for some dozen nodes and for new processes. */
    private static final long PAUSE_NS = 200_000;
    private static final long IDLE_PAUSE_NS = 1_000_000;
    private static final int BURST_LENGTH_MAX = 12;

    final int index;
    /** Advances while the node's thread runs. */
    volatile long stepCount;

    private final GrimConfig.Builder config;
    private final String name;
    private final int key;
    private final SplittableRandom random;
    private final Map<Integer, Integer> peers;
    private final History.Sink history;
    private final ActiveTime activeTime = new ActiveTime();
    private final Thread thread;
    private volatile boolean isQuiet;
    private volatile boolean isLeaving;
    private Sending sending;

    CampaignNode(
        final GrimConfig.Builder config, final String name, final int index, final int key, final long seed,
        final Map<Integer, Integer> peers, final History.Sink history)
    {
        this.config = config;
        this.name = name;
        this.index = index;
        this.key = key;
        this.peers = peers;
        this.history = history;
        random = new SplittableRandom(seed);
        thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    void quiet()
    {
        isQuiet = true;
    }

    void leave()
    {
        isLeaving = true;
    }

    boolean isOver()
    {
        return !thread.isAlive();
    }

    @Override
    public void run()
    {
        try (Grim grim = Grim.enable(config.errorHandler(this::onError).build()))
        {
            live(grim);
        }
        catch (final Throwable ex)
        {
            onError(ex);
            return;
        }
        history.onRecord(History.LEFT, index, 0, 0, 0);
    }

    @Override
    public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
    {
        history.onRecord(HistoryRecord.NODE_GONE, index,
            HistoryRecord.incarnationOf(node.number(), node.incarnation()), (int)undelivered, (int)unknown);
    }

    @Override
    public void onWayLost(final NodeInfo node, final long undelivered, final long unknown)
    {
        history.onRecord(HistoryRecord.WAY_LOST, index,
            HistoryRecord.incarnationOf(node.number(), node.incarnation()), (int)undelivered, (int)unknown);
    }

    private void onError(final Throwable ex)
    {
        LoggerFactory.getLogger(CampaignNode.class).error(name + " key=" + key, ex);
        history.onRecord(HistoryRecord.FAILED, index, 0, 0, 0);
    }

    private void live(final Grim grim)
    {
        sending = new Sending(grim, index, key, random, peers, history, activeTime);
        new Receiving(index, history, (node, channel, message) ->
        {
            if (!isQuiet && !isLeaving && stepCount > 0)
            {
                sending.answer(node, channel, message);
            }
        }).register(grim.handlers());
        grim.endpoint().onNodeGone(this);
        grim.join();
        final HandlerId whole = grim.handlers().resolve(Receiving.WHOLE);
        final HandlerId pieces = grim.handlers().resolve(Receiving.PIECES);
        sending.sinks(whole, pieces);
        final SharedSending shared = new SharedSending(index, key, random.split(), history, whole, pieces);
        shared.start();
        history.onRecord(History.JOINED, index, grim.node().number(), grim.node().incarnation(), key);
        while (!isLeaving && !isQuiet)
        {
            advance();
            step(grim, shared);
        }
        shared.stop();
        while (!sending.finish(isLeaving))
        {
            advance();
            grim.poll();
        }
        history.onRecord(HistoryRecord.QUIET, index, 0, 0, 0);
        while (!isLeaving)
        {
            advance();
            pause(grim.poll());
        }
    }

    private void step(final Grim grim, final SharedSending shared)
    {
        int workCount = grim.poll();
        final int burstLength = random.nextInt(4) == 0 ? random.nextInt(BURST_LENGTH_MAX) : 0;
        for (int i = 0; i < burstLength; i++)
        {
            workCount += sending.step() ? 1 : 0;
        }
        if (random.nextInt(200) == 0)
        {
            shared.renew(grim, sending, random);
        }
        pause(workCount);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")        // One thread writes.
    private void advance()
    {
        activeTime.advance();
        stepCount++;
    }

    private static void pause(final int workCount)
    {
        LockSupport.parkNanos(workCount == 0 ? IDLE_PAUSE_NS : PAUSE_NS);
    }
}
