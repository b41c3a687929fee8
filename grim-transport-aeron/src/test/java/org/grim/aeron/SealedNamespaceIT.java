// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite between hosts in two network namespaces, with a key. */
@Tag("process")
@Tag("long")
final class SealedNamespaceIT extends AeronContract
{
    @RegisterExtension
    private static final NamespaceDrivers DRIVERS = new NamespaceDrivers();

    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return DRIVERS.cluster(AeronSettings.sealed(settings, directory), firstPosition);
    }
}
