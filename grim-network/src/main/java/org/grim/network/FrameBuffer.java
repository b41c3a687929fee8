// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Puts the frames of a connection together. Memory is taken as bytes come, not as a length announces them.
 * <p>Thread: one at a time.
 */
final class FrameBuffer
{
    private static final int LENGTH_FIRST = 256;

    private final ByteBuffer prefix = ByteBuffer.allocate(Integer.BYTES);
    private byte[] content = new byte[0];
    private int count;

    /**
     * Takes bytes up to the end of a frame.
     *
     * @return the frame without its length; null if more bytes are needed.
     * @throws ProtocolException if it is longer than allowed.
     */
    byte[] next(final ByteBuffer bytes, final int lengthMax) throws ProtocolException
    {
        move(bytes, prefix);
        if (prefix.hasRemaining())
        {
            return null;
        }
        final int length = prefix.getInt(0);
        if (length < 0 || length > lengthMax)
        {
            throw new ProtocolException("frame length=" + length + " is outside 0 to " + lengthMax);
        }
        final int taken = Math.min(bytes.remaining(), length - count);
        if (count + taken > content.length)
        {
            content = Arrays.copyOf(content, Math.min(length, Math.max(LENGTH_FIRST, 2 * (count + taken))));
        }
        bytes.get(content, count, taken);
        count += taken;
        assert count <= length : count;
        if (count < length)
        {
            return null;
        }
        final byte[] frame = content.length == length ? content : Arrays.copyOf(content, length);
        content = new byte[0];
        count = 0;
        prefix.clear();
        return frame;
    }

    /** Moves as many bytes as both allow. */
    static void move(final ByteBuffer source, final ByteBuffer target)
    {
        final int length = Math.min(source.remaining(), target.remaining());
        target.put(target.position(), source, source.position(), length);
        source.position(source.position() + length);
        target.position(target.position() + length);
    }
}
