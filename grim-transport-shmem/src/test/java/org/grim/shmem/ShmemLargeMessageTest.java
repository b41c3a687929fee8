// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.StreamContract;
import org.grim.TransportCluster;
import org.junit.jupiter.api.io.TempDir;

/** Long messages in parts, as if there were no shared memory for them. */
final class ShmemLargeMessageTest extends StreamContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("shmem"));
        settings.put("grim.cluster.directory", directory.toString());
        return LocalCluster.ofTwo(settings, firstPosition);
    }

    @Override
    protected Object[] transportSettings()
    {
        return new Object[]{"grim.message.outbox-length", 0};
    }
}
