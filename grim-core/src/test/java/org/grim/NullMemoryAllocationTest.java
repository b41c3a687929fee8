// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.Map;

final class NullMemoryAllocationTest extends MemoryAllocationContract
{
    @Override
    protected Grim open(final Map<String, Object> settings, final String name)
    {
        settings.put("grim.transports", List.of("null"));
        return Grim.enable(ContractSupport.builder(settings, 0).nodeName(name).build());
    }

    @Override
    protected boolean hasPeer()
    {
        return false;
    }
}
