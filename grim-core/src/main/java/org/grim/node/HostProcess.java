// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.Path;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.cluster.AgentMembership;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.HostNetwork;
import org.grim.thread.ErrorReports;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A host's agent in a process without a node: the host stays in the cluster while its nodes come and go.
 * <p>Thread: one; the agent has its own. Owns: the membership of the host's directory.
 */
public final class HostProcess implements AutoCloseable
{
    private final NodeConfig config;
    private final ErrorReports reports;
    private AgentMembership membership;

    private HostProcess(final NodeConfig config)
    {
        this.config = config;
        reports = new ErrorReports(config.errorHandler());
        membership = join(config, reports);
    }

    /**
     * Joins the cluster.
     *
     * @param settings of the host, as its nodes have them.
     * @return the process's part, to be closed.
     * @throws GrimException if no connection to other hosts is configured, if another such process serves the host, or
     *                       the agent cannot begin.
     */
    public static HostProcess start(final GrimConfig settings)
    {
        return new HostProcess(
            new NodeConfig(settings.settings(), settings.errorHandler(), 0));
    }

    /** {@return the host's directory} */
    public Path directory()
    {
        return config.clusterDirectory();
    }

    /** {@return label of the host} */
    public String label()
    {
        return config.keys().hostLabel();
    }

    /**
     * Joins again if the other hosts took this one out, as its nodes do.
     *
     * @return whether it did.
     * @throws GrimException as {@link #start}; the next call tries again.
     */
    public boolean rejoinIfFenced()
    {
        final boolean isFenced = membership.isFenced();
        if (isFenced)
        {
            membership.close();
            membership = join(config, reports);
        }
        return isFenced;
    }

    @Override
    public void close()
    {
        membership.close();
    }

    private static AgentMembership join(final NodeConfig config, final ErrorReports reports)
    {
        final HostNetwork network = NetworkChoice.of(config, reports);
        if (network == null)
        {
            throw new GrimException(UNAVAILABLE, "no connection to other hosts is configured: set one key below " +
                "grim.network.discovery, with grim-network on the class path");
        }
        return AgentMembership.join(new ClusterFiles(config.clusterDirectory()), config.keys().nodeCountMax(), network);
    }
}
