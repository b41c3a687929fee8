// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.grim.buffer.Uninterrupted;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.Peer;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * A peer over Aeron's UDP, with a media driver of its own as a host has one. The driver has no thread: the measuring
 * one steps it with each poll, and sends what was written at once where a reply is awaited, else once it fills a
 * datagram. So all peers over UDP have the same driver, in the same thread.
 * <p>Thread: the measuring one. Until the first cell a thread of its own steps the driver: peers wait for its answers
 * while they connect.
 */
final class SteppedPeer implements Peer
{
    /** Settings that all peers over UDP have. */
    static final int MTU = 8 << 10;
    static final int TERM_LENGTH = 16 << 20;

    /** Others are measured meanwhile. */
    static final long TIMEOUT_MS = 120_000;

    private static final int IDLE_STEPS = 4;
    private static final long CONNECT_INTERVAL_NS = 10_000;

    private final MediaDriver driver;
    private final AgentInvoker invoker;
    private final Thread connecting;
    private final Peer peer;
    private volatile boolean isMeasuring;
    private int stepLength;
    private int sentLength;

    /** The driver's directory is made, and given to the peer. */
    SteppedPeer(final Path directory, final Function<Path, Peer> opener)
    {
        driver = MediaDriver.launch(
            stepped(new MediaDriver.Context().aeronDirectoryName(directory.toString()).dirDeleteOnShutdown(true)));
        invoker = driver.sharedAgentInvoker();
        connecting = new Thread(this::stepUntilMeasured, "driver-" + directory.getFileName());
        connecting.setDaemon(true);
        connecting.start();
        Peer opened = null;
        try
        {
            opened = opener.apply(directory);
        }
        finally
        {
            if (opened == null)
            {
                takeOver();
                driver.close();
            }
        }
        peer = opened;
    }

    /** A driver without threads whose clients and peers may be silent while others are measured. */
    static MediaDriver.Context stepped(final MediaDriver.Context context)
    {
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        return context.threadingMode(ThreadingMode.INVOKER).termBufferSparseFile(false).driverTimeoutMs(TIMEOUT_MS)
            .clientLivenessTimeoutNs(timeoutNs).imageLivenessTimeoutNs(timeoutNs)
            .publicationConnectionTimeoutNs(timeoutNs).publicationUnblockTimeoutNs(timeoutNs * 2);
    }

    @Override
    public void connect()
    {
        peer.connect();
    }

    @Override
    public void prepare(final Cell cell)
    {
        takeOver();
        stepLength = cell.benchmark() == Benchmark.LATENCY ? 0 : MTU;
        peer.prepare(cell);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final boolean isSent = peer.trySend(source, offset, length);
        sentLength += length;
        if (!isSent || sentLength >= stepLength)
        {
            sentLength = 0;
            invoker.invoke();
        }
        return isSent;
    }

    @Override
    public int poll()
    {
        invoker.invoke();
        return peer.poll();
    }

    @Override
    public void idle()
    {
        for (int i = 0; isMeasuring && i < IDLE_STEPS; i++)
        {
            invoker.invoke();
        }
        peer.idle();
    }

    @Override
    public void close()
    {
        takeOver();
        CloseHelper.closeAll(peer, driver);
    }

    private void stepUntilMeasured()
    {
        while (!isMeasuring)
        {
            if (invoker.invoke() == 0)
            {
                LockSupport.parkNanos(CONNECT_INTERVAL_NS);
            }
        }
    }

    private void takeOver()
    {
        if (isMeasuring)
        {
            return;
        }
        isMeasuring = true;
        Uninterrupted.join(connecting);
    }
}
