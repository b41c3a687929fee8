// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;

/** Lets the board pull from where the payload lies, in the process's DMA region. Any thread; stateless. */
final class ZeroCopyDma implements Injector
{
    @Override
    public boolean isApplicable(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        return target.isRegistered(source, offset, length);
    }

    @Override
    public InjectionResult inject(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        if (!target.isRegistered(source, offset, length))
        {
            throw new IllegalArgumentException("the source does not lie on a word in the DMA region");
        }
        target.beginPulls();
        final int wordsLength = target.storeTail(source, offset, length);
        if (wordsLength == 0)
        {
            return InjectionResult.COMPLETE;
        }
        target.pullRegistered(source, offset, wordsLength);
        return target.awaitPulls(0);
    }
}
