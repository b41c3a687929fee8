// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.concurrent.UnsafeBuffer;

/** Frames of a device whose kernels run in Java: copies take place at once. Thread: the runner's. */
class HeapPages implements PageMemory
{
    private final UnsafeBuffer[] frames;
    private final int pageLength;

    HeapPages(final int frameCount, final int pageLength)
    {
        frames = new UnsafeBuffer[frameCount];
        this.pageLength = pageLength;
    }

    @Override
    public int pageLength()
    {
        return pageLength;
    }

    @Override
    public UnsafeBuffer frame(final int index)
    {
        if (frames[index] == null)
        {
            frames[index] = new UnsafeBuffer(new byte[pageLength]);
        }
        return frames[index];
    }

    @Override
    public boolean load(final Page page, final int frame)
    {
        if (page.host == null)
        {
            frame(frame).setMemory(0, pageLength, (byte)0);         // Another page was here.
        }
        else
        {
            frame(frame).putBytes(0, page.host, 0, pageLength);
        }
        return true;
    }

    @Override
    public boolean store(final Page page, final int frame)
    {
        host(page).putBytes(0, frame(frame), 0, pageLength);
        return true;
    }

    @Override
    public UnsafeBuffer host(final Page page)
    {
        if (page.host == null)
        {
            page.host = new UnsafeBuffer(new byte[pageLength]);
        }
        return page.host;
    }
}
