// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.StreamContract;
import org.grim.TransportCluster;
import org.junit.jupiter.api.io.TempDir;

/** Long messages and streams, in parts. */
final class AeronLargeMessageTest extends StreamContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return LocalCluster.ofTwo(AeronSettings.with(settings, directory), firstPosition);
    }

    @Override
    protected long quietNs()
    {
        return AeronSettings.QUIET_NS;
    }
}
