// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.List;

import org.grim.GrimConfig;

final class NullGroupTest extends GroupContract
{
    @Override
    protected List<GrimConfig> configs()
    {
        return List.of(GrimConfig.builder().nodeName("alone").set("grim.transports", List.of("null")).build());
    }
}
