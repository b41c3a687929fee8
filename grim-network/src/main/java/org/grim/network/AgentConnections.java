// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import org.grim.crypto.ClusterKey;
import org.grim.network.Inbound.Place;
import org.grim.text.SafeText;
import org.grim.thread.WorkThread;
import org.jgroups.stack.IpAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP connections of an agent: it sends over those that it made, and receives over those that others made, whom it
 * bounds in number, memory and time while they have not proved to be agents. One port, one thread.
 * <p>When there is no place for a connection, one of its kind ends: of the address that has the most of them the one
 * that was silent for longest. So strangers of one address end each other, and none ends a member's.
 * <p>Thread: its own; {@link #send}, {@link #reach}, {@link #retain} and {@link #close} any.
 * <p>Bounds: {@value #UNPROVEN_COUNT_MAX} connections that have not proved to be agents', for {@value #PROOF_MS} ms
 * each; {@value #PROVEN_COUNT_MAX} of agents that are no members, {@value #PROVEN_COUNT_MAX_WITHOUT_KEY} without a key;
 * of each the bytes of one frame that have come.
 */
final class AgentConnections implements WorkThread.Work
{
    /** Takes what happens on the connections, on their thread. */
    interface Listener
    {
        /** Returns false if a member cannot have sent this frame, or a joining agent. */
        boolean onFrame(Inbound from, byte[] frame);

        /** A connection that this agent had made was ended by the other side, or refused because nothing listens. */
        void onClosed(IpAddress address);

        /** Reports that another agent refuses this one, with its reason in words. */
        void onRefused(IpAddress address, String text);
    }

    static final int UNPROVEN_COUNT_MAX = 64;
    static final int PROVEN_COUNT_MAX = 2_048;
    static final int PROVEN_COUNT_MAX_WITHOUT_KEY = 64;
    /** More than members can have. */
    static final int MEMBER_COUNT_MAX = 4_096;
    static final int FRAME_LENGTH_MAX = 1 << 20;
    /** Longest frames of an agent that is no member. */
    static final int FIRST_FRAMES_LENGTH_MAX = 1 << 17;

    static final int PROOF_MS = 3_000;

    private static final Logger LOGGER = LoggerFactory.getLogger(AgentConnections.class);
    private static final int BACKLOG = 1_024;
    private static final int READ_LENGTH = 1 << 16;
    private static final int ACCEPT_COUNT_MAX = 64;
    private static final long ACCEPT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int SELECT_MS_BUSY = 50;
    private static final int SELECT_MS = 1_000;
    private static final int END_MS = 2_000;
    private static final long LOG_NS = TimeUnit.SECONDS.toNanos(10);

    private final ClusterKey key;
    private final String label;
    private final long silenceNs;
    private final int connectMs;
    private final Listener listener;
    private final SecureRandom random = new SecureRandom();
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey acceptance;
    private final int port;
    private final Set<Inbound> inbounds = new LinkedHashSet<>();
    private final Map<IpAddress, Outbound> outbounds = new HashMap<>();         // Guarded by itself.
    private final Queue<Outbound> toConnect = new ConcurrentLinkedQueue<>();
    private final Queue<Outbound> toWrite = new ConcurrentLinkedQueue<>();
    private final Queue<Outbound> toEnd = new ConcurrentLinkedQueue<>();
    private final Map<Refusal, AtomicLong> refusedCounts = new EnumMap<>(Refusal.class);
    private final ByteBuffer input = ByteBuffer.allocateDirect(READ_LENGTH);
    private final Thread thread;
    private long logDeadlineNs = System.nanoTime();
    private long acceptDeadlineNs;
    private boolean isAcceptPaused;
    private volatile boolean isClosing;

    /**
     * Listens at an address; nothing is accepted before {@link #start}.
     *
     * @param key       of the cluster; null for none.
     * @param label     of this host, for those who are refused.
     * @param silenceNs how long a connection of an agent may be silent.
     * @param connectMs longest wait for a connection to be made, and for its greeting to be answered.
     */
    AgentConnections(
        final InetSocketAddress address, final ClusterKey key, final String label, final long silenceNs,
        final int connectMs, final Listener listener) throws IOException
    {
        this.key = key;
        this.label = label;
        this.silenceNs = silenceNs;
        this.connectMs = connectMs;
        this.listener = listener;
        for (final Refusal refusal : Refusal.values())
        {
            refusedCounts.put(refusal, new AtomicLong());
        }
        selector = kernelProvider().openSelector();
        server = selector.provider().openServerSocketChannel();
        boolean isOpen = false;
        try
        {
            server.bind(address, BACKLOG);
            server.configureBlocking(false);
            acceptance = server.register(selector, SelectionKey.OP_ACCEPT);
            port = ((InetSocketAddress)server.getLocalAddress()).getPort();
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                server.close();
                selector.close();
            }
        }
        thread = WorkThread.of("grim-agent-tcp", this, ex ->
            LOGGER.warn("agent's connections of host={} failed for a moment", label, ex));
    }

    void start()
    {
        thread.start();
    }

    /** {@return the port that it listens at} */
    int port()
    {
        return port;
    }

    /** {@return how many connections and messages were refused for a reason} */
    long refusedCount(final Refusal refusal)
    {
        return refusedCounts.get(refusal).get();
    }

    /** Sends a message to an agent, over a connection that is made if there is none. Returns at once. */
    void send(final IpAddress address, final byte[] message)
    {
        final Outbound outbound = outbound(address);
        if (outbound != null && outbound.tryAdd(message) && outbound.state() == Outbound.State.OPEN)
        {
            toWrite.add(outbound);
            selector.wakeup();
        }
    }

    /** {@return whether something accepts connections at an address, once it is known; the connection stays open} */
    CompletableFuture<Boolean> reach(final IpAddress address)
    {
        final Outbound outbound = outbound(address);
        return outbound == null ? CompletableFuture.completedFuture(false) : outbound.reached();
    }

    /** Ends the connections that this agent made to others than these. */
    void retain(final Collection<IpAddress> addresses)
    {
        synchronized (outbounds)
        {
            outbounds.values().removeIf(each -> !addresses.contains(each.address) && toEnd.add(each));
        }
        selector.wakeup();
    }

    /** {@return whether all connections that were begun were answered, or have ended, in time} */
    boolean awaitAnswers(final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        synchronized (outbounds)
        {
            while (outbounds.values().stream().anyMatch(each -> each.state() != Outbound.State.OPEN))
            {
                final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0)
                {
                    return false;
                }
                try
                {
                    outbounds.wait(leftMs);
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return true;
    }

    /** Ends all connections, after what was sent has been given to the system as far as it takes it at once. */
    void close()
    {
        isClosing = true;
        if (thread.getState() == Thread.State.NEW)
        {
            closeAll();
            return;
        }
        selector.wakeup();
        try
        {
            thread.join(END_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isOver()
    {
        return isClosing;
    }

    /** One look at everything. An error of a connection ends it; others are of the selector, or of a full heap. */
    @Override
    public void step() throws IOException
    {
        selector.select(this::onReady, isBusy() ? SELECT_MS_BUSY : SELECT_MS);
        connectAll();
        writeAll();
        endLate(System.nanoTime());
    }

    @Override
    public void release()
    {
        writeAll();
        closeAll();
    }

    /** The JDK's own, also where another one is named to the JVM, whose channels may need this agent. */
    private static SelectorProvider kernelProvider() throws IOException
    {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX))
        {
            return channel.provider();
        }
    }

    private boolean isBusy()
    {
        synchronized (outbounds)
        {
            return isAcceptPaused || inbounds.stream().anyMatch(each -> !each.isOpen()) ||
                outbounds.values().stream().anyMatch(each -> each.state() != Outbound.State.OPEN);
        }
    }

    private void onReady(final SelectionKey selection)
    {
        if (selection == acceptance)
        {
            accept();
        }
        else if (selection.attachment() instanceof final Inbound inbound)
        {
            receive(inbound);
        }
        else
        {
            proceed((Outbound)selection.attachment(), selection);
        }
    }

    /** If the system has no descriptor left, new ones wait a moment in its queue. */
    private void accept()
    {
        try
        {
            for (int i = 0; i < ACCEPT_COUNT_MAX; i++)
            {
                final SocketChannel channel = server.accept();
                if (channel == null)
                {
                    return;
                }
                add(channel);
            }
        }
        catch (final IOException ex)
        {
            LOGGER.warn("agent of host={} cannot accept connections: {}", label, SafeText.shorten(ex.getMessage()));
            acceptance.interestOps(0);
            isAcceptPaused = true;
            acceptDeadlineNs = System.nanoTime() + ACCEPT_PAUSE_NS;
        }
    }

    private void add(final SocketChannel channel)
    {
        try
        {
            final Inbound inbound = new Inbound(channel, ((InetSocketAddress)channel.getRemoteAddress()).getAddress(),
                new Reception(key, label, this::newNonce), System.nanoTime());
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, inbound);
            inbounds.add(inbound);
            makeRoom(Place.UNPROVEN);
        }
        catch (final IOException ex)                            // It was closed meanwhile.
        {
            LOGGER.trace("a connection ended before it began", ex);
            close(channel);
        }
    }

    private byte[] newNonce()
    {
        final byte[] nonce = new byte[Greeting.NONCE_LENGTH];
        random.nextBytes(nonce);
        return nonce;
    }

    /** Ends one of a kind if there are too many: of the address that has the most, the one silent for longest. */
    private void makeRoom(final Place place)
    {
        final int countMax = switch (place)
        {
            case UNPROVEN -> UNPROVEN_COUNT_MAX;
            case PROVEN -> key == null ? PROVEN_COUNT_MAX_WITHOUT_KEY : PROVEN_COUNT_MAX;
            case MEMBER -> MEMBER_COUNT_MAX;
        };
        final List<Inbound> kind = inbounds.stream().filter(each -> each.place() == place).toList();
        if (kind.size() > countMax)
        {
            final Map<InetAddress, Long> counts =
                kind.stream().collect(Collectors.groupingBy(each -> each.address, Collectors.counting()));
            end(kind.stream().max(Comparator.<Inbound>comparingLong(each -> counts.get(each.address))
                .thenComparingLong(each -> -each.heardNs)).orElseThrow(), Refusal.NO_ROOM);
        }
    }

    private void receive(final Inbound inbound)
    {
        input.clear();
        try
        {
            if (inbound.channel.read(input) < 0)
            {
                end(inbound, null);
                return;
            }
            input.flip();
            inbound.heardNs = System.nanoTime();
            final Place place = inbound.place();
            while (input.hasRemaining() && inbound.reception.refusal() == null)
            {
                final ByteBuffer answer = inbound.reception.take(input,
                    inbound.isMember ? FRAME_LENGTH_MAX : FIRST_FRAMES_LENGTH_MAX,
                    frame -> listener.onFrame(inbound, frame));
                if (answer != null)
                {
                    inbound.channel.write(answer);              // The first bytes that are sent: there is room.
                }
            }
            if (inbound.reception.refusal() != null)
            {
                end(inbound, inbound.reception.refusal());
            }
            else if (inbound.place() != place)
            {
                makeRoom(inbound.place());
            }
        }
        catch (final IOException ex)
        {
            LOGGER.trace("connection from {} ended", inbound.address, ex);
            end(inbound, null);
        }
    }

    /** Ends a connection that was made to this agent; the reason is null if the other side did. */
    private void end(final Inbound inbound, final Refusal refusal)
    {
        if (refusal != null)
        {
            refused(inbound.address.getHostAddress(), refusal);
        }
        inbounds.remove(inbound);
        close(inbound.channel);
    }

    private void refused(final String sender, final Refusal refusal)
    {
        refusedCounts.get(refusal).incrementAndGet();
        final long nowNs = System.nanoTime();
        if (logDeadlineNs - nowNs <= 0)
        {
            logDeadlineNs = nowNs + LOG_NS;
            LOGGER.warn("host={} refuses a connection from {}: {}; refused so far: {}", label, sender, refusal.text(),
                refusedCounts);
        }
    }

    private void proceed(final Outbound outbound, final SelectionKey selection)
    {
        try
        {
            if (selection.isConnectable())
            {
                outbound.onConnectable();
            }
            if (selection.isValid() && selection.isReadable())
            {
                final Outbound.State state = outbound.state();
                final String refusal = outbound.read();
                if (refusal != null)
                {
                    remove(outbound);
                    listener.onRefused(outbound.address, refusal);
                }
                else if (outbound.state() != state)
                {
                    wakeWaiting();
                }
            }
            if (selection.isValid() && selection.isWritable())
            {
                outbound.write();
            }
        }
        catch (final ConnectException ex)                       // Nothing listens there.
        {
            endClosed(outbound, ex);
        }
        catch (final IOException | CancelledKeyException ex)
        {
            if (outbound.state() == Outbound.State.OPEN)
            {
                endClosed(outbound, ex);
            }
            else
            {
                remove(outbound);
            }
        }
    }

    private void endClosed(final Outbound outbound, final Exception cause)
    {
        LOGGER.trace("connection to {} ended", outbound.address, cause);
        if (remove(outbound))
        {
            listener.onClosed(outbound.address);
        }
    }

    /** {@return null if no connections are made any more} */
    private Outbound outbound(final IpAddress address)
    {
        final Outbound made;
        synchronized (outbounds)
        {
            if (isClosing)                                      // Here: what closeAll() does not see is not begun.
            {
                return null;
            }
            final Outbound known = outbounds.get(address);
            if (known != null)
            {
                return known;
            }
            made = new Outbound(address, key, newNonce(), System.nanoTime());
            outbounds.put(address, made);
        }
        toConnect.add(made);
        selector.wakeup();
        return made;
    }

    private void connectAll()
    {
        for (Outbound each = toConnect.poll(); each != null; each = toConnect.poll())
        {
            try
            {
                if (each.state() != Outbound.State.CLOSED)      // It may have been given up meanwhile.
                {
                    each.connect(selector);
                }
            }
            catch (final ConnectException ex)
            {
                endClosed(each, ex);
            }
            catch (final IOException | RuntimeException ex)     // Not resolved, no route, no descriptor left.
            {
                LOGGER.trace("no connection to {}", each.address, ex);
                remove(each);
            }
        }
    }

    private void writeAll()
    {
        for (Outbound each = toWrite.poll(); each != null; each = toWrite.poll())
        {
            try
            {
                each.write();
            }
            catch (final IOException | CancelledKeyException ex)
            {
                endClosed(each, ex);
            }
        }
        for (Outbound each = toEnd.poll(); each != null; each = toEnd.poll())
        {
            remove(each);
        }
    }

    /** {@return false if it was removed before} */
    private boolean remove(final Outbound outbound)
    {
        final boolean isRemoved;
        synchronized (outbounds)
        {
            isRemoved = outbounds.remove(outbound.address, outbound);
        }
        outbound.close();
        wakeWaiting();
        return isRemoved;
    }

    private void wakeWaiting()
    {
        synchronized (outbounds)
        {
            outbounds.notifyAll();
        }
    }

    /** Ends what is not answered in time, has not proved itself in time, or was silent for long. */
    private void endLate(final long nowNs)
    {
        if (isAcceptPaused && acceptDeadlineNs - nowNs <= 0)
        {
            isAcceptPaused = false;
            acceptance.interestOps(SelectionKey.OP_ACCEPT);
        }
        final long proofNs = TimeUnit.MILLISECONDS.toNanos(PROOF_MS);
        inbounds.stream().filter(each -> each.isOpen() ? nowNs - each.heardNs > silenceNs :
            nowNs - each.acceptedNs > proofNs).toList().forEach(each -> end(each, Refusal.SILENT));
        final List<Outbound> late;
        synchronized (outbounds)
        {
            late = outbounds.values().stream().filter(each -> isLate(each, nowNs)).toList();
        }
        late.forEach(this::remove);
    }

    private boolean isLate(final Outbound outbound, final long nowNs)
    {
        final long limitMs = outbound.state() == Outbound.State.CONNECTING ? connectMs : connectMs + PROOF_MS;
        return outbound.state() != Outbound.State.OPEN &&
            nowNs - outbound.begunNs > TimeUnit.MILLISECONDS.toNanos(limitMs);
    }

    private void closeAll()
    {
        close(server);
        List.copyOf(inbounds).forEach(each -> end(each, null));
        final List<Outbound> all;
        synchronized (outbounds)
        {
            all = List.copyOf(outbounds.values());
        }
        all.forEach(this::remove);
        close(selector);
    }

    private static void close(final Closeable closeable)
    {
        try
        {
            closeable.close();
        }
        catch (final IOException ex)
        {
            LOGGER.trace("a connection was not closed in order", ex);
        }
    }
}
