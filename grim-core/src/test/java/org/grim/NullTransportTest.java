// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Map;

final class NullTransportTest extends TransportContractTest
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", java.util.List.of("null"));
        return LocalCluster.ofOne(settings, firstPosition);
    }
}
