// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.ProcessCluster;
import org.grim.TransportCluster;
import org.grim.crypto.Sealer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Remote memory between hosts with a key, and the far node in another JVM. */
@Tag("process")
@Tag("long")
final class SealedTwoProcessMemoryIT extends AeronMemoryContract
{
    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return ProcessCluster.startOnTwoHosts(AeronSettings.sealed(settings, directory), firstPosition);
    }

    @Override
    protected int pieceLengthMax()
    {
        return super.pieceLengthMax() - Sealer.TAG_LENGTH;
    }
}
