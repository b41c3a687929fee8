// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Remote memory between hosts where of ten datagrams one is lost, one comes twice and one is overtaken. */
@ExtendWith(ProxiedAeronProvider.Networks.class)
@Tag("process")
@Tag("long")
final class AeronVeryLossyMemoryIT extends AeronMemoryContract
{
    private static final double SHARE = 0.1;

    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return ProxiedAeronProvider.clusterOfTwoHosts(settings, directory, firstPosition, SHARE);
    }
}
