// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.grim.Grim;
import org.grim.buffer.Uninterrupted;

/**
 * A node in a process of its own. It prints each received message as a line until a command stops its polling, and ends
 * with its standard input.
 */
public final class PeerMain
{
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private PeerMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory, name.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final BufferedReader input = new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        try (Grim grim = Grim.enable(AeronSettings.shortTimes(Path.of(arguments[0]), arguments[1]).build()))
        {
            grim.handlers().register("take", message -> OUTPUT.println(message.argument(0)));
            OUTPUT.println("joined");
            while (!input.ready())
            {
                grim.endpoint().poll();
                Uninterrupted.park(100_000);
            }
            input.readLine();
            OUTPUT.println("stopped");
            input.readLine();
        }
    }
}
