// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.myrinet.memory.DmaRegion;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A process that may lock little: says what the system answers, and makes a DMA region all the same. */
final class LockLimitMain
{
    private LockLimitMain()
    {
    }

    public static void main(final String[] args)
    {
        final Posix posix = Posix.load();
        final DmaLayout layout = new DmaLayout(1 << 20, 1, 4096, 0, 0);
        final DmaRegion region = DmaRegion.create(posix, Path.of(args[0]), layout, true);
        final PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        parent.println("limit=" + posix.lockLimit() + " locked=" + region.isLocked());
        try
        {
            posix.lock(region.address(), layout.regionLength());
        }
        catch (final GrimException e)
        {
            parent.println(e.getMessage());
        }
        region.closeAndDelete();
    }
}
