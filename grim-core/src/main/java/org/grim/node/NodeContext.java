// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.Path;

import org.agrona.ErrorHandler;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.thread.ErrorReports;
import org.grim.transport.HostRegions;
import org.grim.transport.Membership;
import org.grim.transport.Settings;
import org.grim.transport.TransportContext;

/** A node's context for its transports. Any thread; the memory is the last that it learns. */
final class NodeContext implements TransportContext
{
    private final ClusterDirectory directory;
    private final NodeConfig config;
    private final ClusterFiles files;
    private final Doorbells bells;
    private final ErrorReports reports;
    private volatile HostRegions memory;

    NodeContext(final ClusterDirectory directory, final NodeConfig config, final ClusterFiles files,
        final Doorbells bells, final ErrorReports reports)
    {
        this.directory = directory;
        this.config = config;
        this.files = files;
        this.bells = bells;
        this.reports = reports;
    }

    @Override
    public Membership membership()
    {
        return directory;
    }

    @Override
    public Settings settings()
    {
        return config.reader();
    }

    @Override
    public Path nodeFile(final int node, final int incarnation, final String kind)
    {
        if (files == null)
        {
            throw new IllegalStateException("this cluster has no files: no transport said that it needs them");
        }
        return files.ofNode(node, incarnation, kind);
    }

    @Override
    public void ring(final int node, final int incarnation, final int bell)
    {
        bells.ring(node, incarnation, bell);
    }

    @Override
    public HostRegions memory()
    {
        final HostRegions known = memory;
        return known != null ? known : TransportContext.super.memory();
    }

    /** The node's memory is ready. */
    void memory(final HostRegions newMemory)
    {
        memory = newMemory;
    }

    @Override
    public ErrorHandler errorHandler()
    {
        return reports;
    }

    @Override
    public long firstPosition()
    {
        return config.firstPosition();
    }
}
