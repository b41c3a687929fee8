// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * The sending side: reads the file and hands it over part by part, by messages or by remote memory. It waits where the
 * receiver has no room, so memory stays what it is, however slow the receiver.
 * <p>Thread: one, which polls.
 */
final class CopySender
{
    private static final int MESSAGE_LENGTH = 1 << 15;
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private final Grim grim;
    private final Runnable requireReceiver;
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private final AtomicBuffer part = Buffers.allocate(CopyWindow.SLOT_LENGTH);
    private final ByteBuffer partBytes = part.byteBuffer().duplicate();
    private final MessageDigest digest = CopyProtocol.newDigest();
    private String targetSha256;
    private String failure;
    private RemoteRefusal refusal;
    private RemoteRegion window;
    private int partNumber;

    /** Joins the cluster; {@code requireReceiver} throws if the receiver's process is no more. */
    CopySender(final Grim grim, final Runnable requireReceiver)
    {
        this.grim = grim;
        this.requireReceiver = requireReceiver;
        grim.handlers().register(CopyProtocol.DONE, message -> targetSha256 = hex(message));
        grim.handlers().register(CopyProtocol.DIFFERS, message -> targetSha256 = hex(message));
        grim.handlers().register(CopyProtocol.WINDOW_OPEN,
            message -> window = RemoteRegion.readFrom(message.buffer(), message.offset(), message.length()));
        grim.handlers().register(CopyProtocol.FAILED,
            message -> failure = message.buffer().getStringWithoutLengthUtf8(message.offset(), message.length()));
        grim.start();
    }

    /** Sends a file, which may not shrink meanwhile; fails if the receiver cannot go on, or dies. */
    CopyResult send(
        final FileChannel source, final String receiver, final CopyMode mode, final LongConsumer progress)
        throws IOException
    {
        final EndpointId destination = grim.locate(receiver);
        final Link link = grim.endpoint().link(destination);
        final long length = source.size();
        final long startNs = System.nanoTime();
        final PieceSender sender = mode == CopyMode.RM ? window(link, destination, length) : messages(link);
        final int partLengthMax =
            mode == CopyMode.RM ? CopyWindow.SLOT_LENGTH : Math.min(MESSAGE_LENGTH, link.payloadLengthMax());
        long position = 0;
        while (position < length)
        {
            final int count = (int)Math.min(partLengthMax, length - position);
            readAndDigest(source, count);
            sender.send(position, count);
            position += count;
            progress.accept(position);
        }
        final byte[] ownDigest = digest.digest();
        send(link, CopyProtocol.END, length, ownDigest);
        while (targetSha256 == null)
        {
            await(length);
        }
        return new CopyResult(length, (System.nanoTime() - startNs) / 1e9, HexFormat.of().formatHex(ownDigest),
            targetSha256);
    }

    /** Sends a part of the file to the receiver; waits while there is no room. */
    private interface PieceSender
    {
        void send(long position, int length);
    }

    private PieceSender messages(final Link link)
    {
        final HandlerId handler = grim.handlers().resolve(CopyProtocol.CHUNK);
        return (position, length) -> awaitAccepted(position, () -> link.send(handler, CopyProtocol.low(position),
            CopyProtocol.high(position), 0, 0, part, 0, length));
    }

    /**
     * Parts are written into the receiver's window, each with a notification word; the receiver says by a word in this
     * side's memory how many it has taken. No handler runs for either.
     */
    private PieceSender window(final Link link, final EndpointId destination, final long fileLength)
    {
        final MemoryRegion credit = grim.endpoint().memory().register(CopyWindow.CREDIT_LENGTH);
        grim.endpoint().memory().onRefused((target, address, refusedLength, reason) -> refusal = reason);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        credit.remote().writeTo(payload, 0);
        send(link, CopyProtocol.WINDOW, fileLength, payload.byteArray());
        while (window == null)
        {
            await(0);
        }
        final RemoteLink memory = grim.endpoint().memory().link(destination);
        return (position, length) ->
        {
            partNumber++;
            // Partner: the transport's release store of the receiver's write, after it has read the slot.
            while (partNumber - credit.buffer().getIntVolatile(CopyWindow.CREDIT_OFFSET) > CopyWindow.SLOT_COUNT)
            {
                await(position);
            }
            awaitAccepted(position, () -> memory.write(window, CopyWindow.dataOffset(partNumber), part, 0,
                length, window.slice(CopyWindow.wordOffset(partNumber), Integer.BYTES), partNumber));
        };
    }

    /** Sends a message with one long argument. */
    private void send(final Link link, final String handler, final long argument, final byte[] payload)
    {
        final HandlerId id = grim.handlers().resolve(handler);
        awaitAccepted(argument, () -> link.send(id, CopyProtocol.low(argument), CopyProtocol.high(argument), 0, 0,
            new UnsafeBuffer(payload), 0, payload.length));
    }

    private void awaitAccepted(final long sentLength, final Supplier<SendStatus> send)
    {
        SendStatus status = send.get();
        while (status == SendStatus.BACK_PRESSURED)
        {
            await(sentLength);
            status = send.get();
        }
        requireAccepted(status, sentLength);
    }

    private void requireAccepted(final SendStatus status, final long sentLength)
    {
        if (!status.isAccepted())
        {
            // The kernel gives a dead process's locks back before it says how the process ended.
            final long deadlineNs = System.nanoTime() + END_TIMEOUT_NS;
            while (System.nanoTime() - deadlineNs < 0)
            {
                requireReceiver.run();
                idle.idle(0);
            }
            throw new GrimException(UNREACHABLE,
                "receiver is lost: status=" + status + " after " + sentLength + " bytes");
        }
    }

    private void readAndDigest(final FileChannel source, final int length) throws IOException
    {
        final int start = part.wrapAdjustment();
        partBytes.limit(start + length).position(start);
        while (partBytes.hasRemaining())
        {
            if (source.read(partBytes) < 0)
            {
                throw new GrimException(BAD_DATA, "source shrank while it was read: now " + source.size() + " bytes");
            }
        }
        digest.update(partBytes.position(start));
    }

    /** A moment of waiting for the receiver. */
    private void await(final long sentLength)
    {
        final int workCount = grim.endpoint().poll();
        if (failure != null)
        {
            throw new GrimException(UNREACHABLE, "receiver failed after " + sentLength + " bytes: " + failure);
        }
        if (refusal != null)
        {
            throw new GrimException(BAD_DATA,
                "remote memory refused a part after " + sentLength + " bytes: " + refusal);
        }
        if (workCount == 0)
        {
            requireReceiver.run();
        }
        idle.idle(workCount);
    }

    private static String hex(final ActiveMessage message)
    {
        final byte[] bytes = new byte[message.length()];
        message.buffer().getBytes(message.offset(), bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
