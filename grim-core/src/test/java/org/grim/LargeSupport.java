// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/** Common base of the contracts of long messages: their mechanism, and numbered messages of any length. */
public abstract class LargeSupport extends ContractSupport
{
    static final int MIB = 1 << 20;

    final AtomicBuffer large = Buffers.allocate(16 * MIB + 8);

    /** Returns the settings that decide the mechanism of long messages, as key and value in turn. */
    protected Object[] transportSettings()
    {
        return new Object[0];
    }

    /** Returns whether long messages go in parts: the memory that they take differs. */
    protected boolean goesInParts()
    {
        return true;
    }

    final TransportCluster startLarge(final Object... pairs)
    {
        final Object[] own = transportSettings();
        final Object[] all = new Object[own.length + pairs.length];
        System.arraycopy(own, 0, all, 0, own.length);
        System.arraycopy(pairs, 0, all, own.length, pairs.length);
        return start(all);
    }

    /** Fills the payload, and says what its checksum is. */
    final int fill(final int length, final int seed)
    {
        Payloads.fill(large, 0, length, seed);
        return Payloads.crc(large, 0, length);
    }

    final SendStatus trySendLarge(final Link link, final HandlerId handler, final int sequence, final int length)
    {
        return link.send(handler, sequence, fill(length, sequence), 0, 0, large, 0, length);
    }

    final void sendLarge(final Link link, final HandlerId handler, final int sequence, final int length)
    {
        final int crc = fill(length, sequence);
        await(() -> link.send(handler, sequence, crc, 0, 0, large, 0, length).isAccepted(),
            () -> "room for message " + sequence + " of length=" + length);
    }

    final void assertNothingHeld()
    {
        await(() -> "0".equals(cluster().far("counter reassembly-length")) &&
            counter(near(), "reassembly-length") == 0 &&
            "0".equals(cluster().far("counter overflow-depth channel=0")), () -> "free memory");
    }
}
