// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.MappedFile;
import org.grim.tools.process.ParentWatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The receiving JVM: writes what arrives to a temporary file, straight from the arrival queue or from the window of
 * registered memory, and gives it its name when all has come and the digests agree.
 * <p>Thread: the one that polls. Owns: the temporary file. Keeps no more than the one part that it writes.
 */
public final class CopyReceiver implements AutoCloseable
{
    private static final int TEXT_LENGTH_MAX = 1024;
    private static final long SPIN_DELAY_NS_MAX = TimeUnit.MICROSECONDS.toNanos(100);

    private final Path target;
    private final Path temporary;
    private final long delayNs;
    private final FileChannel channel;
    private final MessageDigest digest = CopyProtocol.newDigest();
    private final byte[] senderDigest = new byte[CopyProtocol.DIGEST_LENGTH];
    private final ByteBuffer part = ByteBuffer.allocateDirect(CopyWindow.SLOT_LENGTH);
    private WindowReceiver window;
    private HandlerId windowOpenHandler;
    private HandlerId doneHandler;
    private HandlerId differsHandler;
    private HandlerId failedHandler;
    private EndpointId sender;
    private long length;
    private RemoteRegion credit;
    private boolean isWindowWanted;
    private boolean isComplete;
    private HandlerId answerHandler;
    private byte[] answer;
    private long position;
    private boolean hasFailed;

    private CopyReceiver(final Path target, final Path temporary, final long delayUs)
    {
        this.target = target;
        this.temporary = temporary;
        this.delayNs = TimeUnit.MICROSECONDS.toNanos(delayUs);
        try
        {
            channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "target " + target + " cannot be written: " + MappedFile.describe(ex), ex);
        }
    }

    /**
     * Receives one file, and stays until the sender's process closes the pipe.
     *
     * @param config    with the cluster and the node's name.
     * @param target    name of the file when it is complete.
     * @param temporary name until then, on the same file system.
     * @param delayUs   wait per message, to be slow on purpose.
     * @throws GrimException if the temporary file cannot be made.
     * @throws IOException   if it cannot be removed.
     */
    public static void receive(final GrimConfig config, final Path target, final Path temporary, final long delayUs)
        throws IOException
    {
        final ParentWatch watch = ParentWatch.start();
        try (CopyReceiver receiver = new CopyReceiver(target, temporary, delayUs);
            Grim grim = Grim.enable(config))
        {
            receiver.run(grim, watch);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
        Files.deleteIfExists(temporary);
    }

    private void run(final Grim grim, final ParentWatch watch)
    {
        grim.handlers().register(CopyProtocol.CHUNK, this::onChunk);
        grim.handlers().register(CopyProtocol.WINDOW, this::onWindow);
        grim.handlers().register(CopyProtocol.END, this::onEnd);
        grim.start();
        windowOpenHandler = grim.handlers().resolve(CopyProtocol.WINDOW_OPEN);
        doneHandler = grim.handlers().resolve(CopyProtocol.DONE);
        differsHandler = grim.handlers().resolve(CopyProtocol.DIFFERS);
        failedHandler = grim.handlers().resolve(CopyProtocol.FAILED);
        watch.announceReady();
        final IdleStrategy idle = new BackoffIdleStrategy();
        while (!watch.isEnded())
        {
            idle.idle(doWork(grim));
        }
    }

    private int doWork(final Grim grim)
    {
        int workCount = grim.endpoint().poll();
        if (isWindowWanted)
        {
            isWindowWanted = false;
            openWindow(grim);
        }
        if (window != null)
        {
            // All parts have arrived before the message that says so.
            workCount += window.doWork(isComplete ? Integer.MAX_VALUE : 1);
        }
        if (isComplete)
        {
            isComplete = false;
            finish();
        }
        return workCount + sendAnswer(grim);
    }

    private void onWindow(final ActiveMessage message)
    {
        sender = message.source();
        length = CopyProtocol.value(message.argument(0), message.argument(1));
        credit = RemoteRegion.readFrom(message.buffer(), message.offset(), message.length());
        isWindowWanted = true;
    }

    private void onChunk(final ActiveMessage message)
    {
        sender = message.source();
        final long offset = CopyProtocol.value(message.argument(0), message.argument(1));
        if (offset == position || hasFailed)
        {
            take(message.buffer(), message.offset(), message.length());
        }
        else
        {
            fail("chunk of offset=" + offset + " came at offset=" + position);
        }
    }

    private void onEnd(final ActiveMessage message)
    {
        sender = message.source();
        length = CopyProtocol.value(message.argument(0), message.argument(1));
        message.buffer().getBytes(message.offset(), senderDigest);
        isComplete = true;
    }

    private void openWindow(final Grim grim)
    {
        final MemoryRegion region = grim.endpoint().memory().register(CopyWindow.LENGTH);
        window = new WindowReceiver(region, grim.endpoint().memory().link(sender), credit, length, this::take);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        region.remote().writeTo(payload, 0);
        answer(windowOpenHandler, payload.byteArray());
    }

    private void take(final DirectBuffer buffer, final int offset, final int count)
    {
        if (hasFailed)
        {
            return;                             // It was in flight when the sender learned of the failure.
        }
        delay();
        buffer.getBytes(offset, part, 0, count);
        digest.update(part.limit(count).position(0));
        part.position(0);
        try
        {
            while (part.hasRemaining())
            {
                channel.write(part);
            }
        }
        catch (final IOException ex)
        {
            fail("write to " + temporary + " failed at offset=" + position + ": " + ex.getMessage());
        }
        position += count;
    }

    private void finish()
    {
        if (hasFailed)
        {
            return;
        }
        final byte[] ownDigest = digest.digest();
        if (position != length || !Arrays.equals(ownDigest, senderDigest))
        {
            answer(differsHandler, ownDigest);
            return;
        }
        try
        {
            channel.close();
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            answer(doneHandler, ownDigest);
        }
        catch (final IOException ex)
        {
            fail("rename of " + temporary + " to " + target + " failed: " + MappedFile.describe(ex));
        }
    }

    private void fail(final String reason)
    {
        hasFailed = true;
        final byte[] text = reason.getBytes(UTF_8);
        answer(failedHandler, Arrays.copyOf(text, Math.min(text.length, TEXT_LENGTH_MAX)));
    }

    /** There is never more than one: the sender waits for it. */
    private void answer(final HandlerId handler, final byte[] payload)
    {
        answerHandler = handler;
        answer = payload;
    }

    /** A sender that is gone needs no answer. */
    private int sendAnswer(final Grim grim)
    {
        if (answer == null)
        {
            return 0;
        }
        final SendStatus status = grim.endpoint().link(sender).send(answerHandler, new UnsafeBuffer(answer), 0,
            answer.length);
        if (status == SendStatus.BACK_PRESSURED)
        {
            return 0;
        }
        answer = null;
        return 1;
    }

    private void delay()
    {
        if (delayNs > SPIN_DELAY_NS_MAX)
        {
            LockSupport.parkNanos(delayNs);
        }
        else if (delayNs > 0)
        {
            final long endNs = System.nanoTime() + delayNs;
            while (System.nanoTime() - endNs < 0)
            {
                Thread.onSpinWait();
            }
        }
    }
}
