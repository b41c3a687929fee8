// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MessageStream;
import org.grim.SendStatus;

/**
 * A file as one message of any length, piece by piece: node-0 reads it, node-1 writes it. No side ever has all of it in
 * memory. Arguments: source and target.
 */
public final class FileStream implements ActiveMessage.Stream.Handler
{
    private static final int PIECE_LENGTH = 1 << 16;

    private final FileChannel file;
    private boolean isOver;

    private FileStream(final FileChannel file)
    {
        this.file = file;
    }

    /** Sends as the first node, receives as the other one. */
    public static void main(final String[] args) throws IOException
    {
        if (args.length != 2)
        {
            throw new IllegalArgumentException("arguments: SOURCE TARGET");
        }
        if (Files.exists(Path.of(args[1])) && Files.isSameFile(Path.of(args[0]), Path.of(args[1])))
        {
            throw new IllegalArgumentException("SOURCE and TARGET are the same file: " + args[0]);
        }
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            if (grim.node().name().equals("node-0"))
            {
                send(grim, Path.of(args[0]));
            }
            else
            {
                receive(grim, Path.of(args[1]));
            }
        }
    }

    private static void send(final Grim grim, final Path source) throws IOException
    {
        grim.start();
        final HandlerId handler = grim.handlers().resolve("file");
        final Link link = grim.endpoint().link(grim.awaitNode("node-1", Duration.ofSeconds(30)));
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_LENGTH);
        final UnsafeBuffer bytes = new UnsafeBuffer(piece);
        final MessageStream stream = grim.endpoint().newStream();
        try (FileChannel file = FileChannel.open(source))
        {
            while (link.tryOpenStream(handler, 0, 0, 0, 0, file.size(), stream) == SendStatus.BACK_PRESSURED)
            {
                idle.idle(grim.endpoint().poll());
            }
            while (file.read(piece) > 0)
            {
                int sent = 0;
                while (sent < piece.position())
                {
                    final int taken = stream.add(bytes, sent, piece.position() - sent);
                    sent += taken;
                    idle.idle(grim.endpoint().poll() + taken);
                    requireOpen(stream);
                }
                piece.clear();
            }
        }
        while (stream.end() == SendStatus.BACK_PRESSURED)
        {
            idle.idle(grim.endpoint().poll());
        }
    }

    private static void requireOpen(final MessageStream stream)
    {
        if (!stream.isOpen())
        {
            throw new IllegalStateException("the receiver is gone: " + stream.status());
        }
    }

    private static void receive(final Grim grim, final Path target) throws IOException
    {
        try (FileChannel file = FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING))
        {
            final FileStream receiver = new FileStream(file);
            grim.handlers().registerStream("file", receiver);
            grim.start();
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            while (!receiver.isOver)
            {
                idle.idle(grim.endpoint().poll());
            }
        }
        System.out.println(target.getFileName() + ": " + Files.size(target) + " bytes");
    }

    @Override
    public void onBegin(final ActiveMessage.Stream stream)
    {
        System.out.println("a file of " + stream.totalLength() + " bytes comes");
    }

    @Override
    public void onPiece(
        final ActiveMessage.Stream stream, final DirectBuffer buffer, final int offset, final int length,
        final long position)
    {
        final ByteBuffer piece = ByteBuffer.allocate(length);
        buffer.getBytes(offset, piece, 0, length);
        try
        {
            while (piece.hasRemaining())
            {
                file.write(piece, position + piece.position());
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void onEnd(final ActiveMessage.Stream stream)
    {
        isOver = true;
    }

    @Override
    public void onAbort(final ActiveMessage.Stream stream)
    {
        isOver = true;
    }
}
