// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.grim.GrimException;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Aeron over UDP and the loopback device, as between two hosts: each process has a driver of its own, without threads,
 * which the measuring thread steps with each poll and after each send. Terms of 16 MiB, MTU 8 KiB.
 */
final class AeronUdpPeer implements Peer
{
    private static final String HOST = "127.0.0.1";
    private static final String OPTIONS = "|term-length=16m|mtu=8k";
    private static final String SUBSCRIPTION = "aeron:udp?endpoint=" + HOST + ":";
    private static final int STREAM = 3001;
    private static final long TIMEOUT_MS = 120_000;             // Others are measured meanwhile.
    private static final long CONNECT_TIMEOUT_MS = 10_000;
    private static final String PORT_FILE = "aeron-udp-ports";
    private static final int IDLE_STEPS = 4;

    private final MediaDriver driver;
    private final AgentInvoker driverInvoker;
    private final Aeron aeron;
    private final AeronStream stream;

    AeronUdpPeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        final int[] ports = ports(directory.resolve(PORT_FILE), isInitiator);
        final String driverDirectory = directory.resolve(isInitiator ? "udp-first" : "udp-second").toString();
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        driver = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(driverDirectory)
            .threadingMode(ThreadingMode.INVOKER).termBufferSparseFile(false).dirDeleteOnShutdown(true)
            .driverTimeoutMs(TIMEOUT_MS).clientLivenessTimeoutNs(timeoutNs).imageLivenessTimeoutNs(timeoutNs)
            .publicationConnectionTimeoutNs(timeoutNs).publicationUnblockTimeoutNs(timeoutNs * 2));
        driverInvoker = driver.sharedAgentInvoker();
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driverDirectory).useConductorAgentInvoker(true)
            .driverAgentInvoker(driverInvoker).driverTimeoutMs(TIMEOUT_MS).errorHandler(AeronUdpPeer::rethrow));
        stream = new AeronStream(aeron, SUBSCRIPTION + ports[isInitiator ? 1 : 0] + OPTIONS,
            SUBSCRIPTION + ports[isInitiator ? 0 : 1], STREAM, receiver);
    }

    @Override
    public void connect()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS);
        while (!stream.isConnected())
        {
            idle();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException("Aeron found no subscriber within " + CONNECT_TIMEOUT_MS + " ms");
            }
        }
    }

    @Override
    public void prepare(final Cell cell)
    {
        stream.prepare(cell.size());
        idle();
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final boolean isSent = stream.trySend(source, offset, length);
        driverInvoker.invoke();
        return isSent;
    }

    @Override
    public int poll()
    {
        driverInvoker.invoke();
        return stream.poll();
    }

    @Override
    public void idle()
    {
        for (int i = 0; i < IDLE_STEPS; i++)
        {
            driverInvoker.invoke();
        }
        aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
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
        throw new GrimException("Aeron's client failed: " + error.getMessage(), error);
    }
}
