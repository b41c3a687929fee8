// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;

import org.grim.crypto.ClusterKey;
import org.grim.crypto.Sealer;

/**
 * The receiving end of a connection that something made to this agent's port: it is an agent once it has greeted and
 * proved that it has the key. Nothing of JGroups sees a byte of it before.
 * <p>Thread: one at a time. It has no clock and no socket: bytes are arguments, answers are returned.
 * <p>Bounds: {@value Greeting#HELLO_LENGTH} bytes until it has greeted, a frame of {@value Greeting#NONCE_LENGTH} bytes
 * and a tag until it has proved itself, then the bytes of one frame that came so far.
 */
final class Reception
{
    /** Progress of a connection. */
    enum State
    {
        /** It has to say hello. */
        GREETING,
        /** It was answered, and has to prove that it has read the answer, and has the key. */
        PROVING,
        /** Its frames are taken. */
        OPEN,
        /** It must be closed. */
        REFUSED
    }

    /** Takes frames. */
    interface Sink
    {
        /** Returns false if the frame holds what agents do not send. */
        boolean onFrame(byte[] frame);
    }

    private final ClusterKey key;
    private final String label;
    private final Supplier<byte[]> nonces;
    private final ByteBuffer hello = ByteBuffer.allocate(Greeting.HELLO_LENGTH);
    private FrameBuffer frames;
    private byte[] nonce;
    private FrameCipher cipher;
    private State state = State.GREETING;
    private Refusal refusal;

    /**
     * Makes the end of a connection on which nothing has come.
     *
     * @param key    of the cluster; null for none.
     * @param label  of this host, for those who are refused.
     * @param nonces makes {@value Greeting#NONCE_LENGTH} random bytes.
     */
    Reception(final ClusterKey key, final String label, final Supplier<byte[]> nonces)
    {
        this.key = key;
        this.label = label;
        this.nonces = nonces;
    }

    State state()
    {
        return state;
    }

    /** {@return why it was refused; null if it was not} */
    Refusal refusal()
    {
        return refusal;
    }

    /**
     * Takes what came, up to the first answer.
     *
     * @param lengthMax of a frame that it sends, without a tag.
     * @return what to answer; null for nothing. Call again while bytes remain.
     */
    ByteBuffer take(final ByteBuffer bytes, final int lengthMax, final Sink sink)
    {
        try
        {
            return switch (state)
            {
                case GREETING -> greeted(bytes);
                case PROVING -> proved(bytes);
                case OPEN -> framed(bytes, lengthMax, sink);
                case REFUSED -> null;
            };
        }
        catch (final ProtocolException ex)
        {
            return refuse(Refusal.FRAME);
        }
    }

    private ByteBuffer greeted(final ByteBuffer bytes)
    {
        FrameBuffer.move(bytes, hello);
        if (!Greeting.isHello(hello, hello.position()))
        {
            return refuse(Refusal.GREETING);
        }
        if (hello.hasRemaining())
        {
            return null;
        }
        final Refusal invalid = Greeting.invalid(hello, key != null);
        if (invalid != null)
        {
            return refuse(invalid);
        }
        nonce = nonces.get();
        frames = new FrameBuffer();
        state = State.PROVING;
        return Greeting.answer(null, nonce, label);
    }

    private ByteBuffer proved(final ByteBuffer bytes) throws ProtocolException
    {
        final byte[] proof = frames.next(bytes, Greeting.NONCE_LENGTH + (key == null ? 0 : Sealer.TAG_LENGTH));
        if (proof == null)
        {
            return null;
        }
        for (final FrameCipher opener : FrameCipher.opening(key, Greeting.nonce(hello), nonce))
        {
            if (Arrays.equals(opener.open(proof), nonce))
            {
                cipher = opener;
                state = State.OPEN;
                return Greeting.answer(null, nonce, label);
            }
        }
        return refuse(Refusal.OTHER_KEY);
    }

    private ByteBuffer framed(final ByteBuffer bytes, final int lengthMax, final Sink sink) throws ProtocolException
    {
        final byte[] frame = frames.next(bytes, cipher.sealedLength(lengthMax));
        if (frame == null)
        {
            return null;
        }
        final byte[] content = cipher.open(frame);
        return content == null ? refuse(Refusal.FRAME) : sink.onFrame(content) ? null : refuse(Refusal.MESSAGE);
    }

    private ByteBuffer refuse(final Refusal reason)
    {
        refusal = reason;
        state = State.REFUSED;
        return reason.code() == 0 ? null : Greeting.answer(reason, new byte[Greeting.NONCE_LENGTH], label);
    }
}
