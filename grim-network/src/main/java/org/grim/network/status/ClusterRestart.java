// SPDX-License-Identifier: Apache-2.0
package org.grim.network.status;

import java.util.List;

/**
 * Answer to a tool that asks an agent to restart the cluster without its majority.
 *
 * @param refusal why the cluster was not restarted; empty if it was.
 * @param rest    labels of the hosts that go on.
 * @param givenUp hosts that do not.
 */
public record ClusterRestart(String refusal, List<String> rest, List<GivenUpHost> givenUp)
{
    /**
     * A host that is a member no more.
     *
     * @param host     its label.
     * @param absentMs since it was seen last.
     * @param nodes    that it had.
     */
    public record GivenUpHost(String host, long absentMs, List<GivenUpNode> nodes)
    {
    }

    /**
     * A node of such a host.
     *
     * @param number    of it.
     * @param name      of it.
     * @param addresses of its transports; empty if none is known.
     */
    public record GivenUpNode(int number, String name, String addresses)
    {
    }
}
