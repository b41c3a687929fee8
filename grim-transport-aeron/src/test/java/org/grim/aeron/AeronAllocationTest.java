// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.Map;

import org.grim.AllocationContract;
import org.grim.ContractSupport;
import org.grim.Grim;
import org.junit.jupiter.api.io.TempDir;

final class AeronAllocationTest extends AllocationContract
{
    @TempDir
    private Path directory;

    @Override
    protected Grim open(final Map<String, Object> settings, final String name)
    {
        return Grim.enable(ContractSupport.builder(AeronSettings.with(settings, directory), 0).nodeName(name).build());
    }

    @Override
    protected int divisor()
    {
        return 20;
    }

    @Override
    protected boolean hasPeer()
    {
        return true;
    }
}
