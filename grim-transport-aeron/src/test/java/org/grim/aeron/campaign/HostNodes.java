// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.grim.GrimException;
import org.grim.campaign.history.Incarnation;
import org.grim.campaign.history.Ledger;
import org.grim.campaign.history.Pace;
import org.grim.campaign.history.Settings;
import org.grim.campaign.history.Worker;
import org.grim.death.Faults;
import org.grim.network.namespaces.NetworkNamespaces;
import org.grim.network.registry.RegistryFile;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

/** The processes of all hosts, their disks, and their settings. Thread: the campaign's. Owns: processes and disks. */
final class HostNodes implements AutoCloseable
{
    static final int HOST_COUNT = 3;
    /** A further host, whose nodes do not stay. */
    static final int GUEST = HOST_COUNT;
    private static final int PORT = 7_900;

    private final NetworkNamespaces hosts;
    private final Ledger ledger;
    private final Path logs;
    private final SplittableRandom random;
    private final Path keyFile;
    private final int nodeCount;
    private final List<SmallDisk> disks = new ArrayList<>();
    private final List<NodeProcess> live = new ArrayList<>();       // The longest running process comes first.
    private final Queue<Incarnation> news = new ConcurrentLinkedQueue<>();
    private int keyCount;
    private int fencedCount;
    private int refusedCount;

    /** Nobody runs yet. The key's file is null for none; each host has that many nodes. */
    HostNodes(
        final NetworkNamespaces hosts, final Ledger ledger, final Path directory, final Path logs,
        final SplittableRandom random, final Path keyFile, final int nodeCount) throws IOException
    {
        this.hosts = hosts;
        this.ledger = ledger;
        this.logs = logs;
        this.random = random;
        this.keyFile = keyFile;
        this.nodeCount = nodeCount;
        for (int host = 0; host <= GUEST; host++)
        {
            disks.add(new SmallDisk(directory.resolve("host-" + host)));
        }
    }

    /** {@return all processes that run, and are not to leave} */
    List<NodeProcess> live()
    {
        return List.copyOf(live);
    }

    /** {@return those of a host, who has run for longest comes first} */
    List<NodeProcess> of(final int host)
    {
        return live.stream().filter(process -> process.host == host).toList();
    }

    /** {@return the file system of a host's directory} */
    SmallDisk disk(final int host)
    {
        return disks.get(host);
    }

    /** All nodes of some hosts start at the same moment. */
    List<NodeProcess> startHosts(final List<Integer> started, final Map<String, Object> overrides)
    {
        final List<NodeProcess> processes = started.stream().flatMap(host -> IntStream.range(0, nodeCount)
            .mapToObj(node -> spawn(host, nameOf(host, node)))).toList();
        live.addAll(processes);
        processes.forEach(process -> process.worker.awaitReady());
        processes.forEach(process -> join(process, label(process.host), overrides));
        return processes;
    }

    NodeProcess start(final int host, final String name)
    {
        return start(host, name, Map.of());
    }

    NodeProcess start(final int host, final String name, final Map<String, Object> overrides)
    {
        final NodeProcess process = spawn(host, name);
        live.add(process);
        process.worker.awaitReady();
        join(process, label(host), overrides);
        return process;
    }

    /** A process whose join is to fail: it is none of those that are up in the end. */
    NodeProcess startOther(
        final int host, final String name, final String label, final Map<String, Object> overrides)
    {
        final NodeProcess process = spawn(host, name);
        process.worker.awaitReady();
        join(process, label, overrides);
        return process;
    }

    void kill(final List<NodeProcess> victims)
    {
        live.removeAll(victims);
        victims.forEach(victim -> victim.worker.jvm.kill());
        victims.forEach(victim -> victim.worker.kill());
    }

    /** Hosts lose their power, and with it everything that they knew. */
    void losePower(final List<Integer> victims)
    {
        final List<NodeProcess> processes = live.stream().filter(process -> victims.contains(process.host)).toList();
        live.removeAll(processes);
        victims.forEach(hosts::losePower);
        processes.forEach(process -> process.worker.kill());
        victims.forEach(host -> disk(host).lose());
    }

    void leave(final List<NodeProcess> leaving)
    {
        live.removeAll(leaving);
        leaving.forEach(process -> process.worker.leave());
    }

    /** Introduces who has joined, and has nodes join again that were fenced or refused. */
    void restartEnded(final Faults faults)
    {
        for (Incarnation node = news.poll(); node != null; node = news.poll())
        {
            if (node.isOut())
            {
                joinAgain(node);
            }
            else
            {
                final Incarnation ready = node;
                live.forEach(process -> process.worker.introduce(ready));
            }
        }
        live.stream().filter(process -> !process.worker.jvm.process().isAlive()).forEach(process ->
            faults.add(Faults.Kind.CRASHED, 1, process + " ended: " + process.worker.jvm.process().exitValue()));
    }

    /** {@return what the agents of all hosts wrote down} */
    String registries()
    {
        return IntStream.range(0, disks.size()).mapToObj(host -> "\n" + label(host) + ": " + registry(host))
            .collect(Collectors.joining());
    }

    static String nameOf(final int host, final int node)
    {
        return "node-" + host + "-" + node;
    }

    static String label(final int host)
    {
        return "host-" + host;
    }

    @Override
    public void close()
    {
        live.forEach(NodeProcess::close);
        disks.forEach(SmallDisk::close);
    }

    @Override
    public String toString()
    {
        return "incarnations=" + keyCount + " fenced=" + fencedCount + " refused=" + refusedCount;
    }

    private NodeProcess spawn(final int host, final String name)
    {
        final long startNs = System.nanoTime();
        return new NodeProcess(host, name, startNs,
            new Worker(logs.resolve(name + ".log"), command -> hosts.on(host, command)));
    }

    private void join(final NodeProcess process, final String label, final Map<String, Object> overrides)
    {
        process.worker.go(ledger, news, Pace.EASY, label, random.nextLong() >>> 1,
            configuration(process.host, overrides));
        ledger.incarnations().stream().filter(Incarnation::isLive).forEach(process.worker::introduce);
        keyCount++;
        process.worker.node(process.name, keyCount);
    }

    private void joinAgain(final Incarnation ended)
    {
        fencedCount += ended.end == Incarnation.End.FENCED ? 1 : 0;
        refusedCount += ended.end == Incarnation.End.REFUSED ? 1 : 0;
        live.stream().filter(process -> process.worker.incarnations.contains(ended)).forEach(process ->
        {
            keyCount++;
            process.worker.node(ended.name, keyCount);
        });
    }

    private String registry(final int host)
    {
        final Path cluster = disk(host).cluster();
        try
        {
            final RegistryFile.Content content =
                new RegistryFile(cluster.resolve("registry"), cluster.resolve("registry.none")).read();
            return content == null ? "none" : content.host() + " epoch=" + content.registry().epoch() + " cluster=" +
                content.registry().cluster() + " members=" + content.registry().members() + " givenUp=" +
                content.givenUp() + " promised=" + content.pledge().promised();
        }
        catch (final GrimException ex)
        {
            return ex.getMessage();
        }
    }

    private String configuration(final int host, final Map<String, Object> overrides)
    {
        final Map<String, Object> settings = Settings.tight(disk(host).cluster());
        settings.put("grim.cluster.name", "campaign");
        settings.put("grim.cluster.nodes-max", 16);
        settings.put("grim.transports", List.of("shmem", "aeron"));
        settings.put("grim.network.bind", address(host));
        settings.put("grim.network.discovery.hosts", IntStream.range(0, HOST_COUNT).mapToObj(this::address).toList());
        settings.put("grim.network.succession-timeout", "1s");
        settings.put("grim.network.silence-timeout", "2s");
        settings.put("grim.aeron.term-length", "64KiB");
        settings.put("grim.aeron.silence-timeout", "5s");
        settings.put("grim.network.key-file", keyFile == null ? "" : keyFile.toString());
        settings.putAll(overrides);
        return ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise());
    }

    private String address(final int host)
    {
        return hosts.address(host) + ":" + PORT;
    }
}
