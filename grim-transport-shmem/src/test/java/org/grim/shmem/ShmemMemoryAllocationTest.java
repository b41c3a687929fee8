// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.ContractSupport;
import org.grim.Grim;
import org.grim.MemoryAllocationContract;
import org.junit.jupiter.api.io.TempDir;

final class ShmemMemoryAllocationTest extends MemoryAllocationContract
{
    @TempDir
    private Path directory;

    @Override
    protected Grim open(final Map<String, Object> settings, final String name)
    {
        settings.put("grim.transports", List.of("shmem"));
        return Grim.enable(ContractSupport.builder(settings, 0).nodeName(name).directory(directory).build());
    }

    @Override
    protected boolean hasPeer()
    {
        return true;
    }
}
