// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.LocalCluster;
import org.grim.TransportCluster;
import org.grim.TransportContractTest;
import org.junit.jupiter.api.io.TempDir;

/** A transport from outside of GRIM keeps the contract of GRIM's own. */
final class RingTransportTest extends TransportContractTest
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("rings"));
        settings.put("grim.cluster.directory", directory.toString());
        return LocalCluster.ofTwo(settings, firstPosition);
    }
}
