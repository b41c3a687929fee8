// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.group;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.GrimConfig;
import org.grim.group.FailureChecks;
import org.grim.group.GroupContract;
import org.grim.group.Members;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of five members: neither a power of two nor next to one. */
final class ShmemGroupTest extends GroupContract
{
    @TempDir
    private Path directory;

    @Override
    protected List<GrimConfig> configs()
    {
        return configs(directory, 5);
    }

    /** With the shortest queues. */
    @Test
    void shouldReduceElementsLongerThanAMessage()
    {
        try (Members members = new Members(configs().stream().map(config ->
            config.toBuilder().set("grim.queue.ring-length", "8KiB").build()).toList()))
        {
            members.join("workers");
            FailureChecks.checkLongElements(members);
        }
    }

    static List<GrimConfig> configs(final Path directory, final int count)
    {
        return IntStream.range(0, count).mapToObj(i -> GrimConfig.builder().nodeName("member-" + i)
            .set("grim.transports", List.of("shmem")).set("grim.cluster.directory", directory.toString()).build())
            .toList();
    }
}
