// SPDX-License-Identifier: Apache-2.0
package org.grim.handlers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.HandlerRegistry;
import org.grim.buffer.Uninterrupted;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.HandlerDatabase;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.StreamAdapter;
import org.grim.text.SafeText;
import org.grim.wire.NamedHandler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Handlers of this node by name, and the ids that the cluster gave the names.
 * <p>Thread: any.
 */
public final class NodeHandlers implements HandlerRegistry
{
    private static final ActiveMessage.Handler[] NONE = {};
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final long resolveTimeoutNs;
    private final HandlerExchange exchange;
    private final Map<String, ActiveMessage.Handler[]> handlers = new LinkedHashMap<>();        // By device.
    private final Map<String, NamedHandler> ids = new HashMap<>();
    private final Map<String, Integer> wanted = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();
    private final HandlerTable table = new HandlerTable(this::findIds);
    private final ClusterDirectory directory;
    private EndpointState host;
    private IntSupplier poll;
    private volatile boolean mayHaveNamesWithoutId;

    /**
     * Knows no handlers but GRIM's own.
     *
     * @param resolveTimeoutNs longest wait for a name's id.
     * @param directory        of the cluster.
     */
    public NodeHandlers(final long resolveTimeoutNs, final ClusterDirectory directory)
    {
        this.resolveTimeoutNs = resolveTimeoutNs;
        this.directory = directory;
        exchange = new HandlerExchange(this, directory);
        exchange.register(table);
    }

    @Override
    public HandlerId register(final String name, final ActiveMessage.Handler handler)
    {
        return register(0, name, handler);
    }

    private HandlerId register(final int device, final String name, final ActiveMessage.Handler handler)
    {
        checkName(name);
        Objects.requireNonNull(handler, "handler");
        final NamedHandler id;
        synchronized (this)
        {
            refused.remove(name);               // Another try.
            handlers.computeIfAbsent(name, key -> new ActiveMessage.Handler[EndpointId.DEVICE_MAX + 1])[device] =
                handler;
            id = ids.computeIfAbsent(name, NamedHandler::new);
            if (id.isKnown())                   // With any keeper the id stays the name's.
            {
                table.bind(device, id.number(), handler);
            }
            else
            {
                mayHaveNamesWithoutId = true;
            }
        }
        exchange.unsettle();
        return id;
    }

    @Override
    public HandlerId registerStream(final String name, final ActiveMessage.Stream.Handler handler)
    {
        return register(name, new StreamAdapter(Objects.requireNonNull(handler, "handler")));
    }

    /**
     * Returns the registry of a device: handlers of its own, and the names and ids of the node.
     *
     * @param device 1 to {@link EndpointId#DEVICE_MAX}.
     * @return a new one; {@link #forget} ends its handlers.
     */
    public HandlerRegistry ofDevice(final int device)
    {
        return new DeviceHandlers(this, device);
    }

    /**
     * Runs nothing for a device any more: it is closed.
     *
     * @param device 1 to {@link EndpointId#DEVICE_MAX}.
     */
    public synchronized void forget(final int device)
    {
        handlers.values().forEach(byDevice -> byDevice[device] = null);
        table.forget(device);
    }

    /** Waits until every name that was registered here has its id and is known to the cluster. */
    public void synchronise()
    {
        await(this::isSynchronised, () -> "handlers=" + SafeText.shorten(namesWithoutId()) +
            " were not acknowledged by node=" + exchange.keeper() + ", which keeps the handler database");
        requireNoneRefused();
    }

    @Override
    public HandlerId resolve(final String name)
    {
        final HandlerId known = tryResolve(name);
        if (known != null)
        {
            return known;
        }
        try
        {
            await(() -> tryResolve(name) != null,
                () -> "handler=" + SafeText.shorten(name) + " is unknown: no node has registered it");
            return tryResolve(name);
        }
        catch (final GrimException ex)
        {
            synchronized (this)
            {
                if (!isAwaited(name))           // Otherwise sends wait for it.
                {
                    wanted.remove(name);
                }
            }
            throw ex;
        }
    }

    @Override
    public synchronized HandlerId id(final String name)
    {
        if (tryResolve(name) == null)
        {
            ids.computeIfAbsent(name, NamedHandler::new).await();
        }
        return ids.get(name);
    }

    @Override
    public synchronized HandlerId tryResolve(final String name)
    {
        final NamedHandler id = ids.get(Objects.requireNonNull(name, "name"));
        if (id == null || !id.isKnown())
        {
            checkName(name);
            wanted.putIfAbsent(name, 0);
            exchange.unsettle();
            return null;
        }
        return id;
    }

    /** {@return what runs for which id} */
    public HandlerTable table()
    {
        return table;
    }

    /** Says which endpoint the exchange with the keeper uses. */
    public void host(final EndpointState newHost, final LinkTable links, final IntSupplier newPoll)
    {
        host = newHost;
        poll = newPoll;
        exchange.host(newHost, links);
    }

    /**
     * One step of the exchange with the keeper. Thread: the host endpoint's owner.
     *
     * @param nowNs of {@link System#nanoTime()}.
     * @return pieces of work done.
     */
    public int exchange(final long nowNs)
    {
        return exchange.step(nowNs);
    }

    /** Looks for ids that were entered for names of this node, and that the keeper has not said yet. */
    private void findIds()
    {
        if (mayHaveNamesWithoutId)
        {
            findIds(new HandlerDatabase(directory));
        }
    }

    private synchronized void findIds(final HandlerDatabase database)
    {
        namesWithoutId().forEach(name -> exchange.tryLearn(database, name));
        mayHaveNamesWithoutId = !namesWithoutId().isEmpty();
    }

    /** The keeper said what a name's id is. */
    synchronized void learn(final String name, final int id)
    {
        table.name(id, name);
        final ActiveMessage.Handler[] byDevice = handlers.getOrDefault(name, NONE);
        for (int device = 0; device < byDevice.length; device++)
        {
            if (byDevice[device] != null)
            {
                table.bind(device, id, byDevice[device]);
            }
        }
        ids.computeIfAbsent(name, NamedHandler::new).learn(id);     // Known to other threads only once it is bound.
        wanted.remove(name);
        refused.remove(name);
    }

    /** A name gets no id: not from this keeper, and as things are from no other. */
    synchronized void refuse(final String name, final String reason)
    {
        refused.put(name, reason);
    }

    /** Names that have handlers here, and that no keeper has acknowledged or must refuse. */
    synchronized List<String> namesWithoutId()
    {
        final List<String> names = new ArrayList<>(handlers.keySet());
        names.removeIf(name -> ids.get(name).isKnown());
        names.removeAll(refused.keySet());
        return names;
    }

    private boolean isAwaited(final String name)
    {
        final NamedHandler id = ids.get(name);
        return id != null && id.isAwaited();
    }

    synchronized List<String> wantedNames()
    {
        return new ArrayList<>(wanted.keySet());
    }

    private synchronized boolean isSynchronised()
    {
        return !refused.isEmpty() || namesWithoutId().isEmpty();
    }

    private synchronized void requireNoneRefused()
    {
        if (!refused.isEmpty())
        {
            final Map.Entry<String, String> first = refused.entrySet().iterator().next();
            throw new GrimException(NO_ROOM, "handlers count=" + refused.size() + " have no id, the first is " +
                SafeText.shorten(first.getKey()) + ": " + first.getValue());
        }
    }

    private void await(final BooleanSupplier isDone, final Supplier<String> failure)
    {
        final long timeoutNs = resolveTimeoutNs;
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final IdleStrategy idle = new BackoffIdleStrategy();
        exchange.hurry();
        while (!isDone.getAsBoolean())
        {
            host.requireOpen();
            directory.requireNotFenced();
            if (System.nanoTime() - deadlineNs > 0)
            {
                final String reason = exchange.failure();
                throw new GrimException(TIMED_OUT,
                    failure.get() + ": waited=" + TimeUnit.NANOSECONDS.toMillis(timeoutNs) +
                    " ms (grim.handlers.resolve-timeout)" + (reason == null ? "" : "; " + reason));
            }
            if (host.isOwnedByAnother())
            {
                Uninterrupted.park(PAUSE_NS);
            }
            else
            {
                idle(idle, poll.getAsInt() + exchange.step(System.nanoTime()));
            }
        }
    }

    /** Strategies of Agrona do not sleep on a thread that is interrupted. */
    private static void idle(final IdleStrategy strategy, final int workCount)
    {
        if (workCount == 0 && Thread.currentThread().isInterrupted())
        {
            Uninterrupted.park(PAUSE_NS);
        }
        else
        {
            strategy.idle(workCount);
        }
    }

    private static void checkName(final String name)
    {
        final int length = Objects.requireNonNull(name, "name").getBytes(UTF_8).length;
        if (length < 1 || length > NAME_LENGTH_MAX || !SafeText.isPrintable(name))
        {
            throw new IllegalArgumentException("handler name=" + SafeText.shorten(name) + " is not 1 to " +
                NAME_LENGTH_MAX + " bytes of UTF-8 without control characters: length=" + length);
        }
    }

    /**
     * Handlers of one device. Any thread.
     *
     * @param node   whose names and ids they have.
     * @param device of that node.
     */
    private record DeviceHandlers(NodeHandlers node, int device) implements HandlerRegistry
    {
        @Override
        public HandlerId register(final String name, final ActiveMessage.Handler handler)
        {
            return node.register(device, name, handler);
        }

        @Override
        public HandlerId registerStream(final String name, final ActiveMessage.Stream.Handler handler)
        {
            return register(name, new StreamAdapter(Objects.requireNonNull(handler, "handler")));
        }

        @Override
        public HandlerId id(final String name)
        {
            return node.id(name);
        }

        @Override
        public HandlerId resolve(final String name)
        {
            return node.resolve(name);
        }

        @Override
        public HandlerId tryResolve(final String name)
        {
            return node.tryResolve(name);
        }
    }
}
