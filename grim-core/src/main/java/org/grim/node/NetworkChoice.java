// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.Objects;
import java.util.ServiceLoader;

import org.grim.cluster.HostNetwork;
import org.grim.cluster.HostNetworkProvider;

/** Whether a node's host is one of several. Any thread; no state. */
final class NetworkChoice
{
    private NetworkChoice()
    {
    }

    /** The node's part in connecting its host; null without the module, or where the configuration names no hosts. */
    static HostNetwork of(final NodeConfig config)
    {
        return ServiceLoader.load(HostNetworkProvider.class, NetworkChoice.class.getClassLoader()).stream()
            .map(provider -> provider.get().open(config.reader(), config.clusterName(), config.hostLabel()))
            .filter(Objects::nonNull).findFirst().orElse(null);
    }
}
