// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/** Copies with the JVM's routine. Any thread; stateless. */
final class BulkCopyPio extends Pio
{
    @Override
    void store(
        final AtomicBuffer sram, final int index, final DirectBuffer source, final int offset, final int length)
    {
        sram.putBytes(index, source, offset, length);
    }
}
