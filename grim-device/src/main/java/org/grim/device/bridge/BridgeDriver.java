// SPDX-License-Identifier: Apache-2.0
package org.grim.device.bridge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceContext;
import org.grim.device.DeviceDescription;
import org.grim.device.DeviceDriver;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRequest;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Driver of a bridge: programs outside of the cluster connect by TCP, send messages and requests for handlers that a
 * list allows, and get answers and messages. Options: {@code allow}, {@code bind}, {@code port}, {@code token-file},
 * {@code connections}.
 * <p>Thread: the runner's; one more accepts, two serve each connection.
 */
public final class BridgeDriver implements DeviceDriver
{
    private static final int FRAME_LENGTH_MAX = 1 << 20;
    private static final int CALL_COUNT_MAX = 64;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final String DEVICE_PREFIX = "device:";

    private final Map<Integer, BridgeConnection> connections = new ConcurrentHashMap<>();
    private final Map<String, HandlerId> allowed = new HashMap<>();
    private final Map<String, Link> links = new HashMap<>();
    private final List<Call> freeCalls = new ArrayList<>();
    private DeviceContext context;
    private ServerSocket server;
    private Thread acceptor;
    private byte[] token = {};
    private int connectionCountMax;
    /** Begins anywhere: numbers from before a reset mean nothing. */
    private int lastNumber = ThreadLocalRandom.current().nextInt(1 << 30);
    private volatile Throwable failure;

    /** A request of the outside that waits for its answer; used again for others. */
    private final class Call
    {
        private final Reply reply = context.device().newReply(this::onEnd);
        private BridgeConnection connection;
        private int id;

        private void onEnd(final Reply ended)
        {
            connection.addCalls(-1);
            freeCalls.add(this);
            if (ended.outcome() == Reply.Outcome.ANSWERED)
            {
                final byte[] data = new byte[ended.length()];
                ended.buffer().getBytes(0, data);
                answer(connection, BridgeFrame.of(
                    BridgeFrame.ANSWER, id, 0, ended.argument(0), ended.argument(1), ended.argument(2), data));
            }
            else
            {
                answer(connection, BridgeFrame.refusal(id, "no answer: " + ended.outcome()));
            }
        }
    }

    /** Made by {@link java.util.ServiceLoader}. */
    public BridgeDriver()
    {
        // All is in open.
    }

    @Override
    public NodeInfo.Device kind()
    {
        return NodeInfo.Device.BRIDGE;
    }

    @Override
    public DeviceDescription open(final DeviceContext newContext) throws IOException
    {
        context = newContext;
        final String allow = context.options().text("allow");
        final String bind = context.options().text("bind", "127.0.0.1");
        final int port = context.options().number("port", 0, 0, 65_535);
        final String tokenFile = context.options().text("token-file", "");
        connectionCountMax = context.options().number("connections", 64, 1, 1_024);
        final InetAddress address = InetAddress.getByName(bind);
        if (!tokenFile.isEmpty())
        {
            token = Files.readString(Path.of(tokenFile)).strip().getBytes(UTF_8);
        }
        if (token.length == 0 && !address.isLoopbackAddress())
        {
            throw new IllegalArgumentException("bind=" + bind + " is no address of loopback: it needs a token-file");
        }
        for (final String name : allow.split(",", -1))
        {
            allowed.put(name, context.device().handlers().id(name));
        }
        context.handle("bridge.send", "a0 connection, a1 to a2 any; data", this::onSend);
        context.handle("bridge.connections", "answer: lines NUMBER ADDRESS", request ->
            request.answer(connections.values().stream().filter(BridgeConnection::isOpen)
                .map(each -> each.number + " " + each.address() + "\n").collect(Collectors.joining())));
        server = new ServerSocket(port, 0, address);
        acceptor = new Thread(this::accept, "grim-bridge");
        acceptor.setDaemon(true);
        acceptor.start();
        return new DeviceDescription("bridge", "1", Map.of("address", bind, "port", server.getLocalPort(),
            "allow", List.copyOf(allowed.keySet()), "connections-max", connectionCountMax,
            "frame-length-max", FRAME_LENGTH_MAX));
    }

    @Override
    public int doWork() throws IOException
    {
        if (failure != null)
        {
            throw new IOException("no more connections are accepted: " + failure, failure);
        }
        int workCount = 0;
        for (final BridgeConnection connection : connections.values())
        {
            for (BridgeFrame frame = connection.frames().peek(); frame != null && isTaken(connection, frame);
                frame = connection.frames().peek())
            {
                connection.frames().poll();
                workCount++;
            }
        }
        return workCount + (connections.values().removeIf(BridgeConnection::hasEnded) ? 1 : 0);
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(server);
        if (acceptor != null)
        {
            Uninterrupted.join(acceptor);
        }
        connections.values().forEach(BridgeConnection::close);
        connections.values().forEach(BridgeConnection::join);
        connections.clear();
    }

    /** Returns false if there is no room for the message: it stays, and so do those behind it. */
    private boolean isTaken(final BridgeConnection connection, final BridgeFrame frame)
    {
        final HandlerId handler = allowed.get(frame.handler);
        if (handler == null || !handler.isKnown())
        {
            return isRefused(connection, frame, "handler=" + frame.handler +
                (handler == null ? " is not allowed" : " is not known to the cluster"));
        }
        try
        {
            final SendStatus status = switch (frame.kind)
            {
                case BridgeFrame.SEND -> link(frame).send(handler, frame.arguments[0], frame.arguments[1],
                    frame.arguments[2], 0, Buffers.wrap(frame.data), 0, frame.data.length);
                case BridgeFrame.REQUEST -> request(connection, frame, handler);
                default -> throw new IllegalArgumentException("kind=" + frame.kind + " is unknown");
            };
            if (status == SendStatus.PEER_GONE || status == SendStatus.CLOSED)
            {
                links.remove(frame.destination);
                return isRefused(connection, frame, "destination=" + frame.destination + " is gone");
            }
            return status.isAccepted();
        }
        catch (final GrimException | IllegalArgumentException ex)
        {
            return isRefused(connection, frame, ex.getMessage());
        }
    }

    private static boolean isRefused(final BridgeConnection connection, final BridgeFrame frame, final String text)
    {
        answer(connection, BridgeFrame.refusal(frame.id, text));
        return true;
    }

    private SendStatus request(final BridgeConnection connection, final BridgeFrame frame, final HandlerId handler)
    {
        final Link link = link(frame);
        if (connection.addCalls(0) == CALL_COUNT_MAX)
        {
            return SendStatus.BACK_PRESSURED;
        }
        final Call call = freeCalls.isEmpty() ? new Call() : freeCalls.remove(freeCalls.size() - 1);
        call.connection = connection;
        call.id = frame.id;
        final SendStatus status = link.request(handler, frame.arguments[0], frame.arguments[1],
            frame.arguments[2], Buffers.wrap(frame.data), 0, frame.data.length, CALL_TIMEOUT, call.reply);
        if (status.isAccepted())
        {
            connection.addCalls(1);
        }
        else
        {
            freeCalls.add(call);
        }
        return status;
    }

    private Link link(final BridgeFrame frame)
    {
        return links.computeIfAbsent(frame.destination, name -> context.device().link(
            name.startsWith(DEVICE_PREFIX) ?
            context.grim().locate(NodeInfo.Device.ofLabel(name.substring(DEVICE_PREFIX.length()))) :
            context.grim().locate(name)));
    }

    /** A program that does not read its answers loses its connection. */
    private static void answer(final BridgeConnection connection, final BridgeFrame frame)
    {
        if (!connection.offer(frame))
        {
            connection.close();
        }
    }

    private void onSend(final DeviceRequest request)
    {
        final BridgeConnection connection = connections.get(request.argument(0));
        if (connection == null || !connection.isOpen())
        {
            throw new DeviceException(
                DeviceCode.NOT_FOUND, "connection=" + request.argument(0) + " is not there");
        }
        final byte[] data = new byte[request.length()];
        final DirectBuffer buffer = request.buffer();
        buffer.getBytes(request.offset(), data);
        if (!connection.offer(BridgeFrame.of(BridgeFrame.MESSAGE, 0, request.source().key(), request.argument(1),
            request.argument(2), 0, data)))
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "connection=" + connection.number + " does not read");
        }
    }

    private void accept()
    {
        try
        {
            while (!server.isClosed())
            {
                final Socket socket = server.accept();
                if (connections.size() >= connectionCountMax)
                {
                    CloseHelper.quietClose(socket);
                }
                else
                {
                    socket.setTcpNoDelay(true);
                    lastNumber++;
                    final BridgeConnection connection = new BridgeConnection(
                        lastNumber, socket, token, FRAME_LENGTH_MAX, context::wake);
                    connections.put(lastNumber, connection);
                    connection.start();
                }
            }
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            failure = server.isClosed() ? null : ex;
            context.wake();
        }
    }
}
