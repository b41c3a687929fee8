// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.grim.GrimException;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerKind;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Aeron, in three modes.
 * <ul>
 * <li>IPC as an expert runs it: the driver has no thread, but is stepped by the first process's measuring thread
 * between polls and sends; so are both clients. Terms are mapped and touched beforehand, of 1 MiB, or of 16 MiB for
 * bandwidth; what fits one fragment is claimed in place, and fragments are large, unless Aeron's own property
 * {@code aeron.ipc.mtu.length} says otherwise.</li>
 * <li>IPC with its defaults: a driver and clients with their threads and timings.</li>
 * <li>UDP over the loopback device, as between two hosts: a client of the driver of a {@link SteppedPeer}.</li>
 * </ul>
 */
final class AeronPeer implements Peer
{
    private static final int MTU = Integer.getInteger("aeron.ipc.mtu.length", 65_504);
    private static final String CHANNEL_SMALL = "aeron:ipc?term-length=1m|sparse=false|mtu=" + MTU;
    private static final String CHANNEL_LARGE = "aeron:ipc?term-length=16m|sparse=false|mtu=" + MTU;
    private static final String CHANNEL_DEFAULT = "aeron:ipc";
    private static final String CHANNEL_UDP = "aeron:udp?endpoint=127.0.0.1:";
    private static final String OPTIONS_UDP = "|term-length=" + SteppedPeer.TERM_LENGTH + "|mtu=" + SteppedPeer.MTU;
    private static final String PORT_FILE = "aeron-udp-ports";
    private static final int STREAM_SMALL = 1001;
    private static final int STREAM_LARGE = 2001;
    private static final int STEP_POLL_MASK = (1 << 10) - 1;
    private static final int STEP_LENGTH = 1 << 17;             // An eighth of a small term, a quarter of its window.
    private static final long CONNECT_TIMEOUT_MS = 10_000;
    private static final long CONNECT_INTERVAL_NS = 10_000;

    private final MediaDriver driver;
    private final AgentInvoker driverInvoker;
    private final Aeron aeron;
    private final AgentInvoker clientInvoker;
    private final AeronStream small;
    private final AeronStream large;
    private AeronStream stream;
    private int idlePollCount;
    private int sentLength;

    /** Over UDP with the directory of a driver that another object steps; else with null, and a driver of its own. */
    AeronPeer(
        final PeerKind kind, final Path directory, final Path udpDriver, final Ends ends,
        final MessageReceiver receiver)
    {
        final boolean isInitiator = ends != Ends.SECOND;
        final boolean isDefault = kind == PeerKind.AERON_IPC_DEFAULT;
        final boolean isUdp = udpDriver != null;
        final String driverDirectory = (isUdp ? udpDriver : directory.resolve(kind.label())).toString();
        final MediaDriver.Context context =
            new MediaDriver.Context().aeronDirectoryName(driverDirectory).dirDeleteOnShutdown(true);
        driver = isInitiator && !isUdp ?
            MediaDriver.launch(isDefault ? context : SteppedPeer.stepped(context)) : null;
        driverInvoker = driver == null ? null : driver.sharedAgentInvoker();
        final Aeron.Context client = new Aeron.Context().aeronDirectoryName(driverDirectory);
        aeron = Aeron.connect(isDefault ? client : client.useConductorAgentInvoker(true)
            .driverAgentInvoker(driverInvoker).preTouchMappedMemory(!isUdp).driverTimeoutMs(SteppedPeer.TIMEOUT_MS)
            .errorHandler(AeronPeer::rethrow));
        clientInvoker = aeron.conductorAgentInvoker();
        if (isUdp)
        {
            final int[] ports = ports(directory.resolve(PORT_FILE), isInitiator);
            small = new AeronStream(
                aeron.addExclusivePublication(
                    CHANNEL_UDP + ports[isInitiator ? 1 : 0] + OPTIONS_UDP, STREAM_SMALL),
                aeron.addSubscription(CHANNEL_UDP + ports[isInitiator ? 0 : 1], STREAM_SMALL), false, receiver);
            large = small;
        }
        else
        {
            small = ipc(isDefault ? CHANNEL_DEFAULT : CHANNEL_SMALL, STREAM_SMALL, ends, isDefault, receiver);
            large = isDefault ? small : ipc(CHANNEL_LARGE, STREAM_LARGE, ends, false, receiver);
        }
        stream = small;
    }

    @Override
    public void connect()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS);
        while (!small.isConnected() || !large.isConnected())
        {
            idle();
            LockSupport.parkNanos(CONNECT_INTERVAL_NS);
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(TIMED_OUT, "Aeron found no subscriber within " + CONNECT_TIMEOUT_MS + " ms");
            }
        }
    }

    @Override
    public void prepare(final Cell cell)
    {
        stream = cell.benchmark() == Benchmark.BANDWIDTH || cell.benchmark() == Benchmark.LARGE_MESSAGE ? large : small;
        stream.prepare(cell.size());
        idle();
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final boolean isSent = stream.trySend(source, offset, length);
        sentLength += length;
        // The receiver is at work on the message by now. Only the driver moves the sender's limit.
        if (!isSent || sentLength > STEP_LENGTH)
        {
            sentLength = 0;
            stepDriver();
        }
        return isSent;
    }

    @Override
    public int poll()
    {
        final int count = stream.poll();
        if (count == 0 && (++idlePollCount & STEP_POLL_MASK) == 0)
        {
            idle();
        }
        return count;
    }

    @Override
    public void idle()
    {
        stepDriver();
        if (clientInvoker != null)
        {
            clientInvoker.invoke();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    private AeronStream ipc(
        final String channel, final int streamId, final Ends ends, final boolean isDefault,
        final MessageReceiver receiver)
    {
        final int outbound = ends == Ends.SECOND ? streamId + 1 : streamId;
        return new AeronStream(isDefault ? aeron.addPublication(channel, outbound) :
            aeron.addExclusivePublication(channel, outbound),
            aeron.addSubscription(channel, ends == Ends.FIRST ? streamId + 1 : streamId), isDefault, receiver);
    }

    private void stepDriver()
    {
        if (driverInvoker != null)
        {
            driverInvoker.invoke();
        }
    }

    /** Two free ports, chosen by the first process: where it receives, and where the second does. */
    private static int[] ports(final Path file, final boolean isInitiator)
    {
        try
        {
            if (isInitiator)
            {
                try (DatagramSocket first = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                    DatagramSocket second = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
                {
                    Files.writeString(file, first.getLocalPort() + " " + second.getLocalPort());
                }
            }
            final String[] parts = Files.readString(file, US_ASCII).split(" ", -1);
            return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("ports for Aeron cannot be had: " + ex.getMessage(), ex);
        }
    }

    private static void rethrow(final Throwable error)
    {
        throw new GrimException(SYSTEM_REFUSED, "Aeron's client failed: " + error.getMessage(), error);
    }
}
