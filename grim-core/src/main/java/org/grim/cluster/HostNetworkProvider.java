// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.Map;

import org.agrona.ErrorHandler;
import org.grim.transport.Settings;

/**
 * Provider of the connection between hosts; GRIM finds it by {@link java.util.ServiceLoader}.
 * <p>Thread: any.
 */
public interface HostNetworkProvider
{
    /**
     * Reads the configuration.
     *
     * @param settings  of the node.
     * @param cluster   name of the cluster.
     * @param hostLabel of the node's host.
     * @param errors    where errors of its threads go; never throws.
     * @return this node's part; null if the configuration names no connection to other hosts.
     * @throws IllegalArgumentException naming key, value and limit of what is wrong.
     */
    HostNetwork open(Settings settings, String cluster, String hostLabel, ErrorHandler errors);

    /**
     * Reads what the launcher that started this process says of it.
     *
     * @param settings    of the node.
     * @param environment of the process.
     * @return keys, from {@code grim} on, and their values; they win over the settings.
     * @throws IllegalArgumentException if they contradict the settings, or the environment is not as it should be.
     */
    Map<String, Object> launched(Settings settings, Map<String, String> environment);

    /** {@return keys with which nodes that only warm up see no other host, and their values} */
    Map<String, Object> warmUpSettings();
}
