// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.Map;
import java.util.Set;

import org.grim.transport.HopReport;

/**
 * The hops between hosts at one look.
 *
 * @param all        hops of this host, and of those that answered.
 * @param silences   how long the agents of other hosts were not heard, by label, ms.
 * @param unanswered labels of hosts that did not answer.
 */
record HopSample(HopReport all, Map<String, Long> silences, Set<String> unanswered)
{
    /** Of a cluster without hops between hosts. */
    static final HopSample NONE = new HopSample(HopReport.NONE, Map.of(), Set.of());

    /** The sender's end of a hop; null if it is not there. */
    HopReport.Outgoing outgoing(final HopReport.Outgoing hop)
    {
        return all.outgoing().stream().filter(each -> each.flow() == hop.flow() && each.node() == hop.node() &&
            each.peer() == hop.peer()).findFirst().orElse(null);
    }

    /** The receiver's end of a hop; null if it is not there. */
    HopReport.Incoming incoming(final HopReport.Outgoing hop)
    {
        return all.incoming().stream().filter(each -> each.flow() == hop.flow() && each.node() == hop.peer())
            .findFirst().orElse(null);
    }

    /** The driver that a node uses; null if it is not known. */
    HopReport.Driver driver(final int node)
    {
        return all.drivers().stream().filter(driver -> driver.nodes().contains(node)).findFirst().orElse(null);
    }
}
