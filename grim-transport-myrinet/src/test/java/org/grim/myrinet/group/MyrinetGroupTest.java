// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.GrimConfig;
import org.grim.group.GroupContract;
import org.junit.jupiter.api.io.TempDir;

/** Of three members, each with a board. */
final class MyrinetGroupTest extends GroupContract
{
    @TempDir
    private Path directory;

    /** A board's channel keeps one order for all destinations. */
    @Override
    protected boolean areDestinationsApart()
    {
        return false;
    }

    @Override
    protected List<GrimConfig> configs()
    {
        return configs(directory, false);
    }

    static List<GrimConfig> configs(final Path directory, final boolean isByTrees)
    {
        return IntStream.range(0, 3).mapToObj(i -> GrimConfig.builder().nodeName("member-" + i)
            .transports("myrinet").directory(directory).set("grim.myrinet.firmware", "duty-cycle")
            .set("grim.myrinet.registered-length", "4MiB").set("grim.myrinet.linger", "20ms")
            .set("grim.myrinet.deadline", "30s").set("grim.group.ni-multicast", isByTrees).build()).toList();
    }
}
