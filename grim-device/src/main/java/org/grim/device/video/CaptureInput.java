// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.grim.buffer.Uninterrupted;

/**
 * Bytes of a capture: a file, a named pipe, standard input, or the output of a child process, which is killed when this
 * is closed.
 * <p>Thread: {@link #close()} any, which ends a read that waits; everything else that of the capture.
 */
final class CaptureInput implements AutoCloseable
{
    private static final String STANDARD_INPUT = "-";
    private static final long WRITER_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int BUFFER_LENGTH = 1 << 16;
    private static final long EXIT_TIMEOUT_S = 5;

    private final String name;
    private final boolean isFile;
    private final Process process;
    private final FileChannel channel;
    private final InputStream stream;
    private volatile boolean isClosed;

    private CaptureInput(final String name, final boolean isFile, final Process process, final FileChannel channel)
    {
        this.name = name;
        this.isFile = isFile;
        this.process = process;
        this.channel = channel;
        stream = new BufferedInputStream(process == null ? new Bytes() : process.getInputStream(), BUFFER_LENGTH);
    }

    /** Opens a file, a named pipe, or standard input. */
    static CaptureInput ofFile(final String file) throws IOException
    {
        if (file.equals(STANDARD_INPUT))
        {
            return new CaptureInput("standard input", false, null, new FileInputStream(FileDescriptor.in).getChannel());
        }
        final Path path = Path.of(file);
        if (Files.isRegularFile(path))
        {
            return new CaptureInput(file, true, null, FileChannel.open(path));
        }
        if (Files.isDirectory(path))
        {
            throw new IllegalArgumentException("source=" + file + " is a directory");
        }
        // To open a named pipe waits for a writer, unless there is one: this process, until it has opened it.
        final FileChannel writer = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            return new CaptureInput(file, false, null, FileChannel.open(path));
        }
        finally
        {
            writer.close();
        }
    }

    /** Starts a process; its words are separated by blanks, and no shell sees them. */
    static CaptureInput ofCommand(final String command) throws IOException
    {
        return new CaptureInput("command=" + command, false, new ProcessBuilder(command.trim().split(" +"))
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start(), null);
    }

    /** Returns the frames, by the first byte: waits for it. */
    FrameSource frames(final int lengthMax) throws IOException
    {
        stream.mark(1);
        final int first = stream.read();
        stream.reset();
        return first == 'Y' || first < 0 ? new Y4mSource(stream, lengthMax) : new JpegSource(stream, lengthMax);
    }

    String name()
    {
        return name;
    }

    /** Returns whether all frames are there already, so that the capture has to keep their time. */
    boolean isFile()
    {
        return isFile;
    }

    /** Returns the end of the child, if it failed; null otherwise. Only behind the last byte, or after an error. */
    String childFailure() throws IOException
    {
        if (process == null || isClosed)
        {
            return null;
        }
        try
        {
            if (!process.waitFor(EXIT_TIMEOUT_S, TimeUnit.SECONDS))
            {
                return "goes on without output";
            }
        }
        catch (final InterruptedException ex)
        {
            throw new IOException(name + " was not awaited", ex);
        }
        return process.exitValue() == 0 ? null : "ended with status=" + process.exitValue();
    }

    @Override
    public void close()
    {
        isClosed = true;
        CloseHelper.quietClose(channel);
        if (process != null)
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** A channel's bytes; a named pipe has not ended before a writer has written. */
    private final class Bytes extends InputStream
    {
        private boolean hasBegun = isFile || name.equals("standard input");

        @Override
        public int read() throws IOException
        {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException
        {
            int count = channel.read(ByteBuffer.wrap(bytes, offset, length));
            while (count < 0 && !hasBegun)
            {
                Uninterrupted.park(WRITER_PAUSE_NS);
                count = channel.read(ByteBuffer.wrap(bytes, offset, length));
            }
            hasBegun = true;
            return count;
        }
    }
}
