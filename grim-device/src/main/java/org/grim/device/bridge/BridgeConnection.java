// SPDX-License-Identifier: Apache-2.0
package org.grim.device.bridge;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

import org.agrona.CloseHelper;
import org.grim.buffer.Uninterrupted;

/**
 * A connection to a program outside. One thread reads frames into a bounded queue, which the driver takes them from;
 * when it is full, TCP holds the program up. Another thread writes what the driver puts into the second queue.
 * <p>Thread: the driver's, and the two; any closes it.
 */
final class BridgeConnection implements AutoCloseable
{
    private static final int IN_COUNT = 16;
    private static final int OUT_COUNT = 256;
    private static final int HELLO_MS = 5_000;
    private static final int HELLO_LENGTH_MAX = 1_024;
    private static final byte[] END = {};

    final int number;
    private final Socket socket;
    private final byte[] token;
    private final int lengthMax;
    private final Runnable wake;
    private final BlockingQueue<BridgeFrame> in = new ArrayBlockingQueue<>(IN_COUNT);
    private final BlockingQueue<byte[]> out = new ArrayBlockingQueue<>(OUT_COUNT);
    private final Thread reader;
    private final Thread writer;
    private int callCount;
    private boolean isEnding;
    private volatile boolean isWelcome;
    private volatile boolean isOver;

    BridgeConnection(
        final int number, final Socket socket, final byte[] token, final int lengthMax, final Runnable wake)
    {
        this.number = number;
        this.socket = socket;
        this.token = token;
        this.lengthMax = lengthMax;
        this.wake = wake;
        reader = new Thread(this::read, "grim-bridge-in-" + number);
        writer = new Thread(this::write, "grim-bridge-out-" + number);
        reader.setDaemon(true);
        writer.setDaemon(true);
    }

    void start()
    {
        reader.start();
        writer.start();
    }

    /** {@return frames from outside, in order; the driver removes those that it has sent on} */
    Queue<BridgeFrame> frames()
    {
        return in;
    }

    /** Sends a frame to the outside. Returns false if its queue is full: the program does not read. */
    boolean offer(final BridgeFrame frame)
    {
        return out.offer(frame.bytes());
    }

    /** Counts requests of the outside that wait for their answers. */
    int addCalls(final int difference)
    {
        callCount += difference;
        return callCount;
    }

    /** {@return whether it has shown the token, and may still be there} */
    boolean isOpen()
    {
        return isWelcome && !isOver;
    }

    /**
     * Ends the connection once nothing comes in any more, and all that was asked for is answered.
     *
     * @return whether it has ended.
     */
    boolean hasEnded()
    {
        if (isOver && in.isEmpty() && callCount == 0 && !isEnding)
        {
            isEnding = true;
            if (!out.offer(END))
            {
                close();
            }
        }
        return isEnding && !writer.isAlive();
    }

    String address()
    {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    /** Breaks the connection: both threads end. */
    @Override
    public void close()
    {
        isOver = true;
        CloseHelper.quietClose(socket);
        in.clear();                             // The reader may wait for room.
        out.clear();                            // The writer may wait for a frame.
        out.offer(END);
    }

    void join()
    {
        Uninterrupted.join(reader);
        Uninterrupted.join(writer);
    }

    private void read()
    {
        try
        {
            final DataInputStream input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            if (isToken(input))
            {
                for (BridgeFrame frame = BridgeFrame.read(input, lengthMax); frame != null && !isOver;
                    frame = BridgeFrame.read(input, lengthMax))
                {
                    in.put(frame);
                    wake.run();
                }
            }
        }
        catch (final IOException ex)
        {
            offer(BridgeFrame.refusal(0, String.valueOf(ex.getMessage())));
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("a thread of a bridge was interrupted", ex);
        }
        finally
        {
            isOver = true;
            wake.run();
        }
    }

    /** The first frame has the token. */
    private boolean isToken(final DataInputStream input) throws IOException
    {
        socket.setSoTimeout(HELLO_MS);
        final BridgeFrame hello = BridgeFrame.read(input, HELLO_LENGTH_MAX);
        if (hello == null || hello.kind != BridgeFrame.HELLO || !MessageDigest.isEqual(hello.data, token))
        {
            offer(BridgeFrame.refusal(0, "the first frame is no hello with the token"));
            return false;
        }
        socket.setSoTimeout(0);
        isWelcome = true;
        offer(BridgeFrame.of(BridgeFrame.WELCOME, number, 0, 0, 0, 0, new byte[0]));
        return true;
    }

    private void write()
    {
        try (Socket closed = socket)
        {
            final OutputStream output = closed.getOutputStream();
            for (byte[] bytes = out.take(); bytes != END; bytes = out.take())
            {
                output.write(bytes);
            }
        }
        catch (final IOException ex)
        {
            isOver = true;                      // The program has gone: there is nobody to inform.
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("a thread of a bridge was interrupted", ex);
        }
        finally
        {
            wake.run();
        }
    }
}
