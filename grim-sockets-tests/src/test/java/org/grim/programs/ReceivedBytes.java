// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Report of the clients to the test when they are ready: the bytes of all messages that came to their host's nodes.
 * They end with their input.
 */
public final class ReceivedBytes
{
    private ReceivedBytes()
    {
    }

    public static void printAndAwaitEnd() throws IOException
    {
        long total = 0;
        for (final Path file : files())
        {
            try (CountersView view = new CountersView(file))
            {
                total += view.readings().stream().filter(reading -> reading.kind() == CounterKind.BYTES_RECEIVED)
                    .mapToLong(CountersView.Reading::value).sum();
            }
        }
        try (PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            output.println("received " + total);
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        Runtime.getRuntime().exit(0);
    }

    private static List<Path> files() throws IOException
    {
        try (Stream<Path> all = Files.list(GrimConfig.load().clusterDirectory()))
        {
            return all.filter(file -> file.toString().endsWith(".counters")).toList();
        }
    }
}
