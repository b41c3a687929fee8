// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.buffer.Cleanup;
import org.grim.transport.TransportProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * Has the JIT compiler see a node's transports before the node joins. For one transport after the other two nodes of
 * this process, alone in a cluster of their own beside the node's, pass messages through the same classes until
 * compilation stands still, and leave. Where a transport needs no files one node passes them to itself.
 * <p>Thread: the one that joins. Owns: both nodes; nothing of them stays.
 */
final class WarmUp implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger("org.grim.Grim");
    private static final String CLUSTER_PREFIX = "warm-up-";
    private static final int CLUSTER_COUNT = 64;            // That are warmed up beside each other.
    private static final int HANDLER_NUMBER = HandlerId.NUMBER_MIN;
    private static final int[] SHORT_LENGTHS = {0, 8, 32, 256};
    private static final int[] LONG_LENGTHS = {2 << 10, 16 << 10};
    private static final int SHORT_COUNT = 400;
    private static final int LONG_COUNT = 40;
    private static final int IDLE_POLL_COUNT = 8;           // Real loops find nothing most of the time.
    private static final int POLLS_PER_LOOK = 1 << 12;
    private static final long WINDOW_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int WINDOW_SHARE = 4;              // Of the time so far: a long compilation counts at its end.
    private static final int COMPILE_PERCENT_MAX = 5;

    private final HandlerId handler = HandlerId.of(HANDLER_NUMBER);
    private final AtomicBuffer payload = Buffers.allocate(LONG_LENGTHS[LONG_LENGTHS.length - 1]);
    private final ClusterNode near;
    private final ClusterNode far;
    private final Link toFar;
    private final Link toNear;
    private final long deadlineNs;
    private long handledCount;

    private WarmUp(final NodeConfig config, final boolean isPair, final long deadlineNs)
    {
        this.deadlineNs = deadlineNs;
        near = ClusterNode.join(config.with(Map.of("grim.node.name", "near")));
        try
        {
            far = isPair ? ClusterNode.join(config.with(Map.of("grim.node.name", "far"))) : near;
            near.handlerTable().bind(0, HANDLER_NUMBER, this::onMessage);
            far.handlerTable().bind(0, HANDLER_NUMBER, this::onMessage);
            toFar = near.endpoint().link(far.endpoint().id());
            toNear = far.endpoint().link(near.endpoint().id());
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, near);
            throw ex;
        }
    }

    /**
     * Warms up, for as long as the configuration allows; does nothing if that is no time. Failures are logged: the node
     * can join without.
     */
    static void run(final NodeConfig config)
    {
        final long limitNs = config.keys().warmUpNs();
        final CompilationMXBean compiler = limitNs == 0 ? null : ManagementFactory.getCompilationMXBean();
        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported())
        {
            return;                         // Nobody asked for it, or nothing is ever compiled.
        }
        final long deadlineNs = System.nanoTime() + limitNs;
        for (final TransportProvider provider : TransportChoice.of(config))
        {
            final long startNs = System.nanoTime();
            try (WarmUp warmUp = begin(config, provider, deadlineNs))
            {
                final boolean isWarm = warmUp.runUntilWarm(compiler, startNs);
                LOGGER.info("warmed up transport={} ms={}{}", provider.name(),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs),
                    isWarm ? "" : ": compilation goes on (grim.warm-up)");
            }
            catch (final GrimException ex)
            {
                if (ex.reason() == NO_ROOM)
                {
                    LOGGER.warn("transport={} is not warm: {}", provider.name(), ex.getMessage());
                }
                else
                {
                    LOGGER.warn("transport={} is not warm", provider.name(), ex);
                }
            }
        }
    }

    /**
     * In the first cluster where nobody else is, and nothing of another version: what a process left that was killed
     * meanwhile goes with it.
     */
    private static WarmUp begin(final NodeConfig config, final TransportProvider provider, final long deadlineNs)
    {
        for (int cluster = 0; ; cluster++)
        {
            try
            {
                return new WarmUp(
                    privateConfig(config, provider, cluster), provider.needsClusterDirectory(), deadlineNs);
            }
            catch (final GrimException ex)
            {
                if ((ex.reason() != NAME_TAKEN && ex.reason() != BAD_DATA) || cluster == CLUSTER_COUNT - 1)
                {
                    throw ex;
                }
            }
        }
    }

    /** Returns this node's configuration with the same queues, in a cluster of its own. */
    private static NodeConfig privateConfig(
        final NodeConfig config, final TransportProvider provider, final int cluster)
    {
        final Map<String, Object> values = new HashMap<>(NetworkChoice.warmUpSettings());
        values.putAll(provider.warmUpSettings());
        values.putAll(Map.of("grim.warm-up", 0, "grim.counters.file", false, "grim.node.mxbean", false,
            "grim.cluster.nodes-max", 2, "grim.transports", List.of(provider.name()), "grim.cluster.name",
            CLUSTER_PREFIX + cluster));
        return config.with(values);
    }

    /** False if the time was over before. */
    private boolean runUntilWarm(final CompilationMXBean compiler, final long startNs)
    {
        long windowNs = startNs;
        long windowCompileMs = compiler.getTotalCompilationTime();
        long nowNs = System.nanoTime();
        while (nowNs - deadlineNs < 0 && burst(SHORT_LENGTHS, SHORT_COUNT) && burst(LONG_LENGTHS, LONG_COUNT))
        {
            nowNs = System.nanoTime();
            final long lengthNs = nowNs - windowNs;
            if (lengthNs > Math.max(WINDOW_NS_MIN, (nowNs - startNs) / WINDOW_SHARE))
            {
                final long compileMs = compiler.getTotalCompilationTime();
                final long compileNs = TimeUnit.MILLISECONDS.toNanos(compileMs - windowCompileMs);
                if (compileNs * 100 <= lengthNs * COMPILE_PERCENT_MAX)
                {
                    return true;
                }
                windowNs = nowNs;
                windowCompileMs = compileMs;
            }
        }
        return false;
    }

    /** Sends one at a time, there and back; then as many as fit, both ways. Returns false if the time is over. */
    private boolean burst(final int[] lengths, final int count)
    {
        boolean isInTime = true;
        for (final int length : lengths)
        {
            for (int i = 0; i < count && isInTime; i++)
            {
                for (int poll = 0; poll < IDLE_POLL_COUNT; poll++)
                {
                    poll();
                }
                isInTime = deliver(toFar, length, 1) && deliver(toNear, length, 1);
            }
            isInTime = isInTime && deliver(toFar, length, count) && deliver(toNear, length, count);
        }
        return isInTime;
    }

    private boolean deliver(final Link link, final int lengthMax, final int count)
    {
        final int length = Math.min(lengthMax, link.payloadLengthMax());
        final long endCount = handledCount + count;
        int sentCount = 0;
        for (long pollCount = 0; handledCount < endCount; pollCount++)
        {
            while (sentCount < count && link.send(handler, payload, 0, length) == SendStatus.SENT)
            {
                sentCount++;
            }
            poll();
            if (pollCount % POLLS_PER_LOOK == POLLS_PER_LOOK - 1 && System.nanoTime() - deadlineNs > 0)
            {
                return false;
            }
        }
        return true;
    }

    private void poll()
    {
        near.endpoint().poll();
        far.endpoint().poll();
    }

    private void onMessage(final ActiveMessage message)
    {
        handledCount++;
    }

    @Override
    public void close()
    {
        if (far != near)
        {
            far.close();
        }
        near.close();
    }
}
