// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import org.grim.campaign.history.Incarnation;
import org.grim.campaign.history.Ledger;
import org.grim.campaign.history.Pace;
import org.grim.campaign.history.Settings;
import org.grim.campaign.history.Worker;
import org.grim.death.Faults;
import org.grim.network.namespaces.NetworkNamespaces;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

/** The processes of all hosts, and their settings. Thread: the campaign's. Owns: the processes. */
final class HostNodes implements AutoCloseable
{
    static final int HOST_COUNT = 3;
    private static final int NODE_COUNT = 3;
    private static final int PORT = 7_900;

    private final NetworkNamespaces hosts;
    private final Ledger ledger;
    private final Path directory;
    private final Path logs;
    private final SplittableRandom random;
    private final List<NodeProcess> live = new ArrayList<>();       // Who has run for longest comes first.
    private final Queue<Incarnation> news = new ConcurrentLinkedQueue<>();
    private int keyCount;
    private int fencedCount;
    private int refusedCount;

    HostNodes(
        final NetworkNamespaces hosts, final Ledger ledger, final Path directory, final Path logs,
        final SplittableRandom random)
    {
        this.hosts = hosts;
        this.ledger = ledger;
        this.directory = directory;
        this.logs = logs;
        this.random = random;
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

    void startHost(final int host)
    {
        IntStream.range(0, NODE_COUNT).forEach(node -> start(host, "node-" + host + "-" + node));
    }

    NodeProcess start(final int host, final String name)
    {
        final Worker worker = new Worker(logs.resolve(name + ".log"), command -> hosts.on(host, command));
        final NodeProcess process = new NodeProcess(host, name, worker);
        live.add(process);
        worker.awaitReady();
        worker.go(ledger, news, Pace.EASY, "host-" + host, random.nextLong() >>> 1, configuration(host));
        ledger.incarnations().stream().filter(Incarnation::isLive).forEach(worker::introduce);
        keyCount++;
        worker.node(name, keyCount);
        return process;
    }

    void kill(final List<NodeProcess> victims)
    {
        live.removeAll(victims);
        victims.forEach(victim -> victim.worker.jvm.kill());
        victims.forEach(victim -> victim.worker.kill());
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

    @Override
    public void close()
    {
        live.forEach(NodeProcess::close);
    }

    @Override
    public String toString()
    {
        return "incarnations=" + keyCount + " fenced=" + fencedCount + " refused=" + refusedCount;
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

    private String configuration(final int host)
    {
        final Map<String, Object> settings = Settings.tight(directory.resolve("host-" + host));
        settings.put("grim.cluster.name", "campaign");
        settings.put("grim.cluster.nodes-max", 16);
        settings.put("grim.transports", List.of("shmem", "aeron"));
        settings.put("grim.network.bind", address(host));
        settings.put("grim.network.discovery.hosts", IntStream.range(0, HOST_COUNT).mapToObj(this::address).toList());
        settings.put("grim.network.succession-timeout", "1s");
        settings.put("grim.network.silence-timeout", "2s");
        settings.put("grim.aeron.term-length", "64KiB");
        settings.put("grim.aeron.silence-timeout", "5s");
        return ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise());
    }

    private String address(final int host)
    {
        return hosts.address(host) + ":" + PORT;
    }
}
