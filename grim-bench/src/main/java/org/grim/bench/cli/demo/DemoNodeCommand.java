// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.GrimConfig;
import org.grim.bench.nodes.DemoCluster;
import org.grim.bench.nodes.DemoNode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A node of {@code demo-cluster}, in a process of its own.
 * <p>Thread: main.
 */
@Command(name = DemoCluster.NODE_COMMAND, hidden = true)
public final class DemoNodeCommand implements Callable<Integer>
{
    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--host", required = true)
    private String host;

    @Option(names = "--name", required = true)
    private String name;

    @Option(names = "--bind", required = true)
    private String bind;

    @Option(names = "--hosts", required = true, split = ",")
    private List<String> hosts;

    @Option(names = "--messages", required = true)
    private int messages;

    @Option(names = "--result", required = true)
    private Path result;

    @Override
    public Integer call()
    {
        DemoNode.run(GrimConfig.builder().directory(directory).set("grim.cluster.name", DemoCluster.CLUSTER)
            .nodeName(name).set("grim.node.host", host).transports("shmem", "aeron").set("grim.network.bind", bind)
            .set("grim.network.discovery.hosts", hosts).build(), DemoCluster.NODE_COUNT, messages, result);
        return 0;
    }
}
