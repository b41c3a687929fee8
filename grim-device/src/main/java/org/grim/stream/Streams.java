// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.DeviceEndpoint;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.accelerator.FrameEntry;
import org.grim.device.accelerator.ItemFormat;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Sources and sinks of a node's streams: an endpoint of its own, beside the node's host endpoint.
 * <p>Thread: one, which polls; it need not be the host endpoint's owner.
 * <p>Owns: the endpoint and its connections, until {@link #close()}.
 */
public final class Streams implements AutoCloseable
{
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long OWNERS_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int NUMBER_MAX = 0xFFFF;

    private final Grim grim;
    private final DeviceEndpoint endpoint;
    private final EndpointPort port = new EndpointPort();
    private final CheckpointMemory checkpoints = new CheckpointMemory();
    private final StreamSinks sinks = new StreamSinks(port, ThreadLocalRandom.current().nextInt(1 << Short.SIZE));
    private final Map<Integer, StreamConnection> connections = new HashMap<>();
    private final IdleStrategy idle;
    private final Set<EndpointId> missingOwners = new HashSet<>();      // When they were looked for last.
    private int lastNumber = ThreadLocalRandom.current().nextInt(NUMBER_MAX);    // Sinks may know those before.
    private long ownersNs;

    private Streams(final Grim grim)
    {
        this.grim = grim;
        endpoint = grim.openDevice(DeviceSpec.of(NodeInfo.Device.OTHER));
        idle = endpoint.idleStrategy();
        endpoint.handlers().register(StreamFormat.ITEM, message -> sinks.onItem(message.argument(0),
            message.argument(1), message.buffer(), message.offset(), message.length()));
        endpoint.handlers().register(StreamFormat.SINK, this::onSink);
        endpoint.handlers().register(StreamFormat.PROBE, this::onProbe);
        endpoint.handlers().register(StreamFormat.CLOSE, message ->
            sinks.close(message.source().key(), message.argument(0)));
        endpoint.handlers().register(StreamFormat.ACCOUNT, this::onAccount);
        endpoint.handlers().register(StreamFormat.LIST, this::onList);
        endpoint.onNodeGone((node, undelivered, unknown) -> onNodeGone(node));
    }

    /**
     * Opens the streams of a node, on a free channel. Waits for the names of its handlers, and polls the host endpoint
     * meanwhile if the caller owns it or no thread owns it.
     *
     * @param grim node.
     * @return the streams; owned by the first thread that polls.
     * @throws GrimException if the node has no free device or channel, or the names have no ids in time.
     */
    public static Streams open(final Grim grim)
    {
        final Streams streams = new Streams(grim);
        try
        {
            for (final String name : List.of(StreamFormat.ITEM, StreamFormat.SINK, StreamFormat.PROBE,
                StreamFormat.CLOSE, StreamFormat.ACCOUNT, StreamFormat.LIST))
            {
                grim.handlers().resolve(name);
            }
            return streams;
        }
        catch (final GrimException ex)
        {
            streams.endpoint.close();
            throw ex;
        }
    }

    /** {@return name of this endpoint: the sink of a connection} */
    public EndpointId id()
    {
        return endpoint.id();
    }

    /**
     * Says who takes the results of connections of a name that end here. Replaces an earlier handler for later
     * connections.
     *
     * @param name    of the connections.
     * @param handler of the results.
     */
    public void onItems(final String name, final SinkHandler handler)
    {
        sinks.handler(name, handler);
    }

    /**
     * Opens a connection, and polls until its path is set. A stage whose device is not up is replaced by another
     * device that has the kernel.
     *
     * @param spec    of the connection.
     * @param timeout longest wait.
     * @return the connection, which this node owns.
     * @throws GrimException            if its path cannot be set in time: the text says why.
     * @throws IllegalArgumentException if a stage has the space of a stage of another connection.
     */
    public Connection open(final ConnectionSpec spec, final Duration timeout)
    {
        requireSpaces(spec);
        for (final Stage stage : spec.stages())
        {
            grim.handlers().resolve(ItemFormat.KERNEL_PREFIX + stage.kernel());
        }
        grim.handlers().resolve(FrameEntry.SET);
        do
        {
            lastNumber = (lastNumber + 1) & NUMBER_MAX;
        }
        while (connections.containsKey(lastNumber));
        final StreamConnection[] made = new StreamConnection[1];
        final StageStates states = new StageStates(port, checkpoints, spec, lastNumber);
        made[0] = new StreamConnection(port, spec, lastNumber, states, () -> pollUntil(() -> made[0].isDrained(),
            CLOSE_TIMEOUT_NS));
        connections.put(lastNumber, made[0]);
        if (!pollUntil(() -> made[0].isOpen() || made[0].isRefused() || made[0].isClosed(), timeout.toNanos()) ||
            !made[0].isOpen())
        {
            final String reason = made[0].failure() == null ?
                "no answer in " + timeout + " of " + made[0].awaited() : made[0].failure();
            made[0].abandon();
            throw new GrimException(GrimException.Reason.UNAVAILABLE, "connection " + spec.name() +
                " has no path: " + reason);
        }
        return made[0];
    }

    private void requireSpaces(final ConnectionSpec spec)
    {
        for (final StreamConnection connection : connections.values())
        {
            for (final Stage stage : spec.stages())
            {
                if (!connection.isClosed() && connection.usesSpace(stage.operands().space()))
                {
                    throw new IllegalArgumentException("space=" + stage.operands().space() +
                        " of connection " + spec.name() + " is that of a stage of another connection");
                }
            }
        }
    }

    /**
     * Bounds the checkpoints of all connections of this node, those that are being fetched among them: 256 MiB at
     * first. One that would exceed it is given up, and the one before stays.
     *
     * @param length bytes, 0 or more.
     * @throws IllegalArgumentException if the length is negative.
     */
    public void checkpointLengthMax(final long length)
    {
        checkpoints.lengthMax(length);
    }

    /**
     * Makes a client of an accelerator by this endpoint, for the pages that stages of its connections have there.
     *
     * @param device  to ask.
     * @param timeout longest wait of each call.
     * @return the client; its calls poll the endpoint, and its thread is the one that polls these streams.
     * @throws GrimException if the device cannot be reached.
     */
    public DeviceClient client(final EndpointId device, final Duration timeout)
    {
        return new DeviceClient(grim, endpoint, device, timeout);
    }

    /**
     * Does one duty cycle: runs handlers, sends accounts, changes paths.
     *
     * @return pieces of work done; 0 means idle.
     */
    public int poll()
    {
        int workCount = endpoint.poll();
        final long nowNs = System.nanoTime();
        for (final StreamConnection connection : new ArrayList<>(connections.values()))
        {
            workCount += connection.step(nowNs);
        }
        connections.values().removeIf(StreamConnection::isOver);
        if (nowNs - ownersNs >= OWNERS_INTERVAL_NS)
        {
            ownersNs = nowNs;
            lookForOwners();
        }
        return workCount + sinks.step();
    }

    /** An owner that was missed twice in a row has closed its endpoint, and could not say so. */
    private void lookForOwners()
    {
        final Set<EndpointId> missedBefore = Set.copyOf(missingOwners);
        missingOwners.clear();
        sinks.onOwnersGone(owner ->
        {
            final boolean isMissing = !port.isPresent(owner);
            if (isMissing)
            {
                missingOwners.add(owner);
            }
            return isMissing && missedBefore.contains(owner);
        });
    }

    /**
     * Returns an idle strategy for the thread that polls.
     *
     * @return the same object each time.
     */
    public IdleStrategy idleStrategy()
    {
        return idle;
    }

    /** Closes the connections that this node owns, and the endpoint. Sinks of other owners' connections are gone. */
    @Override
    public void close()
    {
        new ArrayList<>(connections.values()).forEach(StreamConnection::close);
        pollUntil(connections::isEmpty, CLOSE_TIMEOUT_NS);
        endpoint.close();
    }

    private boolean pollUntil(final BooleanSupplier isSo, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            if (System.nanoTime() - startNs >= timeoutNs)
            {
                return false;
            }
            idle.idle(poll());
        }
        return true;
    }

    private void onSink(final ActiveMessage message)
    {
        answer(message, () ->
            sinks.open(message.source().key(), message.argument(0), message.argument(1), message.text()));
    }

    private void onProbe(final ActiveMessage message)
    {
        answer(message, () ->
        {
            sinks.requireConnection(message.source().key(), message.argument(0));
            return 0;
        });
    }

    private static void answer(final ActiveMessage message, final IntSupplier value)
    {
        try
        {
            message.reply(DeviceCode.OK.number(), value.getAsInt(), 0, null, 0, 0);
        }
        catch (final DeviceException | IllegalArgumentException ex)
        {
            final byte[] text = ex.getMessage().getBytes(UTF_8);
            message.reply(ex instanceof final DeviceException refusal ? refusal.code().number() :
                DeviceCode.BAD_REQUEST.number(), 0, 0, new UnsafeBuffer(text), 0, text.length);
        }
    }

    private void onAccount(final ActiveMessage message)
    {
        final StreamConnection connection = connections.get(message.argument(0));
        if (connection != null && connection.sink().equals(message.source()))
        {
            connection.onAccount(message.argument(1), message.argument(2), message.text());
        }
    }

    private void onList(final ActiveMessage message)
    {
        final StringBuilder text = new StringBuilder();
        connections.values().forEach(connection -> text.append(connection.describe()));
        final byte[] bytes = text.toString().getBytes(UTF_8);
        message.reply(DeviceCode.OK.number(), 0, 0, new UnsafeBuffer(bytes), 0, bytes.length);
    }

    private void onNodeGone(final NodeInfo node)
    {
        port.links.keySet().removeIf(key -> EndpointId.ofKey(key).node() == node.number());
        sinks.onOwnersGone(owner -> owner.node() == node.number());
        new ArrayList<>(connections.values()).forEach(connection -> connection.onNodeGone(node.number()));
    }

    /** The endpoint of these streams. */
    private final class EndpointPort implements StreamPort
    {
        private final Map<Integer, Link> links = new HashMap<>();
        private final Map<String, HandlerId> names = new HashMap<>();

        @Override
        public SendStatus send(
            final int destination, final int handler, final int a0, final int a1, final int a2,
            final DirectBuffer buffer, final int offset, final int length)
        {
            return sent(destination, link -> handler == 0 ? SendStatus.BACK_PRESSURED :
                link.send(HandlerId.of(handler), a0, a1, a2, 0, buffer, offset, length));
        }

        @Override
        public Call call(
            final int destination, final int handler, final int a0, final int a1, final DirectBuffer buffer,
            final int length)
        {
            final ReplyCall call = new ReplyCall(endpoint.newReply());
            call.status = sent(destination, link -> handler == 0 ? SendStatus.BACK_PRESSURED : link.request(
                HandlerId.of(handler), a0, a1, 0, buffer, 0, length, CALL_TIMEOUT, call.reply));
            return call.status == SendStatus.BACK_PRESSURED ? null : call;
        }

        private SendStatus sent(final int destination, final Function<Link, SendStatus> send)
        {
            try
            {
                Link link = links.get(destination);
                if (link == null)
                {
                    link = endpoint.link(EndpointId.ofKey(destination));
                    links.put(destination, link);
                }
                final SendStatus status = send.apply(link);
                if (status == SendStatus.PEER_GONE || status == SendStatus.CLOSED)
                {
                    links.remove(destination);
                }
                return status;
            }
            catch (final GrimException ex)      // Gone, or it cannot be reached.
            {
                return SendStatus.PEER_GONE;
            }
        }

        @Override
        public boolean isUp(final EndpointId device)
        {
            return accelerators().contains(device);
        }

        @Override
        public boolean isPresent(final EndpointId device)
        {
            return DeviceClient.isPresent(grim, device);
        }

        @Override
        public List<EndpointId> accelerators()
        {
            return grim.devices(NodeInfo.Device.ACCELERATOR).stream()
                .filter(device -> device.state() == DeviceInfo.State.UP).map(DeviceInfo::endpoint).toList();
        }

        @Override
        public int handler(final String name)
        {
            final HandlerId id = names.computeIfAbsent(name, endpoint.handlers()::id);
            return id.isKnown() ? id.number() : 0;
        }
    }

    /** A request under way. */
    private static final class ReplyCall implements StreamPort.Call
    {
        private final Reply reply;
        private SendStatus status;

        private ReplyCall(final Reply reply)
        {
            this.reply = reply;
        }

        @Override
        public boolean isComplete()
        {
            return !status.isAccepted() || reply.isComplete();
        }

        @Override
        public String refusal()
        {
            if (!status.isAccepted())
            {
                return status.toString();
            }
            if (reply.outcome() != Reply.Outcome.ANSWERED)
            {
                return reply.outcome().toString();
            }
            return reply.argument(0) == DeviceCode.OK.number() ? null : reply.text();
        }

        @Override
        public boolean isAnswered()
        {
            return status.isAccepted() && reply.outcome() == Reply.Outcome.ANSWERED;
        }

        @Override
        public int value()
        {
            return reply.argument(1);
        }

        @Override
        public DirectBuffer buffer()
        {
            return reply.buffer();
        }

        @Override
        public int length()
        {
            return reply.length();
        }
    }
}
