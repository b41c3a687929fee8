// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.grim.GrimException;
import org.grim.cluster.ClusterFiles;
import org.grim.network.status.ClusterRestart;
import org.grim.network.status.HostStatus;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * Asks the agents of all hosts, by this host's, how they are, and this host's to restart the cluster; for tools, which
 * are no nodes.
 * <p>Thread: any; no state.
 */
public final class RemoteNodes
{
    private static final int ANSWER_LENGTH_MAX = 64 << 20;
    private static final int READ_LENGTH = 64 << 10;

    private RemoteNodes()
    {
    }

    /**
     * Asks, and waits until all have answered or the time is over. This host's agent answers, too.
     *
     * @param cluster   directory of the cluster on this host.
     * @param hosts     labels of those that are to answer.
     * @param timeoutNs longest wait, nanoseconds.
     * @return by host what its agent said; who is not in it has not answered.
     * @throws GrimException if this host's agent cannot be asked.
     */
    public static Map<String, HostStatus> ask(final Path cluster, final Set<String> hosts, final long timeoutNs)
    {
        final Map<String, HostStatus> answers = new HashMap<>();
        converse(cluster, ToolSocket.ASK, timeoutNs, message ->
        {
            if (message instanceof final AgentMessage.Answer answer)
            {
                answers.put(NumberAllocator.label(answer.host()), answer.status());
            }
            return answers.keySet().containsAll(hosts);
        });
        return answers;
    }

    /**
     * Asks this host's agent to go on with the members that are there, though they are no majority, and to give the
     * others up. It refuses if a majority is there, or if the others may be.
     *
     * @param cluster   directory of the cluster on this host.
     * @param timeoutNs longest wait, nanoseconds.
     * @return what came of it.
     * @throws GrimException if this host's agent cannot be asked, or does not answer.
     */
    public static ClusterRestart restartCluster(final Path cluster, final long timeoutNs)
    {
        final List<ClusterRestart> answers = new ArrayList<>();
        converse(cluster, ToolSocket.RESTART, timeoutNs, message ->
            message instanceof final AgentMessage.Restarted restarted && answers.add(restarted.restart()));
        if (answers.isEmpty())
        {
            throw new GrimException(UNAVAILABLE, "this host's agent at " + new ClusterFiles(cluster).agent() +
                " has not answered within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms: " +
                "its log says whether it restarted the cluster");
        }
        return answers.get(0);
    }

    /** Ends with the time, the agent, or the first message for which the taker says so. */
    private static void converse(
        final Path cluster, final byte kind, final long timeoutNs, final Predicate<AgentMessage> taker)
    {
        final Path path = new ClusterFiles(cluster).agent();
        final long deadlineNs = System.nanoTime() + timeoutNs;
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            Selector selector = Selector.open())
        {
            channel.connect(UnixDomainSocketAddress.of(path));
            channel.write(ByteBuffer.wrap(new byte[] {kind}));          // One byte is never written in part.
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer received = ByteBuffer.allocate(READ_LENGTH);
            long leftNs = deadlineNs - System.nanoTime();
            boolean isOver = false;
            while (!isOver && leftNs > 0)
            {
                selector.select(1 + TimeUnit.NANOSECONDS.toMillis(leftNs));
                selector.selectedKeys().clear();
                if (channel.read(received) < 0)
                {
                    return;                             // The agent has ended, or has a successor.
                }
                isOver = take(received.flip(), taker);
                received = received.compact().hasRemaining() ? received :
                    ByteBuffer.allocate(2 * received.capacity()).put(received.flip());
                leftNs = deadlineNs - System.nanoTime();
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(UNAVAILABLE, "this host's agent cannot be asked at " + path + ": " +
                ex.getMessage(), ex);
        }
    }

    private static boolean take(final ByteBuffer received, final Predicate<AgentMessage> taker) throws IOException
    {
        boolean isOver = false;
        while (!isOver && received.remaining() >= Integer.BYTES)
        {
            final int length = received.getInt(received.position());
            if (length < 0 || length > ANSWER_LENGTH_MAX)
            {
                throw new GrimException(BAD_DATA, "answer of length=" + length + " exceeds max=" + ANSWER_LENGTH_MAX);
            }
            if (received.remaining() < Integer.BYTES + length)
            {
                return false;
            }
            received.getInt();
            final byte[] bytes = new byte[length];
            received.get(bytes);
            isOver = taker.test(AgentMessage.decode(bytes));
        }
        return isOver;
    }
}
