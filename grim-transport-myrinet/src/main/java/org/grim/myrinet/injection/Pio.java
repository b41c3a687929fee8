// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Injection by the processor's own stores. Never waits for the board. Stores are plain: publishing the message is what
 * makes them visible before its back.
 */
abstract class Pio implements Injector
{
    @Override
    public boolean isApplicable(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        return true;
    }

    @Override
    public final InjectionResult inject(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        store(target.sram(), target.index(), source, offset, length);
        return InjectionResult.COMPLETE;
    }

    /** Copies; the index is a multiple of 4. */
    abstract void store(AtomicBuffer sram, int index, DirectBuffer source, int offset, int length);
}
