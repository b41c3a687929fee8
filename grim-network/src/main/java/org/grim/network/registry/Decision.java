// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.List;
import java.util.Set;

/**
 * One link of the chain that all hosts agree on: what is new since the decision before. With base 0 it is a snapshot:
 * everything that was decided so far.
 *
 * @param cluster  id of the cluster, made by the host that began it.
 * @param base     epoch that it follows; 0 for a snapshot, which follows any.
 * @param epoch    of this decision, from 1.
 * @param members  hosts that decide what comes next, the oldest first.
 * @param grants   assigned numbers; of each number the latest assignment.
 * @param handlers names that got ids.
 */
public record Decision(
    String cluster, long base, long epoch, List<String> members, List<Grant> grants, List<HandlerName> handlers)
{
    /**
     * Returns whether hosts are enough to decide what follows a decision: more than half of its members, or half of
     * them with the oldest among them. Any two such sets have a host in common.
     *
     * @param members of the decision before.
     * @param hosts   that agree; others than members do not count.
     * @return true if no other such set can agree on something else.
     */
    public static boolean isMajority(final List<String> members, final Set<String> hosts)
    {
        final long twice = 2 * members.stream().filter(hosts::contains).count();
        return twice > members.size() || (twice > 0 && twice == members.size() && hosts.contains(members.get(0)));
    }
}
