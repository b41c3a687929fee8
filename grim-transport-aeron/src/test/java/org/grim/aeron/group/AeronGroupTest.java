// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.group;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.GrimConfig;
import org.grim.group.GroupContract;
import org.junit.jupiter.api.io.TempDir;

/** Of three members, and every message goes over a media driver. */
final class AeronGroupTest extends GroupContract
{
    @TempDir
    private Path directory;

    @Override
    protected List<GrimConfig> configs()
    {
        return IntStream.range(0, 3).mapToObj(i -> GrimConfig.builder().nodeName("member-" + i)
            .transports("aeron").directory(directory).set("grim.aeron.term-length", "256KiB")
            .set("grim.aeron.linger", "20ms").set("grim.aeron.connect-timeout", "10s").build()).toList();
    }
}
