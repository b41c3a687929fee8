// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Stream;

import org.agrona.ErrorHandler;
import org.grim.cluster.HostNetwork;
import org.grim.cluster.HostNetworkProvider;

/** Whether a node's host is one of several. Any thread; no state. */
final class NetworkChoice
{
    private static final List<String> OWN = List.of("org.grim.network.EmbeddedAgentProvider");

    private NetworkChoice()
    {
    }

    /** The node's part in connecting its host; null without the module, or where the configuration names no hosts. */
    static HostNetwork of(final NodeConfig config, final ErrorHandler errors)
    {
        return providers().map(provider ->
            provider.open(config.reader(), config.keys().cluster(), config.keys().hostLabel(), errors))
            .filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Returns settings with which a node that only warms up is alone on its host. */
    static Map<String, Object> warmUpSettings()
    {
        final Map<String, Object> values = new HashMap<>();
        providers().forEach(provider -> values.putAll(provider.warmUpSettings()));
        return values;
    }

    /** The settings with what the launcher says that started this process. */
    static NodeConfig launched(final NodeConfig config)
    {
        final Map<String, Object> launched = new HashMap<>();
        providers().forEach(provider -> launched.putAll(provider.launched(config.reader(), System.getenv())));
        return launched.isEmpty() ? config : config.with(launched);
    }

    private static Stream<HostNetworkProvider> providers()
    {
        return Providers.of(HostNetworkProvider.class,
            ServiceLoader.load(HostNetworkProvider.class, NetworkChoice.class.getClassLoader()), OWN).stream();
    }
}
