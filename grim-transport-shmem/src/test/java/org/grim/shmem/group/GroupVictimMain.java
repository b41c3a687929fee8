// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.group;

import java.nio.file.Path;

/** A member that works until it is killed. Arguments: directory, name. */
final class GroupVictimMain
{
    private GroupVictimMain()
    {
    }

    public static void main(final String[] args)
    {
        GroupWorker.join(Path.of(args[0]), args[1], 1).run(() -> false);
    }
}
