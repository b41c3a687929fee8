// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.nio.ByteBuffer;
import java.util.List;

import org.grim.crypto.ClusterKey;
import org.grim.crypto.Sealer;

/**
 * Seals or opens the frames of one connection, in their order, by a {@link Sealer}. Its key is derived from the
 * cluster's and from random bytes of both ends, a frame's number is its place: no frame that was recorded opens again,
 * and none opens in another place. Without a key frames are not changed.
 * <p>Thread: one at a time.
 */
final class FrameCipher
{
    private static final String PURPOSE = "agents' connections";

    private final Sealer sealer;                            // null without a key
    private long number;

    private FrameCipher(final ClusterKey key, final byte[] context)
    {
        sealer = key == null ? null : new Sealer(key, PURPOSE, context);
    }

    /**
     * Derives the key of the sending end.
     *
     * @param key   of the cluster; null for none.
     * @param hello nonce of the agent that made the connection.
     * @param answer nonce of the other one.
     */
    static FrameCipher sealing(final ClusterKey key, final byte[] hello, final byte[] answer)
    {
        return new FrameCipher(key, context(hello, answer));
    }

    /** {@return ciphers of the receiving end, one of which opens what is sent} */
    static List<FrameCipher> opening(final ClusterKey key, final byte[] hello, final byte[] answer)
    {
        return key == null ? List.of(sealing(null, hello, answer)) :
            key.openers().stream().map(opener -> new FrameCipher(opener, context(hello, answer))).toList();
    }

    private static byte[] context(final byte[] hello, final byte[] answer)
    {
        return ByteBuffer.allocate(hello.length + answer.length).put(hello).put(answer).array();
    }

    /** {@return bytes that a frame with a content takes behind its length} */
    int sealedLength(final int length)
    {
        return sealer == null ? length : length + Sealer.TAG_LENGTH;
    }

    /** {@return a whole frame, with its length} */
    ByteBuffer frame(final byte[] content)
    {
        final int length = sealedLength(content.length);
        final ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + length).putInt(length);
        if (sealer == null)
        {
            return frame.put(content).flip();
        }
        sealer.seal(number++, content, 0, content.length, frame.array(), Integer.BYTES);
        return frame.rewind();
    }

    /** {@return the content of a frame without its length; null if it does not open} */
    byte[] open(final byte[] sealed)
    {
        if (sealer == null)
        {
            return sealed;
        }
        final byte[] content = new byte[Math.max(0, sealed.length - Sealer.TAG_LENGTH)];
        return sealer.open(number++, sealed, 0, sealed.length, content, 0) == Sealer.REFUSED ? null : content;
    }
}
