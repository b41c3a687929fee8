// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.ErrorHandler;
import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.cluster.HostDirectory;
import org.grim.cluster.HostNetwork;
import org.grim.thread.WorkThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host's agent in a node: the first node of the host runs it; the others watch this role, and one follows when it
 * becomes free.
 * <p>Thread: any; the agent has its own. Owns: that thread, and the agent's group.
 */
final class EmbeddedAgent implements HostNetwork, WorkThread.Work
{
    private static final Logger LOGGER = LoggerFactory.getLogger(EmbeddedAgent.class);
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(80);
    private static final long SEAT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(5);

    private final NetworkSettings settings;
    private final String cluster;
    private final String label;
    private final ClockWatch clocks = new ClockWatch();         // The agent's thread.
    private final ErrorHandler errors;
    private final Object following = new Object();
    private HostDirectory directory;
    private Thread thread;
    private boolean mayFollow;                                  // Under the lock of following.
    private boolean hasAgentRole;
    private long idleNs = IDLE_NS;
    private Group group;
    private ToolSocket tools;
    private HostAgent agent;
    private String followFailure;
    private volatile boolean isStopped;
    private volatile boolean isLast;

    EmbeddedAgent(
        final NetworkSettings settings, final String cluster, final String label, final ErrorHandler errors)
    {
        this.settings = settings;
        this.cluster = cluster;
        this.label = label;
        this.errors = errors;
    }

    @Override
    public long joinTimeoutNs()
    {
        return settings.joinTimeoutNs();
    }

    @Override
    public void start(final HostDirectory newDirectory)
    {
        directory = newDirectory;
        isStopped = false;
        mayFollow = true;
        thread = WorkThread.of("grim-agent-" + label, this, errors);
        boolean isStarted = false;
        try
        {
            tryBegin();
            thread.start();
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                isStopped = true;               // Nobody waits for a thread that never was.
                giveUp();
            }
        }
    }

    @Override
    public void stopFollowing()
    {
        synchronized (following)
        {
            mayFollow = false;
        }
    }

    @Override
    public void leave(final boolean isLastOfHost)
    {
        if (thread == null || isStopped)
        {
            return;
        }
        isLast = isLastOfHost;
        isStopped = true;
        LockSupport.unpark(thread);
        Uninterrupted.join(thread);
    }

    @Override
    public boolean isOver()
    {
        return isStopped;
    }

    /** One bad step costs no more than itself: all that matters is said again. */
    @Override
    public void step()
    {
        LockSupport.parkNanos(agent == null ? SEAT_NS : idleNs);
        if (agent == null)
        {
            followIfAllowed();
        }
        else
        {
            idleNs = doWork() > 0 ? IDLE_NS : Math.min(idleNs * 3 / 2, IDLE_NS_MAX);
        }
    }

    /** Runs after any failure: the host's next agent needs the role. */
    @Override
    public void release()
    {
        try
        {
            finish();
        }
        finally
        {
            giveUp();
        }
    }

    private int doWork()
    {
        final long nowNs = System.nanoTime();
        final long epochMs = System.currentTimeMillis();
        final String jump = clocks.jump(nowNs, epochMs);
        if (jump != null)
        {
            LOGGER.warn("host={}: {}; ages that tools show are wrong for some seconds", label, jump);
        }
        final int workCount = agent.doWork(nowNs, epochMs);
        if (agent.mustRestart())
        {
            giveUp();
            return workCount;
        }
        return workCount + tools.poll(agent);           // The last: without descriptors it fails each time.
    }

    private void followIfAllowed()
    {
        synchronized (following)
        {
            if (mayFollow)
            {
                follow();
            }
        }
    }

    private void follow()
    {
        try
        {
            tryBegin();
        }
        catch (final GrimException ex)
        {
            if (!ex.getMessage().equals(followFailure))         // It is tried again and again.
            {
                LOGGER.error("agent of host={} cannot follow the one before", label, ex);
            }
            followFailure = ex.getMessage();
        }
    }

    private void tryBegin()
    {
        hasAgentRole = directory.tryTakeAgentRole();
        if (!hasAgentRole)
        {
            return;
        }
        boolean isBegun = false;
        try
        {
            final NetworkSettings now = settings.lookedUp();
            if (now.xml().isEmpty())
            {
                now.requireOwnAddress();
            }
            group = GroupChannel.connect(now, cluster, label, () -> LockSupport.unpark(thread));
            tools = ToolSocket.open(directory.agentSocket());
            agent = new HostAgent(directory, settings, label, group);
            isBegun = true;
            warn(now.whyUnreachable());
            warn(now.whyJoinsFail());
        }
        finally
        {
            if (!isBegun)
            {
                giveUp();
            }
        }
    }

    private void warn(final String reason)
    {
        if (reason != null)
        {
            LOGGER.warn("agent of host={} {}", label, reason);
        }
    }

    /** Sends this node's last messages; nobody waits for a host without nodes. */
    private void finish()
    {
        if (agent != null)
        {
            tryWork();
        }
        if (agent != null && isLast)
        {
            agent.beginLeave();
            final long deadlineNs = System.nanoTime() + LEAVE_NS;
            while (agent != null && !agent.hasLeft() && System.nanoTime() - deadlineNs < 0)
            {
                if (tryWork() == 0)
                {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        }
    }

    private int tryWork()
    {
        try
        {
            return doWork();
        }
        catch (final RuntimeException | Error ex)
        {
            errors.onError(ex);
            return 0;
        }
    }

    @SuppressWarnings("try")            // They are closed, not used.
    private void giveUp()
    {
        try (ToolSocket oldTools = tools; Group oldGroup = group)
        {
            group = null;
            tools = null;
            agent = null;
        }
        finally
        {
            if (hasAgentRole)
            {
                hasAgentRole = false;
                directory.leaveAgentRole();
            }
        }
    }
}
