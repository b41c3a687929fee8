// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.lang.invoke.VarHandle;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Stores in bursts, with time between them to empty the processor's and the bridge's buffers: some bridges lost speed
 * after long bursts (HPVM found so beyond 160 bytes). Any thread; stateless.
 */
final class PacedPio extends Pio
{
    private final Pio inner;
    private final int burstLength;

    /**
     * Wraps another one.
     *
     * @param inner       that stores.
     * @param burstLength bytes between pauses, a multiple of 8.
     */
    PacedPio(final Pio inner, final int burstLength)
    {
        this.inner = inner;
        this.burstLength = burstLength;
    }

    @Override
    public boolean isApplicable(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        return inner.isApplicable(target, source, offset, length);
    }

    @Override
    void store(
        final AtomicBuffer sram, final int index, final DirectBuffer source, final int offset, final int length)
    {
        int done = 0;
        while (length - done > burstLength)
        {
            inner.store(sram, index + done, source, offset + done, burstLength);
            done += burstLength;
            VarHandle.fullFence();          // Empties this processor's store buffer. No partner: it orders nothing.
            Thread.onSpinWait();
        }
        inner.store(sram, index + done, source, offset + done, length - done);
    }
}
