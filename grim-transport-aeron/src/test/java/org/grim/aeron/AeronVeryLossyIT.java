// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite where of ten datagrams one is lost, one comes twice and one is overtaken. */
@ExtendWith(ProxiedAeronProvider.Networks.class)
@Tag("process")
@Tag("long")
final class AeronVeryLossyIT extends AeronContract
{
    private static final double SHARE = 0.1;

    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return ProxiedAeronProvider.cluster(settings, directory, firstPosition, SHARE);
    }

    /** A lost last message of a channel comes again after a heartbeat, which may be lost, too. */
    @Override
    protected long quietNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(500);
    }
}
