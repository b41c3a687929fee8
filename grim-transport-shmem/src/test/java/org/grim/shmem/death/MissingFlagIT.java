// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.List;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
class MissingFlagIT
{
    @Test
    void shouldSayWhichFlagIsMissingAndLeaveNothingBehind()
    {
        final Path directory = ShmDirectory.create();
        final List<String> command = PeerJvm.command(NodeMain.class, false);
        command.addAll(List.of(directory.toString(), "1", "alone"));

        final Outcome outcome = Outcome.of(command);

        assertEquals(1, outcome.exitStatus(), outcome.output());
        assertEquals(1, outcome.output().lines().count(), outcome.output());
        assertTrue(outcome.output().contains("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"), outcome.output());
        assertEquals(List.of(directory), ShmDirectory.tree(directory));
        ShmDirectory.delete(directory);
    }
}
