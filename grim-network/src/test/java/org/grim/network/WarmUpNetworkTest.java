// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(180)
final class WarmUpNetworkTest
{
    @TempDir
    private Path base;

    /** Its agent would be at the address of the node's own, and say to other hosts that it is there. */
    @Test
    void shouldWarmUpWithoutAnAgent() throws Exception
    {
        final Path agents = base.resolve("agents");
        try (Grim grim = Grim.enable(GrimConfig.builder().directory(base.resolve("host")).nodeName("one")
            .set("grim.cluster.name", "test").set("grim.warm-up", "100ms")
            .set("grim.network.join-timeout", "60s")
            .set("grim.network.bind", "127.0.0.1:" + FreePorts.pair())
            .set("grim.network.discovery.directory", agents.toString()).build());
            Stream<Path> groups = Files.list(agents))
        {
            assertEquals("one", grim.node().name());
            assertEquals(List.of("grim-test"), groups.map(group -> group.getFileName().toString()).toList());
        }
    }
}
