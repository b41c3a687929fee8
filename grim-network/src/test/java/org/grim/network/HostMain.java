// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;

/**
 * A node of a host in a process of its own: base, host, name, ports. For each byte of its input it says who is up, and
 * leaves when that ends. With the system property {@value #DNS} hosts are found by that name, and each has an address
 * of its own. With {@value #SHORT_TIMES} a host that is silent or absent counts as gone after 3 s.
 */
final class HostMain
{
    static final String DNS = "test.dns";
    static final String SHORT_TIMES = "test.short-times";

    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private HostMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final int[] ports = IntStream.range(3, args.length).map(i -> Integer.parseInt(args[i])).toArray();
        final int host = Integer.parseInt(args[1]);
        final GrimConfig.Builder config = Hosts.config(Path.of(args[0]), ports, host, args[2])
            .errorHandler(HostMain::tell);
        if (Boolean.getBoolean(SHORT_TIMES))
        {
            Hosts.shortTimes(config);
        }
        if (System.getProperty(DNS) != null)
        {
            config.set("grim.network.discovery.hosts", List.of())
                .set("grim.network.discovery.dns", System.getProperty(DNS))
                .set("grim.network.bind", "127.0.0." + (host + 1) + ":" + ports[0]);
        }
        try (Grim grim = Grim.enable(config.build()))
        {
            grim.startPolling();
            OUTPUT.println("joined");
            while (System.in.read() >= 0)
            {
                OUTPUT.println(grim.nodes().stream().filter(node -> node.state() == NodeInfo.State.UP)
                    .map(NodeInfo::name).toList());
            }
        }
    }

    private static void tell(final Throwable error)
    {
        OUTPUT.println(error instanceof final GrimException failure ? failure.reason().toString() :
            error.toString());
    }
}
