// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A member that works until it is killed. Arguments: directory, name. */
final class TreeVictimMain
{
    private TreeVictimMain()
    {
    }

    public static void main(final String[] args)
    {
        TreeWorker.join(Path.of(args[0]), args[1], 1, new AtomicLong(Long.MAX_VALUE)).run(() -> false);
    }
}
