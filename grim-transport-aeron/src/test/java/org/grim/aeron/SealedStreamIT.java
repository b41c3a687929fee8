// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.StreamContract;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Long messages and streams between hosts with a key: each part is sealed. */
@Tag("process")
@Tag("long")
final class SealedStreamIT extends StreamContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return LocalCluster.ofTwoHosts(AeronSettings.sealed(settings, directory), firstPosition);
    }

    @Override
    protected long quietNs()
    {
        return AeronSettings.QUIET_NS;
    }
}
