// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;

/**
 * Copies into bounce memory, then lets the board pull: once for payloads that fit there. Any thread; stateless.
 */
final class OneCopyDma implements Injector
{
    @Override
    public boolean isApplicable(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        return target.bounceLength() > 0;
    }

    @Override
    public InjectionResult inject(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        target.beginPulls();
        final int wordsLength = target.storeTail(source, offset, length);
        int done = 0;
        while (done < wordsLength)
        {
            final int chunkLength = Math.min(wordsLength - done, target.bounceLength());
            target.fillBounce(0, source, offset + done, chunkLength);
            target.pullBounce(0, done, chunkLength);
            final InjectionResult result = target.awaitPulls(0);
            if (result != InjectionResult.COMPLETE)
            {
                return result;
            }
            done += chunkLength;
        }
        return InjectionResult.COMPLETE;
    }
}
