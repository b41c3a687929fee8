// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.grim.board.ChannelRegisters;

import static org.agrona.BitUtil.align;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Copies into one half of the bounce memory while the board pulls the other. Payloads are cut into some pieces even
 * where one half would hold them: without pieces nothing overlaps. Any thread; stateless.
 */
final class DoubleBufferedDma implements Injector
{
    private static final int PIECE_COUNT = 4;
    private static final int PIECE_LENGTH_MIN = 1024;

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
        final int halfLength = target.bounceLength() / 2;
        final int pieceLength =
            Math.min(halfLength, Math.max(PIECE_LENGTH_MIN, align(wordsLength / PIECE_COUNT, CACHE_LINE_LENGTH)));
        int half = 0;
        for (int done = 0; done < wordsLength; done += pieceLength)
        {
            // A slot is free when the pull before the last one is done: then its half is free, too.
            final InjectionResult result = target.awaitPulls(ChannelRegisters.PULL_SLOT_COUNT - 1);
            if (result != InjectionResult.COMPLETE)
            {
                return result;
            }
            final int partLength = Math.min(wordsLength - done, pieceLength);
            target.fillBounce(half, source, offset + done, partLength);
            target.pullBounce(half, done, partLength);
            half = halfLength - half;
        }
        return target.awaitPulls(0);
    }
}
