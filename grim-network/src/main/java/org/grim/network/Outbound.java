// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.grim.crypto.ClusterKey;
import org.jgroups.stack.IpAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that this agent makes to another one, and sends messages over. Messages wait until the other one has
 * taken the greeting.
 * <p>Thread: the connections', but for {@link #tryAdd}, which any may call.
 * <p>Bounds: {@value #WAITING_COUNT_MAX} messages and {@value #WAITING_LENGTH_MAX} bytes wait; what comes then is
 * dropped, and repeated by who needs it to arrive.
 */
final class Outbound
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Outbound.class);
    private static final int WAITING_COUNT_MAX = 4_096;
    private static final int WAITING_LENGTH_MAX = 8 << 20;

    /** Progress of a connection. */
    enum State
    {
        /** It is not connected. */
        CONNECTING,
        /** It has said hello, or proved itself, and was not answered yet. */
        GREETING,
        /** Messages are sent. */
        OPEN,
        /** It has ended. */
        CLOSED
    }

    final IpAddress address;
    final long begunNs;
    private final ClusterKey key;
    private final byte[] nonce;
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private final ByteBuffer answer = ByteBuffer.allocate(Greeting.ANSWER_LENGTH_MAX);
    private int waitingLength;
    private SocketChannel channel;
    private SelectionKey selection;
    private ByteBuffer output;
    private FrameCipher cipher;
    private volatile State state = State.CONNECTING;

    Outbound(final IpAddress address, final ClusterKey key, final byte[] nonce, final long nowNs)
    {
        this.address = address;
        this.key = key;
        this.nonce = nonce;
        begunNs = nowNs;
    }

    State state()
    {
        return state;
    }

    /** {@return whether something accepted the connection, once it is known} */
    CompletableFuture<Boolean> reached()
    {
        return reached;
    }

    /** Has a message wait, unless too many do. */
    synchronized boolean tryAdd(final byte[] message)
    {
        final boolean hasRoom =
            waiting.size() < WAITING_COUNT_MAX && waitingLength + message.length <= WAITING_LENGTH_MAX;
        if (hasRoom)
        {
            waiting.add(message);
            waitingLength += message.length;
        }
        return hasRoom;
    }

    void connect(final Selector selector) throws IOException
    {
        channel = selector.provider().openSocketChannel();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        selection = channel.register(selector, SelectionKey.OP_CONNECT, this);
        if (channel.connect(new InetSocketAddress(address.getIpAddress(), address.getPort())))
        {
            onConnected();
        }
    }

    /** Says hello. */
    void onConnectable() throws IOException
    {
        if (channel.finishConnect())
        {
            onConnected();
        }
    }

    private void onConnected() throws IOException
    {
        state = State.GREETING;
        reached.complete(true);
        output = Greeting.hello(key != null, nonce);
        write();
    }

    /**
     * Reads what the other agent answers.
     *
     * @return the refusal that it answered, as the refused host reads it; null for none.
     * @throws IOException if it has ended, or is no agent.
     */
    String read() throws IOException
    {
        if (channel.read(answer) < 0)
        {
            throw new IOException("closed by the other side");
        }
        while (Greeting.isAnswer(answer, answer.position()))
        {
            final Refusal refusal = Greeting.refusal(answer);
            if (refusal != null)
            {
                return refusal.text(Greeting.label(answer));
            }
            onAnswer();
        }
        return null;
    }

    private void onAnswer() throws IOException
    {
        final boolean isFirst = cipher == null;
        final byte[] other = Greeting.nonce(answer);
        answer.limit(answer.position()).position(Greeting.answerLength(answer));
        answer.compact();
        if (isFirst)
        {
            cipher = FrameCipher.sealing(key, nonce, other);
            output = cipher.frame(other);
        }
        else
        {
            state = State.OPEN;
        }
        write();
    }

    /** Sends what waits, as far as the system takes it. */
    void write() throws IOException
    {
        boolean isTaken = true;
        while (isTaken && hasOutput())
        {
            channel.write(output);
            isTaken = !output.hasRemaining();
        }
        selection.interestOps(isTaken ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    private boolean hasOutput()
    {
        if ((output == null || !output.hasRemaining()) && state == State.OPEN)
        {
            final byte[] message = next();
            output = message == null ? null : cipher.frame(message);
        }
        return output != null && output.hasRemaining();
    }

    private synchronized byte[] next()
    {
        final byte[] message = waiting.poll();
        waitingLength -= message == null ? 0 : message.length;
        assert waitingLength >= 0 && (waitingLength == 0 || !waiting.isEmpty()) : waitingLength;
        return message;
    }

    void close()
    {
        state = State.CLOSED;
        reached.complete(false);
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        catch (final IOException ex)
        {
            LOGGER.trace("connection to {} was not closed in order", address, ex);
        }
    }
}
