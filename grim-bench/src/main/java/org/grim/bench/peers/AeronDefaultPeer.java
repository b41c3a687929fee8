// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;

/**
 * Aeron IPC as it comes: a driver and clients with their threads and timings, a shared publication with {@code offer},
 * a subscription with an assembler.
 */
final class AeronDefaultPeer implements Peer
{
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM = 1001;
    private static final int POLL_LIMIT = 10;
    private static final long CONNECT_TIMEOUT_MS = 10_000;
    private static final long POLL_INTERVAL_NS = 100_000;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final Publication publication;
    private final Subscription subscription;
    private final FragmentAssembler assembler;

    AeronDefaultPeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        final String driverDirectory = directory.resolve("aeron-default").toString();
        driver = isInitiator ? MediaDriver.launch(
            new MediaDriver.Context().aeronDirectoryName(driverDirectory).dirDeleteOnShutdown(true)) : null;
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driverDirectory));
        publication = aeron.addPublication(CHANNEL, isInitiator ? STREAM : STREAM + 1);
        subscription = aeron.addSubscription(CHANNEL, isInitiator ? STREAM + 1 : STREAM);
        assembler = new FragmentAssembler(
            (buffer, offset, length, header) -> receiver.onMessage(buffer, offset, length));
    }

    @Override
    public void connect()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS);
        while (!publication.isConnected() || !subscription.isConnected())
        {
            LockSupport.parkNanos(POLL_INTERVAL_NS);
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException("Aeron found no subscriber within " + CONNECT_TIMEOUT_MS + " ms");
            }
        }
    }

    @Override
    public void prepare(final Cell cell)
    {
        // Every size is treated alike.
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final long position = publication.offer(source, offset, length);
        if (position > 0)
        {
            return true;
        }
        if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION)
        {
            throw new GrimException("Aeron refused a message: " + Publication.errorString(position));
        }
        return false;
    }

    @Override
    public int poll()
    {
        return subscription.poll(assembler, POLL_LIMIT);
    }

    @Override
    public void idle()
    {
        // Threads of its own keep it alive.
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
