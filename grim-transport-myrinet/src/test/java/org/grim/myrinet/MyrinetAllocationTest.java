// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.AllocationContract;
import org.grim.ContractSupport;
import org.grim.Grim;
import org.junit.jupiter.api.io.TempDir;

/** Two boards in duty cycles: what the firmware allocates counts as well. */
final class MyrinetAllocationTest extends AllocationContract
{
    @TempDir
    private Path directory;

    @Override
    protected Grim open(final Map<String, Object> settings, final String name)
    {
        settings.put("grim.transports", List.of("myrinet"));
        settings.put("grim.myrinet.firmware", "duty-cycle");
        settings.put("grim.myrinet.queue-length", "16KiB");             // Bursts fill it.
        settings.put("grim.myrinet.arrival.frame-length", 1_024);
        return Grim.enable(ContractSupport.builder(settings, 0).nodeName(name).directory(directory).build());
    }

    @Override
    protected boolean hasPeer()
    {
        return true;
    }
}
