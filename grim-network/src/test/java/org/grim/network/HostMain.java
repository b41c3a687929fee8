// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.IntStream;

import org.grim.Grim;
import org.grim.GrimException;

/** A node of a host in a process of its own: base, host, name, ports. Leaves when its input ends. */
final class HostMain
{
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

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
            OUTPUT.println("joined");
            while (System.in.read() >= 0)
            {
                OUTPUT.println("alive");
            }
        }
    }

    private static void tell(final Throwable error)
    {
        OUTPUT.println(error instanceof final GrimException failure ? failure.reason().toString() :
            error.toString());
    }
}
