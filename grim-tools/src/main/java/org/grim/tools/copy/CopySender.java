// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;

/**
 * The sending side: reads the file and hands it over part by part, by messages or by remote memory. It waits where the
 * receiver has no room, so memory stays what it is, however slow the receiver.
 * <p>Thread: one, which polls.
 */
public final class CopySender
{
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private final Grim grim;
    private final Runnable requireReceiver;
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private final FrameClaim claim = new FrameClaim();
    private final MessageDigest digest = CopyProtocol.newDigest();
    private String targetSha256;
    private String failure;
    private RemoteRefusal refusal;
    private long windowAddress;

    /**
     * Makes a sender.
     *
     * @param grim            the node.
     * @param requireReceiver throws if the receiver's process is no more.
     */
    public CopySender(final Grim grim, final Runnable requireReceiver)
    {
        this.grim = grim;
        this.requireReceiver = requireReceiver;
        grim.handlers().register(CopyProtocol.DONE, message -> targetSha256 = hex(message));
        grim.handlers().register(CopyProtocol.DIFFERS, message -> targetSha256 = hex(message));
        grim.handlers().register(CopyProtocol.WINDOW_OPEN,
            message -> windowAddress = message.buffer().getLong(message.offset()));
        grim.handlers().register(CopyProtocol.FAILED,
            message -> failure = message.buffer().getStringWithoutLengthUtf8(message.offset(), message.length()));
        grim.join();
    }

    /**
     * Sends a file, from its beginning.
     *
     * @param source   open for reading; may not shrink meanwhile.
     * @param receiver name of the node.
     * @param mode     how its bytes go.
     * @param progress learns how many bytes were sent.
     * @return the result.
     * @throws IOException   if the file cannot be read.
     * @throws GrimException if the receiver says that it cannot go on, or dies.
     */
    public CopyResult send(
        final FileChannel source, final String receiver, final CopyMode mode, final LongConsumer progress)
        throws IOException
    {
        final HandlerId endHandler = grim.handlers().resolve(CopyProtocol.END);
        final EndpointId destination = grim.locate(receiver);
        final Link link = grim.endpoint().link(destination);
        final long length = source.size();
        final long startNs = System.nanoTime();
        final ChunkWay way = mode == CopyMode.RM ? openWindow(link, destination, length) :
            new MessageWay(this, link, grim.handlers().resolve(CopyProtocol.CHUNK));
        long position = 0;
        while (position < length)
        {
            final int count = (int)Math.min(way.chunkLengthMax(), length - position);
            way.send(source, position, count);
            position += count;
            progress.accept(position);
        }
        final byte[] ownDigest = digest.digest();
        claim(link, endHandler, length, ownDigest.length, claim);
        claim.buffer().putBytes(claim.offset(), ownDigest);
        claim.publish();
        while (targetSha256 == null)
        {
            await(length);
        }
        return new CopyResult(length, (System.nanoTime() - startNs) / 1e9, HexFormat.of().formatHex(ownDigest),
            targetSha256);
    }

    /** Claims room for a message with one long argument. */
    void claim(final Link link, final HandlerId handler, final long argument, final int length, final FrameClaim room)
    {
        SendStatus status = link.tryClaim(handler, length, room);
        while (status == SendStatus.BACK_PRESSURED)
        {
            await(argument);
            status = link.tryClaim(handler, length, room);
        }
        requireAccepted(status, argument);
        room.arguments(CopyProtocol.low(argument), CopyProtocol.high(argument), 0, 0);
    }

    void requireAccepted(final SendStatus status, final long sentLength)
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
            throw new GrimException("receiver is lost: status=" + status + " after " + sentLength + " bytes");
        }
    }

    /** Reads so many bytes of the file into room that takes no more. */
    void readAndDigest(final FileChannel source, final ByteBuffer room, final int length) throws IOException
    {
        while (room.hasRemaining())
        {
            if (source.read(room) < 0)
            {
                throw new GrimException("source shrank while it was read: now " + source.size() + " bytes");
            }
        }
        room.position(room.limit() - length);
        digest.update(room);
    }

    /** A moment of waiting for the receiver. */
    void await(final long sentLength)
    {
        final int workCount = grim.poll();
        if (failure != null)
        {
            throw new GrimException("receiver failed after " + sentLength + " bytes: " + failure);
        }
        if (refusal != null)
        {
            throw new GrimException("remote memory refused a part after " + sentLength + " bytes: " + refusal);
        }
        if (workCount == 0)
        {
            requireReceiver.run();
        }
        idle.idle(workCount);
    }

    /** Asks for the receiver's window, and tells it where it finds this side's credit word. */
    private WindowWay openWindow(final Link link, final EndpointId destination, final long length)
    {
        final MemoryRegion credit = grim.memory().register(CopyWindow.CREDIT_LENGTH);
        grim.memory().onRefused((target, address, refusedLength, reason) -> refusal = reason);
        claim(link, grim.handlers().resolve(CopyProtocol.WINDOW), length, Long.BYTES, claim);
        claim.buffer().putLong(claim.offset(), credit.virtualAddress());
        claim.publish();
        while (windowAddress == 0)
        {
            await(0);
        }
        return new WindowWay(this, grim.memory().link(destination), credit, windowAddress);
    }

    private static String hex(final ActiveMessage message)
    {
        final byte[] bytes = new byte[message.length()];
        message.buffer().getBytes(message.offset(), bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
