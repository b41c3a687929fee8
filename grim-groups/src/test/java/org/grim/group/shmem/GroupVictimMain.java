// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A member that works until it is killed. Arguments: directory, name. It prints {@link #IS_MEMBER} once it is one. */
final class GroupVictimMain
{
    static final String IS_MEMBER = "is a member";
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private GroupVictimMain()
    {
    }

    public static void main(final String[] args)
    {
        final GroupWorker worker = GroupWorker.join(Path.of(args[0]), args[1], 1);
        OUTPUT.println(IS_MEMBER);
        worker.run(() -> false);
    }
}
