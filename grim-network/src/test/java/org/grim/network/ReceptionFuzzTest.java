// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

import org.jgroups.protocols.TP;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.Util;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Bytes of any kind on a connection to an agent without a key: from its beginning, behind a good greeting, or as an
 * opened frame. Nothing is thrown, frames are no longer than allowed, and JGroups can read what is let through.
 */
final class ReceptionFuzzTest
{
    private static final int LENGTH_MAX = 4_096;
    private static final byte[] NONCE = new byte[Greeting.NONCE_LENGTH];
    private static final int KIND_COUNT = 3;

    @FuzzTest
    void shouldTakeOrRefuse(final byte[] bytes)
    {
        if (bytes.length == 0)
        {
            return;
        }
        final byte[] rest = Arrays.copyOfRange(bytes, 1, bytes.length);
        switch (Math.floorMod(bytes[0], KIND_COUNT))
        {
            case 0 -> take(new Reception(null, "here", () -> NONCE), rest);
            case 1 -> take(greeted(), rest);
            default -> guard(rest);
        }
    }

    private static Reception greeted()
    {
        final Reception reception = new Reception(null, "here", () -> NONCE);
        assertNotNull(reception.take(Greeting.hello(false, NONCE), LENGTH_MAX, frame -> false));
        final ByteBuffer proof = ByteBuffer.allocate(Integer.BYTES + NONCE.length).putInt(NONCE.length).put(NONCE);
        assertNotNull(reception.take(proof.flip(), LENGTH_MAX, frame -> false));
        assertEquals(Reception.State.OPEN, reception.state());
        return reception;
    }

    private static void take(final Reception reception, final byte[] bytes)
    {
        final ByteBuffer input = ByteBuffer.wrap(bytes);
        while (input.hasRemaining() && reception.refusal() == null)
        {
            final int position = input.position();
            reception.take(input, LENGTH_MAX, frame -> frame.length <= LENGTH_MAX && guard(frame));
            assertTrue(input.position() > position || reception.refusal() != null);
        }
        assertEquals(reception.refusal() != null, reception.state() == Reception.State.REFUSED);
    }

    private static boolean guard(final byte[] frame)
    {
        try
        {
            MessageGuard.sender(frame);
        }
        catch (final IOException ex)
        {
            assertNotNull(ex);                  // As its receiver expects.
            return false;
        }
        read(frame);
        return true;
    }

    /** As JGroups' transport does. */
    private static void read(final byte[] frame)
    {
        try
        {
            final int prefixLength = Short.BYTES + Byte.BYTES;
            final ByteArrayDataInputStream in =
                new ByteArrayDataInputStream(frame, prefixLength, frame.length - prefixLength);
            if ((frame[Short.BYTES] & TP.LIST) == 0)
            {
                Util.readMessage(in);
            }
            else
            {
                Util.readMessageBatch(in, (frame[Short.BYTES] & TP.MULTICAST) != 0);
            }
        }
        catch (final IOException | ClassNotFoundException ex)
        {
            throw new AssertionError("it was let through, and cannot be read", ex);
        }
    }
}
