// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.GrimConfig;
import org.grim.group.FailureChecks;
import org.grim.group.GroupContract;
import org.grim.group.LongMulticastChecks;
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

    /** With the shortest queues of some, so that the owner's links to others take less than those to the owner. */
    @Test
    void shouldDeliverMulticastsLongerThanAShortQueueTakes()
    {
        checkShortQueues(false);
    }

    @Test
    void shouldDeliverMulticastsLongerThanAShortQueueTakesInOneOrder()
    {
        checkShortQueues(true);
    }

    private void checkShortQueues(final boolean isTotal)
    {
        final List<String> rings = List.of("1MiB", "8KiB", "64KiB");
        final List<GrimConfig> configs = configs();
        try (Members members = new Members(IntStream.range(0, rings.size()).mapToObj(i -> configs.get(i).toBuilder()
            .set("grim.queue.ring-length", rings.get(i)).set("grim.group.outbox-length", 0).build())
            .toList()))
        {
            LongMulticastChecks.check(members, isTotal, 100, 3_552, 3_553, 3_584, 3_585, 0, 28_672, 32_768, 32_769,
                70_000);
        }
    }

    static List<GrimConfig> configs(final Path directory, final int count)
    {
        return IntStream.range(0, count).mapToObj(i -> GrimConfig.builder().nodeName("member-" + i)
            .set("grim.transports", List.of("shmem")).set("grim.cluster.directory", directory.toString()).build())
            .toList();
    }
}
