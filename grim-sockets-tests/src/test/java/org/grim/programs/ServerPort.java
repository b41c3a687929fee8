// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Report of the servers to the test: their ports. They end with their input. */
public final class ServerPort
{
    private ServerPort()
    {
    }

    public static void printAndAwaitEnd(final int port) throws IOException
    {
        try (PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            output.println(port);
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        Runtime.getRuntime().exit(0);
    }
}
