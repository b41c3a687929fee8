// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.death.History;
import org.slf4j.LoggerFactory;

/**
 * One incarnation of a node that sends to all others by all kinds of send until it is asked to leave.
 * <p>Thread: its own, and one for a shared link.
 */
final class CampaignNode implements Runnable, Endpoint.NodeGoneListener
{
    private static final long REFUSED_PAUSE_NS = 500_000_000;
    private static final int BURST_LENGTH_MAX = 12;

    final int index;
    /** Advances while the node's thread runs. */
    volatile long stepCount;

    private final GrimConfig.Builder config;
    private final String name;
    private final int key;
    private final SplittableRandom random;
    private final Pace pace;
    private final Map<Integer, Integer> peers;
    private final History.Sink history;
    private final ActiveTime activeTime = new ActiveTime();
    private final Thread thread;
    private volatile boolean isQuiet;
    private volatile boolean isLeaving;
    private volatile boolean isFenced;
    private volatile int question;
    private int answered;
    private boolean hasJoined;
    private Sending sending;

    CampaignNode(
        final GrimConfig.Builder config, final String name, final int index, final int key, final long seed,
        final Pace pace, final Map<Integer, Integer> peers, final History.Sink history)
    {
        this.config = config;
        this.name = name;
        this.index = index;
        this.key = key;
        this.pace = pace;
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

    /** Its thread says whom it sees. */
    void ask(final int newQuestion)
    {
        question = newQuestion;
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
            serve(grim);
        }
        catch (final Throwable ex)
        {
            if (hasJoined || !(ex instanceof final GrimException refusal))
            {
                onError(ex);
                return;
            }
            LoggerFactory.getLogger(CampaignNode.class).warn("{} key={} is refused: {}", name, key, ex.toString());
            LockSupport.parkNanos(REFUSED_PAUSE_NS);
            history.onRecord(HistoryRecord.REFUSED, index, HistoryRecord.indexOf(refusal.reason()), 0, 0);
            return;
        }
        history.onRecord(isFenced ? HistoryRecord.FENCED : History.LEFT, index, 0, 0, 0);
    }

    @Override
    public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
    {
        history.onRecord(HistoryRecord.NODE_GONE, index,
            HistoryRecord.incarnationOf(node.number(), node.incarnation()), (int)undelivered, (int)unknown);
    }

    @Override
    public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
    {
        history.onRecord(HistoryRecord.PATH_LOST, index,
            HistoryRecord.incarnationOf(node.number(), node.incarnation()), (int)undelivered, (int)unknown);
    }

    private void onError(final Throwable ex)
    {
        if (ex instanceof final GrimException failure && failure.reason() == GrimException.Reason.FENCED)
        {
            isFenced = true;
            return;
        }
        LoggerFactory.getLogger(CampaignNode.class).error(name + " key=" + key, ex);
        history.onRecord(HistoryRecord.FAILED, index, 0, 0, 0);
    }

    private void serve(final Grim grim)
    {
        sending = new Sending(grim, index, key, random, peers, history, activeTime, pace);
        new Receiving(index, history, (node, channel, message) ->
        {
            if (!isQuiet && !isLeaving && stepCount > 0)
            {
                sending.answer(node, channel, message);
            }
        }).register(grim.handlers());
        grim.handlers().register("of-" + name, message ->
        {
        });
        grim.endpoint().onNodeGone(this);
        grim.start();
        final HandlerId whole = grim.handlers().resolve(Receiving.WHOLE);
        final HandlerId pieces = grim.handlers().resolve(Receiving.PIECES);
        final HandlerId own = grim.handlers().resolve("of-" + name);
        hasJoined = true;
        sending.sinks(whole, pieces);
        final SharedSending shared = new SharedSending(index, key, pace, random.split(), history, whole, pieces);
        shared.start();
        history.onRecord(History.JOINED, index, grim.node().number(), grim.node().incarnation(),
            own.number());
        while (!isLeaving && !isQuiet && !isFenced)
        {
            advance();
            step(grim, shared);
        }
        shared.stop();
        while (!sending.finish(isLeaving || isFenced))
        {
            advance();
            grim.endpoint().poll();
        }
        history.onRecord(HistoryRecord.QUIET, index, 0, 0, 0);
        while (!isLeaving && !isFenced)
        {
            advance();
            answer(grim);
            pause(grim.endpoint().poll());
        }
    }

    private void step(final Grim grim, final SharedSending shared)
    {
        int workCount = grim.endpoint().poll();
        answer(grim);
        final int burstLength = random.nextInt(pace.burstOdds) == 0 ? random.nextInt(BURST_LENGTH_MAX) : 0;
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

    private void answer(final Grim grim)
    {
        final int asked = question;
        if (asked == answered)
        {
            return;
        }
        answered = asked;
        for (final NodeInfo node : grim.nodes())
        {
            if (node.state() != NodeInfo.State.GONE)
            {
                history.onRecord(HistoryRecord.SEEN, index, asked,
                    HistoryRecord.incarnationOf(node.number(), node.incarnation()),
                    node.state() == NodeInfo.State.UP ? 1 : 0);
            }
        }
        history.onRecord(HistoryRecord.SEEN, index, asked, -1, 0);
    }

    private void pause(final int workCount)
    {
        LockSupport.parkNanos(workCount == 0 ? pace.idlePauseNs : pace.pauseNs);
    }
}
