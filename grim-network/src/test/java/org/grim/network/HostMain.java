// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;

import org.grim.Grim;
import org.grim.GrimException;

/** A node of a host in a process of its own: base, host, name, ports. Leaves when its input ends. */
final class HostMain
{
    private HostMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final int[] ports = IntStream.range(3, args.length).map(i -> Integer.parseInt(args[i])).toArray();
        try (Grim grim = Grim.enable(Hosts.config(Path.of(args[0]), ports, Integer.parseInt(args[1]), args[2])
            .errorHandler(HostMain::tell).build()))
        {
            grim.startPolling();
            System.out.println("joined");
            while (System.in.read() >= 0)
            {
                System.out.println("alive");
            }
        }
    }

    private static void tell(final Throwable error)
    {
        System.out.println(error instanceof final GrimException failure ? failure.reason().toString() :
            error.toString());
    }
}
