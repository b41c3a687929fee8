// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.Map;

final class NullLargeMessageTest extends StreamContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("null"));
        return LocalCluster.ofOne(settings, firstPosition);
    }

    @Override
    protected Object[] waySettings()
    {
        return new Object[]{"grim.message.outbox-length", 0};
    }
}
