// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.myrinet.posix.Posix;

/** Copies with the C library's {@code memcpy}. Any thread; stateless. */
final class LibcPio extends Pio
{
    private final Posix posix;

    LibcPio(final Posix posix)
    {
        this.posix = posix;
    }

    @Override
    public boolean isApplicable(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        return source.byteArray() == null;              // An array on the heap may move during a native call.
    }

    @Override
    void store(
        final AtomicBuffer sram, final int index, final DirectBuffer source, final int offset, final int length)
    {
        if (source.byteArray() != null)
        {
            throw new IllegalArgumentException("the source lies on the heap, where memcpy cannot copy from");
        }
        sram.boundsCheck(index, length);
        source.boundsCheck(offset, length);
        posix.copy(sram.addressOffset() + index, source.addressOffset() + offset, length);
    }
}
