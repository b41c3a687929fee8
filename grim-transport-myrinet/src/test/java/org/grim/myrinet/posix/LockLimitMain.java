// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.myrinet.memory.DmaRegion;

/** A process that may lock little: says what the system answers, and makes a DMA region all the same. */
final class LockLimitMain
{
    private LockLimitMain()
    {
    }

    @SuppressWarnings("SystemOut")
    public static void main(final String[] args)
    {
        final Posix posix = Posix.load();
        final DmaLayout layout = new DmaLayout(1 << 20, 1, 4096, 0, 0);
        final DmaRegion region = DmaRegion.create(posix, Path.of(args[0]), layout, true);
        System.out.println("limit=" + posix.lockLimit() + " locked=" + region.isLocked());
        try
        {
            posix.lock(region.address(), layout.regionLength());
        }
        catch (final GrimException e)
        {
            System.out.println(e.getMessage());
        }
        region.closeAndDelete();
    }
}
