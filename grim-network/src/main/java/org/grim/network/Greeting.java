// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The beginning of a connection between two agents. The agent that makes it says hello, and is answered; it proves with
 * the first frame that it has read the answer, with a key that it has the key too, and is answered again. Only it
 * sends frames afterwards.
 * <pre>
 *  hello and answer                        frame
 *  +--------------------+ 0                +---------------+ 0
 *  | magic (u64)        |                  | length (u32)  |
 *  | version (u16)      | 8                | content       | 4   with a key sealed: 16 bytes more
 *  | code (u16)         | 10               +---------------+
 *  | nonce (16 bytes)   | 12
 *  +--------------------+ 28
 *  | label length (u8)  | 28   of an answer
 *  | label (UTF-8)      | 29   of a refusal: the host that refuses
 *  +--------------------+
 * </pre>
 * Big endian. Code of a hello: 1 with a key, 0 without; of an answer: 0 to go on, or {@link Refusal#code()}.
 * <p>Thread: any; no state.
 */
final class Greeting
{
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int CODE_OFFSET = VERSION_OFFSET + Short.BYTES;
    static final int NONCE_OFFSET = CODE_OFFSET + Short.BYTES;
    static final int NONCE_LENGTH = 16;
    static final int HELLO_LENGTH = NONCE_OFFSET + NONCE_LENGTH;
    static final int LABEL_OFFSET = HELLO_LENGTH + Byte.BYTES;
    static final int LABEL_LENGTH_MAX = 255;
    static final int ANSWER_LENGTH_MAX = LABEL_OFFSET + LABEL_LENGTH_MAX;

    private static final long HELLO = 0x4752494D_48454C4FL;                     // "GRIMHELO"
    private static final long ANSWER = 0x4752494D_414E5357L;                    // "GRIMANSW"
    private static final short VERSION = 1;

    private Greeting()
    {
    }

    static ByteBuffer hello(final boolean hasKey, final byte[] nonce)
    {
        return ByteBuffer.allocate(HELLO_LENGTH)
            .putLong(HELLO).putShort(VERSION).putShort((short)(hasKey ? 1 : 0)).put(nonce).flip();
    }

    /** {@return whether bytes may be the first ones of a hello} */
    static boolean isHello(final ByteBuffer bytes, final int count)
    {
        final int known = Math.min(count, Long.BYTES);
        return ByteBuffer.allocate(Long.BYTES).putLong(HELLO).flip().slice(0, known).equals(bytes.slice(0, known));
    }

    /** {@return why a hello is refused; null if it is not} */
    static Refusal invalid(final ByteBuffer hello, final boolean hasKey)
    {
        if (hello.getShort(VERSION_OFFSET) != VERSION)
        {
            return Refusal.VERSION;
        }
        final boolean isKeyed = hello.getShort(CODE_OFFSET) == 1;
        return isKeyed == hasKey ? null : hasKey ? Refusal.NO_KEY : Refusal.KEY;
    }

    /**
     * Answers.
     *
     * @param refusal null to go on.
     * @param label   of this host.
     */
    static ByteBuffer answer(final Refusal refusal, final byte[] nonce, final String label)
    {
        final byte[] name = refusal == null ? new byte[0] : label.getBytes(UTF_8);
        final int nameLength = Math.min(LABEL_LENGTH_MAX, name.length);
        return ByteBuffer.allocate(LABEL_OFFSET + nameLength)
            .putLong(ANSWER).putShort(VERSION).putShort((short)(refusal == null ? 0 : refusal.code())).put(nonce)
            .put((byte)nameLength).put(name, 0, nameLength).flip();
    }

    /** {@return whether an answer is complete} */
    static boolean isAnswer(final ByteBuffer bytes, final int count) throws ProtocolException
    {
        if (count >= Long.BYTES && bytes.getLong(MAGIC_OFFSET) != ANSWER)
        {
            throw new ProtocolException("no agent of GRIM answers");
        }
        return count >= LABEL_OFFSET && count >= LABEL_OFFSET + Byte.toUnsignedInt(bytes.get(LABEL_OFFSET - 1));
    }

    static int answerLength(final ByteBuffer answer)
    {
        return LABEL_OFFSET + Byte.toUnsignedInt(answer.get(LABEL_OFFSET - 1));
    }

    /** {@return the refusal that an answer holds; null to go on} */
    static Refusal refusal(final ByteBuffer answer)
    {
        return Refusal.ofCode(answer.getShort(CODE_OFFSET));
    }

    static String label(final ByteBuffer answer)
    {
        return new String(copy(answer, LABEL_OFFSET, answerLength(answer) - LABEL_OFFSET), UTF_8);
    }

    static byte[] nonce(final ByteBuffer helloOrAnswer)
    {
        return copy(helloOrAnswer, NONCE_OFFSET, NONCE_LENGTH);
    }

    private static byte[] copy(final ByteBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return bytes;
    }
}
