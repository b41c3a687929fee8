// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.RemoteMemoryContract;
import org.grim.TransportCluster;
import org.junit.jupiter.api.io.TempDir;

/** The memory of nodes of the same host, whose messages go by Aeron. */
final class AeronRemoteMemoryTest extends RemoteMemoryContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return LocalCluster.ofTwo(AeronSettings.with(settings, directory), firstPosition);
    }

    @Override
    protected int smallCapacity()
    {
        return AeronSettings.capacity(AeronSettings.SMALL_FRAME_LENGTH);
    }

    @Override
    protected long quietNs()
    {
        return AeronSettings.QUIET_NS;
    }
}
