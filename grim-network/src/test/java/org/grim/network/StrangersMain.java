// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.grim.Grim;
import org.grim.NodeInfo;

/**
 * Hosts whose ports strangers reach. Arguments: directory, file of the key or an empty one, ports. All but the last
 * host begin at once. Answers each line: {@code join}, and the last host has joined; {@code state}, and what all of it
 * costs, and how often a host did not see another one's node.
 */
final class StrangersMain
{
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private StrangersMain()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        final Path base = Path.of(arguments[0]);
        final int[] ports = Stream.of(arguments).skip(2).mapToInt(Integer::parseInt).toArray();
        final List<Grim> open = new ArrayList<>();
        for (int host = 0; host < ports.length - 1; host++)
        {
            open.add(open(base, arguments[1], ports, host));
        }
        awaitAll(open);
        final List<NodeInfo> first = List.copyOf(open.get(0).nodes());
        OUTPUT.println("ready");
        long lostCount = 0;
        final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine())
        {
            if (line.equals("join"))
            {
                open.add(open(base, arguments[1], ports, ports.length - 1));
                awaitAll(open);
                OUTPUT.println("joined");
                continue;
            }
            lostCount += open.stream().filter(grim -> !areUp(grim, first)).count();
            System.gc();
            final Runtime runtime = Runtime.getRuntime();
            OUTPUT.println((runtime.totalMemory() - runtime.freeMemory()) + " " +
                ManagementFactory.getThreadMXBean().getPeakThreadCount() + " " +
                new File("/proc/self/fd").list().length + " " + lostCount);
        }
        open.forEach(Grim::close);
    }

    private static void awaitAll(final List<Grim> open)
    {
        Hosts.await(() -> open.stream().allMatch(grim -> open.stream().allMatch(other -> Hosts.isUp(grim, other))));
    }

    private static boolean areUp(final Grim grim, final List<NodeInfo> nodes)
    {
        return nodes.stream().allMatch(node -> grim.nodes().stream().anyMatch(each ->
            each.number() == node.number() && each.incarnation() == node.incarnation() &&
            each.state() == NodeInfo.State.UP));
    }

    private static Grim open(final Path base, final String key, final int[] ports, final int host)
    {
        return Grim.enable(Hosts.config(base, ports, host, "node-" + host).set("grim.network.key-file", key)
            .set("grim.network.silence-timeout", "10s").set("grim.network.succession-timeout", "10s").build());
    }
}
