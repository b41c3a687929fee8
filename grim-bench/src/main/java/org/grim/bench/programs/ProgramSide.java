// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * One process of a pair: does the rows that {@link ProgramPair} names, and sleeps between them.
 * <p>Thread: the command's.
 */
public abstract class ProgramSide implements AutoCloseable
{
    static final String BEGIN = "begin";
    static final String ROUND = "round";
    static final String END = "end";
    static final String FILE = "file";
    static final long ROUND_TIMEOUT_MS = 30_000;

    /** Runs the process until its parent ends. */
    public record Task(boolean isServer, Path directory) implements ChildTask
    {
        @Override
        public void run() throws IOException
        {
            final ParentWatch watch = ParentWatch.start();
            try (ProgramSide side = isServer ? new ProgramServer() : new ProgramClient(directory.resolve(FILE)))
            {
                watch.announceReady();
                for (String line = watch.nextLine(); line != null; line = watch.nextLine())
                {
                    watch.answer(side.answer(line.split(" ", -1)));
                }
            }
        }
    }

    private String answer(final String[] words) throws IOException
    {
        try
        {
            return reply(words);
        }
        catch (final IOException | RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw new GrimException(UNAVAILABLE, words[0] + " was not waited for: " + ex, ex);
        }
    }

    private String reply(final String[] words) throws Exception
    {
        return switch (words[0])
        {
            case BEGIN -> begin(ProgramRow.parse(words, 2), Integer.parseInt(words[1]));
            case ROUND -> round(Long.parseLong(words[1]));
            case END -> end();
            default -> throw new IllegalArgumentException("no such line: " + words[0]);
        };
    }

    /** Begins a row; a server returns the port where it listens. */
    abstract String begin(ProgramRow row, int port) throws IOException;

    /** Client: exchanges for some time. */
    abstract String round(long roundMs) throws Exception;

    /** Ends the row. */
    abstract String end() throws Exception;

    @Override
    public abstract void close() throws IOException;

    static SocketChannel prepared(final SocketChannel channel) throws IOException
    {
        return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static void writeAll(final SocketChannel channel, final ByteBuffer source) throws IOException
    {
        while (source.hasRemaining())
        {
            channel.write(source);
        }
    }

    /** Reads so many bytes; false if the connection has ended instead. */
    static boolean receive(final SocketChannel channel, final ByteBuffer bytes, final int length)
        throws IOException
    {
        bytes.clear();
        int left = length;
        while (left > 0)
        {
            if (!bytes.hasRemaining())
            {
                bytes.clear();
            }
            final int count = channel.read(bytes);
            if (count < 0 && left < length)
            {
                throw new EOFException("the other side has closed the connection within a message: missing=" + left);
            }
            if (count < 0)
            {
                return false;
            }
            left -= count;
        }
        return true;
    }
}
