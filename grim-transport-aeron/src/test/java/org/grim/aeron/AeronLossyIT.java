// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import org.grim.TransportCluster;
import org.grim.faults.Effect;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite where of a hundred datagrams one is lost, one comes twice and one is overtaken. */
@Tag("process")
@Tag("long")
final class AeronLossyIT extends AeronContract
{
    private static final double SHARE = 0.01;
    private static final Map<Effect, Long> SEEN = new EnumMap<>(Effect.class);

    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return FaultyAeronProvider.cluster(settings, directory, firstPosition, SHARE);
    }

    @AfterEach
    void closeNetworks()
    {
        FaultyAeronProvider.close(SEEN);
    }

    @AfterAll
    static void requireFaults()
    {
        FaultyAeronProvider.requireFaults(SEEN);
    }
}
