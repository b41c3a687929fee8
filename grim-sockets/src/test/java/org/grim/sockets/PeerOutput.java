// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Lines that a program of its own process prints for the test that started it. */
final class PeerOutput
{
    private static final PrintStream OUTPUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

    private PeerOutput()
    {
    }

    static void print(final String line)
    {
        OUTPUT.println(line);
    }
}
