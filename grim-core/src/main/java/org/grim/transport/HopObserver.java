// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Looks from outside at what a transport between hosts carries: for tools, and for agents that tools of other hosts
 * ask. Implementations are named to {@link ServiceLoader}.
 * <p>Thread: any. Writes nothing, and needs no node that runs: processes may be stopped or dead.
 */
public interface HopObserver
{
    /**
     * Looks at the hops of this host.
     *
     * @param incarnations of the nodes that are in the cluster, those of other hosts included, by number.
     * @param files        of the nodes of this host.
     * @return what is there now; empty if no node of this host uses the transport.
     */
    HopReport look(Map<Integer, Integer> incarnations, NodeFiles files);

    /**
     * Looks at the hops of all transports that can be looked at.
     *
     * @param incarnations of the nodes that are in the cluster, by number.
     * @param files        of the nodes of this host.
     * @return what is there now.
     */
    static HopReport lookAtAll(final Map<Integer, Integer> incarnations, final NodeFiles files)
    {
        final List<HopReport> reports = ServiceLoader.load(HopObserver.class, HopObserver.class.getClassLoader())
            .stream().map(provider -> provider.get().look(incarnations, files)).toList();
        return HopReport.merge(reports);
    }
}
