// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Where tools of this host ask its agent: a socket in the cluster's directory, which other users cannot enter. A
 * connection is a question, which its first byte says: {@link #ASK} how the nodes of all hosts are, {@link #RESTART}
 * the cluster without its majority. Answers go into it as they come, each with its length (u32) before it. The tool
 * decides how long it waits, and closes.
 * <p>Thread: the agent's; nothing blocks. Owns: the socket, its file and its connections.
 * <p>Bounds: {@value #CONNECTION_COUNT_MAX} connections, the oldest ends for the next one.
 */
final class ToolSocket implements AutoCloseable
{
    static final byte ASK = 1;
    static final byte RESTART = 2;

    private static final int CONNECTION_COUNT_MAX = 8;

    private final Path path;
    private final ServerSocketChannel server;
    private final List<Connection> connections = new ArrayList<>();
    private final ByteBuffer received = ByteBuffer.allocate(64);
    private long questionCount;

    /** A tool, and what it has not taken yet. */
    private record Connection(long question, SocketChannel channel, Queue<ByteBuffer> pending)
    {
    }

    private ToolSocket(final Path path, final ServerSocketChannel server)
    {
        this.path = path;
        this.server = server;
    }

    /**
     * Opens the socket, in place of one that a dead agent left.
     *
     * @throws GrimException if the system refuses; nothing is left behind.
     */
    static ToolSocket open(final Path path)
    {
        MappedFile.delete(path);
        ServerSocketChannel server = null;
        try
        {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path), CONNECTION_COUNT_MAX).configureBlocking(false);
            return new ToolSocket(path, server);
        }
        catch (final IOException ex)
        {
            close(server);
            throw new GrimException(SYSTEM_REFUSED, "socket " + path + " cannot be opened: " + ex.getMessage(), ex);
        }
    }

    /** Asks what tools ask, and hands them what was answered. */
    int poll(final HostAgent agent)
    {
        int workCount = accept();
        for (AgentMessage.ToTool answer = agent.pollAnswer(); answer != null; answer = agent.pollAnswer())
        {
            final byte[] bytes = answer.encode();
            final long question = answer.question();
            connections.stream().filter(connection -> connection.question == question).forEach(connection ->
                connection.pending.add(
                ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes).flip()));
            workCount++;
        }
        connections.removeIf(connection -> !isServed(connection, agent));
        return workCount;
    }

    /** The file may be another agent's by now: the next agent, or the last node, removes it. */
    @Override
    public void close()
    {
        connections.forEach(connection -> close(connection.channel));
        close(server);
    }

    private int accept()
    {
        try
        {
            final SocketChannel channel = server.accept();
            if (channel == null)
            {
                return 0;
            }
            if (connections.size() == CONNECTION_COUNT_MAX)
            {
                close(connections.remove(0).channel);
            }
            connections.add(new Connection(++questionCount, channel, new ArrayDeque<>()));
            channel.configureBlocking(false);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "socket " + path + " takes no connection: " + ex.getMessage(), ex);
        }
        return 1;
    }

    /** Whether the tool still wants answers. */
    private boolean isServed(final Connection connection, final HostAgent agent)
    {
        try
        {
            boolean isOpen = connection.channel.read(received.clear()) >= 0;
            if (received.flip().hasRemaining())
            {
                isOpen = take(received.get(), connection.question, agent);
            }
            while (isOpen && !connection.pending.isEmpty())
            {
                connection.channel.write(connection.pending.peek());
                if (connection.pending.peek().hasRemaining())
                {
                    return true;                        // It reads slowly.
                }
                connection.pending.remove();
            }
            if (!isOpen)
            {
                connection.channel.close();
            }
            return isOpen;
        }
        catch (final IOException ex)
        {
            close(connection.channel);                  // The tool has ended: there is no reader for an answer.
            return false;
        }
    }

    /** False if it is no question: one of a tool of another version. */
    private static boolean take(final byte kind, final long question, final HostAgent agent)
    {
        if (kind == ASK)
        {
            agent.ask(question);
        }
        else if (kind == RESTART)
        {
            agent.askRestart(question);
        }
        return kind == ASK || kind == RESTART;
    }

    private static void close(final Channel channel)
    {
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "close of a tool's connection failed: " + ex.getMessage(), ex);
        }
    }
}
