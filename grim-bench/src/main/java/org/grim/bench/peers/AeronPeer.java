// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.grim.GrimException;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * Aeron IPC as an expert runs it: the driver has no thread, but is stepped by the first process's measuring thread
 * between polls and sends; so are both clients. Terms are mapped and touched beforehand, of 1 MiB, or of 16 MiB for
 * bandwidth; what fits one fragment is claimed in place, and fragments are large, unless Aeron's own property
 * {@code aeron.ipc.mtu.length} says otherwise.
 */
final class AeronPeer implements Peer
{
    private static final int MTU = Integer.getInteger("aeron.ipc.mtu.length", 65_504);
    private static final String CHANNEL_SMALL = "aeron:ipc?term-length=1m|sparse=false|mtu=" + MTU;
    private static final String CHANNEL_LARGE = "aeron:ipc?term-length=16m|sparse=false|mtu=" + MTU;
    private static final int STREAM_SMALL = 1001;
    private static final int STREAM_LARGE = 2001;
    private static final int STEP_POLL_MASK = (1 << 10) - 1;
    private static final int STEP_LENGTH = 1 << 17;             // An eighth of a small term, a quarter of its window.
    private static final long TIMEOUT_MS = 120_000;             // Others are measured meanwhile.
    private static final long CONNECT_TIMEOUT_MS = 10_000;

    private final MediaDriver driver;
    private final AgentInvoker driverInvoker;
    private final Aeron aeron;
    private final AgentInvoker clientInvoker;
    private final AeronStream small;
    private final AeronStream large;
    private AeronStream stream;
    private int idlePollCount;
    private int sentLength;

    AeronPeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        final String driverDirectory = directory.resolve("aeron").toString();
        driver = isInitiator ? launch(driverDirectory) : null;
        driverInvoker = driver == null ? null : driver.sharedAgentInvoker();
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driverDirectory).useConductorAgentInvoker(true)
            .driverAgentInvoker(driverInvoker).preTouchMappedMemory(true).driverTimeoutMs(TIMEOUT_MS)
            .errorHandler(AeronPeer::rethrow));
        clientInvoker = aeron.conductorAgentInvoker();
        small = new AeronStream(aeron, CHANNEL_SMALL, STREAM_SMALL, isInitiator, receiver);
        large = new AeronStream(aeron, CHANNEL_LARGE, STREAM_LARGE, isInitiator, receiver);
        stream = small;
    }

    @Override
    public void connect()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS);
        while (!small.isConnected() || !large.isConnected())
        {
            step();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException("Aeron found no subscriber within " + CONNECT_TIMEOUT_MS + " ms");
            }
        }
    }

    @Override
    public void prepare(final Cell cell)
    {
        stream = cell.benchmark() == Benchmark.LATENCY || cell.benchmark() == Benchmark.RATE ? small : large;
        stream.prepare(cell.size());
        step();
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
            step();
        }
        return count;
    }

    @Override
    public void idle()
    {
        step();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    private void step()
    {
        stepDriver();
        clientInvoker.invoke();
    }

    private void stepDriver()
    {
        if (driverInvoker != null)
        {
            driverInvoker.invoke();
        }
    }

    private static MediaDriver launch(final String directory)
    {
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        return MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(directory)
            .threadingMode(ThreadingMode.INVOKER).termBufferSparseFile(false).dirDeleteOnShutdown(true)
            .driverTimeoutMs(TIMEOUT_MS).clientLivenessTimeoutNs(timeoutNs).publicationUnblockTimeoutNs(timeoutNs * 2));
    }

    private static void rethrow(final Throwable error)
    {
        throw new GrimException("Aeron's client failed: " + error.getMessage(), error);
    }
}
