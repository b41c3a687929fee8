// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;

import org.grim.GrimConfig;

import picocli.CommandLine.Option;

/** Options that say which cluster a command is about. Everything else comes from GRIM_CONFIG and -Dgrim.*. */
public final class ClusterOptions
{
    @Option(names = "--cluster", paramLabel = "NAME", description = "Name of the cluster (grim.cluster.name).")
    private String cluster;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Where the clusters of this host are (grim.cluster.directory).")
    private Path directory;

    /** Made by picocli. */
    public ClusterOptions()
    {
        // Fields are filled in by picocli.
    }

    /** {@return the cluster that was named; null if none was} */
    public String name()
    {
        return cluster;
    }

    /** {@return the directory that was named; null if none was} */
    public Path directory()
    {
        return directory;
    }

    /** {@return the configuration of the cluster that was named; everything else as configured} */
    public GrimConfig config()
    {
        final GrimConfig.Builder builder = GrimConfig.builder();
        if (cluster != null)
        {
            builder.set("grim.cluster.name", cluster);
        }
        if (directory != null)
        {
            builder.directory(directory);
        }
        return builder.build();
    }
}
