// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;

/** Frames whose copies take a random time. A frame that is being filled has garbage; a copy is what the page was. */
class SlowPages extends HeapPages
{
    private static final byte GARBAGE = 0x5A;
    private static final int DURATION_MAX = 6;

    private final Random random;
    private final int[] remaining;

    SlowPages(final int frameCount, final int pageLength, final Random random)
    {
        super(frameCount, pageLength);
        this.random = random;
        remaining = new int[frameCount];
    }

    @Override
    public boolean load(final Page page, final int frame)
    {
        if (remaining[frame] == 0)
        {
            remaining[frame] = 1 + random.nextInt(DURATION_MAX);
            scribble(frame(frame));
        }
        remaining[frame]--;
        return remaining[frame] == 0 && super.load(page, frame);
    }

    void scribble(final UnsafeBuffer frame)
    {
        frame.setMemory(0, pageLength(), GARBAGE);
    }

    @Override
    public boolean store(final Page page, final int frame)
    {
        if (remaining[frame] == 0)
        {
            remaining[frame] = 1 + random.nextInt(DURATION_MAX);
            super.store(page, frame);
        }
        remaining[frame]--;
        return remaining[frame] == 0;
    }
}
