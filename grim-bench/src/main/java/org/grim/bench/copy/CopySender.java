// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.bench.memory.MemoryView;
import org.grim.transport.FrameClaim;
import org.grim.transport.Link;

/**
 * The sending side: reads the file straight into room claimed at the receiver. It waits where the receiver has no room,
 * so memory stays what it is, however slow the receiver.
 * <p>Thread: one, which polls.
 */
public final class CopySender
{
    private static final int CHUNK_LENGTH = 1 << 15;

    private final Grim grim;
    private final Runnable requireReceiver;
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private final FrameClaim claim = new FrameClaim();
    private final MemoryView view = new MemoryView();
    private final MessageDigest digest = CopyProtocol.newDigest();
    private String targetSha256;
    private String failure;

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
        grim.handlers().register(CopyProtocol.FAILED,
            message -> failure = message.buffer().getStringWithoutLengthUtf8(message.offset(), message.length()));
        grim.handlers().synchronise();
    }

    /**
     * Sends a file, from its beginning.
     *
     * @param source   open for reading; may not shrink meanwhile.
     * @param receiver name of the node.
     * @param progress learns how far it is.
     * @return the result.
     * @throws IOException   if the file cannot be read.
     * @throws GrimException if the receiver says that it cannot go on, or dies.
     */
    public CopyResult send(final FileChannel source, final String receiver, final Progress progress)
        throws IOException
    {
        final int chunkHandler = grim.handlers().resolve(CopyProtocol.CHUNK);
        final int endHandler = grim.handlers().resolve(CopyProtocol.END);
        final Link link = grim.host().link(grim.locate(receiver));
        final long length = source.size();
        final int chunkLength = Math.min(CHUNK_LENGTH, link.payloadLengthMax());
        final long startNs = System.nanoTime();
        long position = 0;
        while (position < length)
        {
            final int count = (int)Math.min(chunkLength, length - position);
            claim(link, chunkHandler, position, count);
            fill(source, length);
            position += count;
            progress.sent(position);
        }
        final byte[] ownDigest = digest.digest();
        claim(link, endHandler, length, ownDigest.length);
        claim.buffer().putBytes(claim.offset(), ownDigest);
        claim.publish();
        while (targetSha256 == null)
        {
            await(length);
        }
        return new CopyResult(length, (System.nanoTime() - startNs) / 1e9, HexFormat.of().formatHex(ownDigest),
            targetSha256);
    }

    private void claim(final Link link, final int handler, final long argument, final int length)
    {
        SendStatus status = tryClaim(link, handler, argument, length);
        while (status == SendStatus.BACK_PRESSURED)
        {
            await(argument);
            status = tryClaim(link, handler, argument, length);
        }
        if (!status.isAccepted())
        {
            requireReceiver.run();
            throw new GrimException("receiver is lost: status=" + status + " after " + argument + " bytes");
        }
    }

    private SendStatus tryClaim(final Link link, final int handler, final long argument, final int length)
    {
        return link.tryClaim(handler, CopyProtocol.low(argument), CopyProtocol.high(argument), 0, 0, length, claim);
    }

    private void fill(final FileChannel source, final long length) throws IOException
    {
        final ByteBuffer room = view.roomFor(claim.buffer(), claim.offset(), claim.length());
        try
        {
            while (room.hasRemaining())
            {
                if (source.read(room) < 0)
                {
                    throw new GrimException("source shrank while it was read: length=" + length + " bytes, now " +
                        source.size());
                }
            }
            room.position(room.limit() - claim.length());
            digest.update(room);
            view.put(claim.buffer(), claim.offset(), claim.length());
            claim.publish();
        }
        finally
        {
            if (claim.isOpen())
            {
                claim.abort();
            }
        }
    }

    private void await(final long sentLength)
    {
        final int workCount = grim.poll();
        if (failure != null)
        {
            throw new GrimException("receiver failed after " + sentLength + " bytes: " + failure);
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
