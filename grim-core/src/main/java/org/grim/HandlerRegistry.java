// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.buffer.Uninterrupted;
import org.grim.cluster.ClusterDirectory;
import org.grim.text.SafeText;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Handlers by name. Each name gets one id for the whole cluster, from the node that keeps the cluster's database;
 * messages carry the id. Requests to the keeper travel as active messages while the host endpoint polls.
 * <p>Thread: any. {@link #synchronise()} and {@link #resolve} poll the host endpoint themselves if the caller owns it
 * or nobody does, and otherwise wait for its owner to poll. Not for handlers, but for {@link #tryResolve}.
 */
public final class HandlerRegistry
{
    /** Longest name of a handler, in bytes of UTF-8. */
    public static final int NAME_LENGTH_MAX = 200;

    private static final ActiveMessageHandler[] NONE = {};
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final GrimConfig config;
    private final HandlerExchange exchange;
    private final Map<String, ActiveMessageHandler[]> handlers = new LinkedHashMap<>();        // By device.
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<String, Integer> wanted = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();
    private final HandlerTable table = new HandlerTable();
    private final int deviceCount;
    private Endpoint host;

    HandlerRegistry(final GrimConfig config, final ClusterDirectory directory)
    {
        this.config = config;
        exchange = new HandlerExchange(this, directory);
        exchange.register((id, handler) -> table.bind(0, id, handler));
        deviceCount = config.devices().size();
    }

    /**
     * Says what to run for a name on the host's CPU: for messages to device 0. Messages for it arrive after
     * {@link #synchronise()}; from the next one on if this node knows the name's id already.
     * <p>The names of a cluster share 262,144 bytes, for as long as it lives: each takes its own length, rounded up to
     * 8, and 8 more. That is room for 8,192 names of up to 24 bytes, or 1,260 of {@value #NAME_LENGTH_MAX}.
     *
     * @param name    the same on all nodes; 1 to {@value #NAME_LENGTH_MAX} bytes of UTF-8 without control characters.
     * @param handler to run; replaces an earlier one of the name.
     * @throws IllegalArgumentException if the name is too long, empty, or cannot be printed.
     * @throws NullPointerException     if the name or the handler is null.
     */
    public void register(final String name, final ActiveMessageHandler handler)
    {
        register(0, name, handler);
    }

    /**
     * Says what to run for a name on one of this node's devices, on the thread that polls the message's channel. A
     * device runs its own handlers only: a message for it whose name it has no handler for is refused and counted
     * ({@link RejectReason#NO_DEVICE_HANDLER}), also when the host's CPU has one.
     *
     * @param device  by its number: 0, the host's CPU, to one less than {@code grim.node.devices} has.
     * @param name    as for {@link #register(String, ActiveMessageHandler)}; devices may share it.
     * @param handler to run; replaces an earlier one of the device and name.
     * @throws IllegalArgumentException if the name is too long or empty, or this node has no such device.
     */
    public void register(final int device, final String name, final ActiveMessageHandler handler)
    {
        checkName(name);
        Objects.requireNonNull(handler, "handler");
        if (device < 0 || device >= deviceCount)
        {
            throw new IllegalArgumentException(
                "device=" + device + " is outside 0 to " + (deviceCount - 1) + " (grim.node.devices)");
        }
        synchronized (this)
        {
            refused.remove(name);               // Another try.
            handlers.computeIfAbsent(name, key -> new ActiveMessageHandler[deviceCount])[device] = handler;
            final Integer id = ids.get(name);
            if (id != null)                     // Whoever keeps the database now: the id stays the name's.
            {
                table.bind(device, id, handler);
            }
        }
        exchange.unsettle();
    }

    /**
     * Says what takes a message piece by piece for a name, while it arrives: no message is too long for it, and it
     * needs no memory. A message that was not sent as a stream is one to it all the same, of one or more pieces.
     *
     * @param name    as for {@link #register(String, ActiveMessageHandler)}.
     * @param handler of the pieces; replaces an earlier one of the name.
     * @throws IllegalArgumentException if the name is too long, empty, or cannot be printed.
     * @throws NullPointerException     if the name or the handler is null.
     */
    public void registerStream(final String name, final StreamHandler handler)
    {
        registerStream(0, name, handler);
    }

    /**
     * Says what takes a message piece by piece for a name on one of this node's devices.
     *
     * @param device  as for {@link #register(int, String, ActiveMessageHandler)}.
     * @param name    as for {@link #register(int, String, ActiveMessageHandler)}.
     * @param handler of the pieces; replaces an earlier one of the device and name.
     * @throws IllegalArgumentException if the name is too long or empty, or this node has no such device.
     */
    public void registerStream(final int device, final String name, final StreamHandler handler)
    {
        register(device, name, new StreamAdapter(Objects.requireNonNull(handler, "handler")));
    }

    /**
     * Waits until every name that was registered here has its id and is known to the cluster.
     *
     * @throws GrimException if the node that keeps the database does not answer in time; at once if there is no room
     *                       for a name.
     */
    public void synchronise()
    {
        await(this::isSynchronised, () -> "handlers=" + SafeText.shorten(namesWithoutId()) +
            " were not acknowledged by node=" + exchange.keeper() + ", which keeps the handler database");
        requireNoneRefused();
    }

    /**
     * Finds the id of a name, and waits for a node to register it if none has yet.
     *
     * @param name of the handler.
     * @return the id, 16 to 65,535.
     * @throws GrimException if no node registers the name within {@code grim.handlers.resolve-timeout}.
     */
    public int resolve(final String name)
    {
        final int known = tryResolve(name);
        if (known != 0)
        {
            return known;
        }
        try
        {
            await(() -> tryResolve(name) != 0,
                () -> "handler=" + SafeText.shorten(name) + " is unknown: no node has registered it");
            return tryResolve(name);
        }
        catch (final GrimException ex)
        {
            synchronized (this)
            {
                wanted.remove(name);            // Nobody waits for it any more.
            }
            throw ex;
        }
    }

    /**
     * Finds the id of a name if this node knows it, and else asks for it without waiting.
     *
     * @param name of the handler.
     * @return the id, or 0 if it is not known yet: poll, and call again.
     */
    public synchronized int tryResolve(final String name)
    {
        final Integer id = ids.get(Objects.requireNonNull(name, "name"));
        if (id == null)
        {
            checkName(name);
            wanted.putIfAbsent(name, 0);
            exchange.unsettle();
            return 0;
        }
        return id;
    }

    /** What runs for an id on a device; null if nothing does. */
    ActiveMessageHandler handler(final int device, final int id)
    {
        return table.handler(device, id);
    }

    /** What runs for an id on the device that a way ends at; null if nothing does. */
    ActiveMessageHandler handlerAt(final long way, final int id)
    {
        return table.handler(Dispatcher.device(way), id);
    }

    void host(final Endpoint newHost)
    {
        host = newHost;
    }

    /** One step of the exchange with the keeper. Thread: the host endpoint's owner. */
    int exchange(final Endpoint endpoint, final long nowNs)
    {
        return exchange.step(endpoint, nowNs);
    }

    /** The keeper said what a name's id is. */
    synchronized void learn(final String name, final int id)
    {
        ids.put(name, id);
        wanted.remove(name);
        refused.remove(name);
        final ActiveMessageHandler[] byDevice = handlers.getOrDefault(name, NONE);
        for (int device = 0; device < byDevice.length; device++)
        {
            if (byDevice[device] != null)
            {
                table.bind(device, id, byDevice[device]);
            }
        }
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
        names.removeAll(ids.keySet());
        names.removeAll(refused.keySet());
        return names;
    }

    synchronized List<String> wantedNames()
    {
        return new ArrayList<>(wanted.keySet());
    }

    /** The names that this node knows. */
    synchronized Map<String, Integer> idsForTest()
    {
        return new HashMap<>(ids);
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
            throw new GrimException("handlers count=" + refused.size() + " have no id, the first is " +
                SafeText.shorten(first.getKey()) + ": " + first.getValue());
        }
    }

    private void await(final BooleanSupplier isDone, final Supplier<String> failure)
    {
        final long timeoutNs = config.resolveTimeoutNs();
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final IdleStrategy idle = new BackoffIdleStrategy();
        exchange.hurry();
        while (!isDone.getAsBoolean())
        {
            host.requireOpen();
            if (System.nanoTime() - deadlineNs > 0)
            {
                final String reason = exchange.failure();
                throw new GrimException(failure.get() + ": waited=" + TimeUnit.NANOSECONDS.toMillis(timeoutNs) +
                    " ms (grim.handlers.resolve-timeout)" + (reason == null ? "" : "; " + reason));
            }
            if (host.isOwned())
            {
                Uninterrupted.park(PAUSE_NS);
            }
            else
            {
                idle(idle, host.poll() + exchange.step(host, System.nanoTime()));
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
}
