// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.TransportCluster;
import org.junit.jupiter.api.io.TempDir;

/** Remote memory between hosts, both nodes in this JVM. */
final class AeronRemoteMemoryTest extends AeronMemoryContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return LocalCluster.ofTwoHosts(AeronSettings.with(settings, directory), firstPosition);
    }
}
