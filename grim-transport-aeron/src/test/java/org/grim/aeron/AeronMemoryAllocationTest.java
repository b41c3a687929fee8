// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.ContractSupport;
import org.grim.Grim;
import org.grim.MemoryAllocationContract;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of two hosts. */
final class AeronMemoryAllocationTest extends MemoryAllocationContract
{
    @TempDir
    private Path directory;

    @Override
    protected Grim open(final Map<String, Object> settings, final String name)
    {
        settings.put("grim.node.host", name);
        return Grim.enable(ContractSupport.builder(AeronSettings.with(settings, directory), 0).nodeName(name).build());
    }

    @Override
    protected boolean hasPeer()
    {
        return true;
    }

    @Override
    protected int divisor()
    {
        return 100;
    }
}
