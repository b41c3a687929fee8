// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.tools.observe.Observer;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the counters of a cluster's nodes. */
@Command(name = "stat", mixinStandardHelpOptions = true,
    description = "Shows counters, queues and errors of a running cluster, from outside.",
    footer = {"", "Writes nothing; reads the files of dead nodes too, as long as they are there.",
        "Of nodes of other hosts the counters, as the hosts' agents say, which have 2 s to answer.",
        "unread counts messages whose room was not given back yet, read ones included.",
        "JSON: {command, directory, epochMs, nodes: [{number, name, state, isAlive, incarnation, endpoints, host,",
        "channels: [{channel, counters: {NAME: VALUE}}], counters: {NAME: VALUE}, rejected: {REASON: VALUE},",
        "inbox: {lastPollAgeMs, queues: [{channel, queue, ownerNode, ownerChannel, isDetached, unreadCount,",
        "slotCount, isStopped}]}, connections: {overGrim, overTcp, unlisted, open: [{local, remote, peer, state,",
        "sentLength, unreadThereLength, receivedLength, unreadLength, waits}]}, ni: {number, lanaiModel, epoch,",
        "isAsleep, counters, dropped, contexts, channels, triples, errors, missing}, errors: [{observationCount,",
        "firstMs, lastMs, text}], missing: [TEXT]}]};",
        "channel -1 stands for all shared links; with --watch one such object after the other."})
final class StatCommand implements Callable<Integer>
{
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--watch", paramLabel = "SECONDS", arity = "0..1", fallbackValue = "1",
        description = "Show it again every SECONDS (default: 1) until the cluster is gone.")
    private Double watchSeconds;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--watch", watchSeconds, 0.1, 3600);
        final Path path = cluster.config().clusterDirectory();
        show(path);
        while (watchSeconds != null)
        {
            LockSupport.parkNanos((long)(watchSeconds * TimeUnit.SECONDS.toNanos(1)));
            show(path);                 // Opened again: it may belong to another incarnation of the cluster.
        }
        return 0;
    }

    private void show(final Path path) throws IOException
    {
        final PrintWriter output = spec.commandLine().getOut();
        final Observer.Report report = Observer.stat(path);
        output.print(isJson ? Json.text(report.json()) : (watchSeconds == null ? "" : CLEAR_SCREEN) + report.text());
        output.flush();
    }
}
