// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.group.Groups;

/** A node that creates a group and polls until it is killed. Argument: directory. It prints a line once it owns it. */
final class GroupOwnerMain
{
    static final String OWNS = "owns the group";

    private GroupOwnerMain()
    {
    }

    public static void main(final String[] args)
    {
        final PrintStream output =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        final Grim grim = Grim.enable(
            GrimConfig.builder().nodeName("owner").transports("shmem").directory(Path.of(args[0]))
            .set("grim.handlers.resolve-timeout", "60s").build());
        grim.handlers().register("numbers", message ->
        {
        });
        grim.start();
        Groups.of(grim).join("workers", Duration.ofSeconds(60));
        output.println(OWNS);
        while (!Thread.currentThread().isInterrupted())
        {
            grim.endpoint().poll();
        }
    }
}
