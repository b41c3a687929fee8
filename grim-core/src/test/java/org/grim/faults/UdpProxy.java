// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Forwards datagrams to a target, and its answers back, with faults that a seed decides: senders with a bad network
 * send to {@link #address()}. Each sender has a socket of its own towards the target, so that answers find back. The
 * outcome of the n-th datagram of the k-th sender in one direction depends on the seed, n, k and the direction alone,
 * and is counted.
 * <p>Thread: any; one of its own forwards. Owns: that thread, and the sockets, on loopback.
 * <p>Bounds: {@value #FLOW_COUNT_MAX} senders, those on top are dropped; 4 MiB wait per sender and direction.
 */
public final class UdpProxy implements AutoCloseable
{
    private static final int FLOW_COUNT_MAX = 64;
    private static final int DATAGRAM_LENGTH_MAX = 65_535;
    private static final int SOCKET_BUFFER_LENGTH = 2 << 20;
    private static final long IDLE_MS = 100;
    private static final int BURST_COUNT_MAX = 64;

    private final InetSocketAddress target;
    private final long seed;
    private final long startNs = System.nanoTime();
    private final EffectCounts forthCounts = new EffectCounts();
    private final EffectCounts backCounts = new EffectCounts();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_LENGTH_MAX);
    private final Map<SocketAddress, Flow> flows = new HashMap<>();
    private final Selector selector;
    private final DatagramChannel front;
    private final InetSocketAddress address;
    private final Thread thread;
    private volatile Consumer<byte[]> tap = bytes ->
    {
    };
    private volatile LinkFaults forthFaults = LinkFaults.NONE;
    private volatile LinkFaults backFaults = LinkFaults.NONE;
    private volatile boolean isClosed;
    private volatile IOException failure;

    /** One sender, and its path to the target and back. */
    private record Flow(SocketAddress sender, DatagramChannel channel, FaultyLink forth, FaultyLink back)
    {
    }

    /**
     * Begins, without faults, at a free port of loopback.
     *
     * @param target where datagrams go; on loopback.
     * @param seed   of all that is left to chance.
     */
    public UdpProxy(final InetSocketAddress target, final long seed)
    {
        this.target = target;
        this.seed = seed;
        try
        {
            selector = Selector.open();
            front = open();
            front.register(selector, SelectionKey.OP_READ);
            address = (InetSocketAddress)front.getLocalAddress();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        thread = new Thread(this::run, "udp-proxy-" + address.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    /** {@return where senders send to} */
    public InetSocketAddress address()
    {
        return address;
    }

    /** {@return where datagrams go} */
    public InetSocketAddress target()
    {
        return target;
    }

    /** Shows all datagrams, in both directions, before anything goes wrong. Called by the forwarding thread. */
    public void tap(final Consumer<byte[]> newTap)
    {
        tap = newTap;
    }

    /** Sets what goes wrong from now on. */
    public void faults(final LinkFaults forth, final LinkFaults back)
    {
        forthFaults = forth;
        backFaults = back;
    }

    /** {@return how many datagrams to the target had an effect} */
    public long forth(final Effect effect)
    {
        return forthCounts.of(effect);
    }

    /** {@return how many datagrams from the target had an effect} */
    public long back(final Effect effect)
    {
        return backCounts.of(effect);
    }

    /** Ends; what still waits is dropped. Throws what ended the forwarding before. */
    @Override
    public void close()
    {
        isClosed = true;
        selector.wakeup();
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (failure != null)
        {
            throw new UncheckedIOException(failure);
        }
    }

    private void run()
    {
        try (selector; front)
        {
            while (!isClosed)
            {
                step();
            }
        }
        catch (final IOException ex)
        {
            failure = ex;
        }
        finally
        {
            flows.values().forEach(UdpProxy::close);
        }
    }

    private void step() throws IOException
    {
        long nextNs = Long.MAX_VALUE;
        for (final Flow flow : flows.values())
        {
            nextNs = Math.min(nextNs, Math.min(flow.forth.nextNs(), flow.back.nextNs()));
        }
        final long waitNs = nextNs == Long.MAX_VALUE ? TimeUnit.MILLISECONDS.toNanos(IDLE_MS) :
            nextNs - nowNs();
        if (waitNs <= 0)
        {
            selector.selectNow();
        }
        else
        {
            selector.select(Math.min(IDLE_MS, 1 + TimeUnit.NANOSECONDS.toMillis(waitNs)));
        }
        for (final SelectionKey key : selector.selectedKeys())
        {
            receive((DatagramChannel)key.channel(), (Flow)key.attachment());
        }
        selector.selectedKeys().clear();
        final long nowNs = nowNs();
        for (final Flow flow : flows.values())
        {
            forward(flow.forth, forthFaults, forthCounts, flow.channel, target, nowNs);
            forward(flow.back, backFaults, backCounts, front, flow.sender, nowNs);
        }
    }

    private void receive(final DatagramChannel channel, final Flow flow) throws IOException
    {
        for (int i = 0; i < BURST_COUNT_MAX; i++)
        {
            buffer.clear();
            final SocketAddress from = channel.receive(buffer);
            if (from == null)
            {
                return;
            }
            final byte[] bytes = new byte[buffer.flip().remaining()];
            buffer.get(bytes);
            if (flow == null)
            {
                tap.accept(bytes);
                offer(from, bytes);
            }
            else if (from.equals(target))
            {
                tap.accept(bytes);
                flow.back.offer(bytes, backFaults, nowNs());
            }
        }
    }

    private void offer(final SocketAddress from, final byte[] bytes) throws IOException
    {
        Flow flow = flows.get(from);
        if (flow == null)
        {
            if (flows.size() == FLOW_COUNT_MAX)
            {
                forthCounts.add(Effect.DROPPED);
                return;
            }
            final long flowSeed = seed + 2L * flows.size();
            flow = new Flow(from, open(), new FaultyLink(flowSeed, forthCounts),
                new FaultyLink(flowSeed + 1, backCounts));
            flow.channel.register(selector, SelectionKey.OP_READ, flow);
            flows.put(from, flow);
        }
        flow.forth.offer(bytes, forthFaults, nowNs());
    }

    private static void forward(
        final FaultyLink link, final LinkFaults faults, final EffectCounts counts, final DatagramChannel channel,
        final SocketAddress to, final long nowNs) throws IOException
    {
        for (ByteBuffer bytes = link.poll(faults, nowNs); bytes != null; bytes = link.poll(faults, nowNs))
        {
            if (channel.send(bytes, to) == 0 && bytes.hasRemaining())
            {
                counts.add(Effect.DROPPED);       // The socket has no room now.
            }
        }
    }

    private long nowNs()
    {
        return System.nanoTime() - startNs;
    }

    private static DatagramChannel open() throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_LENGTH)
            .setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_LENGTH)
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .configureBlocking(false);
        return channel;
    }

    private static void close(final Flow flow)
    {
        try
        {
            flow.channel.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
