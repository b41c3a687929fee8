// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.Map;

/** Long messages to oneself, read in place. */
final class NullInPlaceMessageTest extends StreamContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("null"));
        return LocalCluster.ofOne(settings, firstPosition);
    }

    @Override
    protected boolean goesInParts()
    {
        return false;
    }
}
