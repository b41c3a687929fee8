// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.Map;

import org.agrona.ErrorHandler;
import org.grim.cluster.HostNetwork;
import org.grim.cluster.HostNetworkProvider;
import org.grim.network.launcher.Launcher;
import org.grim.transport.Settings;

/** Offers the agent that runs in a node. Any thread; no state. */
public final class EmbeddedAgentProvider implements HostNetworkProvider
{
    @Override
    public HostNetwork open(
        final Settings settings, final String cluster, final String hostLabel, final ErrorHandler errors)
    {
        final NetworkSettings own = NetworkSettings.of(settings);
        return own == null ? null : new EmbeddedAgent(own, cluster, hostLabel, errors);
    }

    @Override
    public Map<String, Object> launched(final Settings settings, final Map<String, String> environment)
    {
        return Launcher.settings(settings, environment);
    }

    @Override
    public Map<String, Object> warmUpSettings()
    {
        return NetworkSettings.NO_HOSTS;
    }
}
