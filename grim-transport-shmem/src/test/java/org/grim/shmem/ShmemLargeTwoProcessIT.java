// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.ProcessCluster;
import org.grim.StreamContract;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Long messages in parts to another process, as if there were no shared memory for them. */
@Tag("process")
final class ShmemLargeTwoProcessIT extends StreamContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("shmem"));
        settings.put("grim.cluster.directory", directory.toString());
        return ProcessCluster.start(settings, firstPosition);
    }

    @Override
    protected Object[] transportSettings()
    {
        return new Object[]{"grim.message.outbox-length", 0};
    }
}
