// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.group;

import java.nio.file.Path;
import java.util.List;

import org.grim.GrimConfig;
import org.grim.group.GroupContract;
import org.junit.jupiter.api.io.TempDir;

/** Two members that share memory, one that they reach over boards, one that all reach over a media driver. */
final class MixedGroupTest extends GroupContract
{
    @TempDir
    private Path directory;

    /** The third reaches the first two through one queue of its board. */
    @Override
    protected boolean areDestinationsApart()
    {
        return false;
    }

    @Override
    protected List<GrimConfig> configs()
    {
        return List.of(config("first", "a", "shmem", "myrinet", "aeron"),
            config("second", "a", "shmem", "myrinet", "aeron"), config("third", "b", "myrinet", "aeron"),
            config("fourth", "c", "aeron"));
    }

    private GrimConfig config(final String name, final String host, final String... transports)
    {
        return GrimConfig.builder().nodeName(name).transports(transports).directory(directory)
            .set("grim.node.host", host).set("grim.aeron.term-length", "256KiB").set("grim.aeron.linger", "20ms")
            .set("grim.aeron.connect-timeout", "10s").set("grim.myrinet.firmware", "duty-cycle")
            .set("grim.myrinet.registered-length", 0).set("grim.myrinet.linger", "20ms")
            .set("grim.myrinet.deadline", "30s").build();
    }
}
