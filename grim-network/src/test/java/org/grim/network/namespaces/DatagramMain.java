// SPDX-License-Identifier: Apache-2.0
package org.grim.network.namespaces;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A process that has an address: {@code send ADDRESS TEXT} sends a datagram, {@code has TEXT} says whether one of the
 * text arrived. Ends when its input does.
 */
final class DatagramMain
{
    private static final int PORT = 7_000;
    private static final int LENGTH_MAX = 100;

    private DatagramMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final Set<String> arrived = ConcurrentHashMap.newKeySet();
        try (DatagramSocket socket = new DatagramSocket(PORT, InetAddress.getByName(args[0]));
            PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            final Thread receiver = new Thread(() -> receive(socket, arrived), "receiver");
            receiver.setDaemon(true);
            receiver.start();
            answers.println("ready");
            final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine())
            {
                final String[] words = line.split(" ", -1);
                answers.println(words[0].equals("has") ? Boolean.toString(arrived.contains(words[1])) :
                    send(socket, words[1], words[2]));
            }
        }
    }

    private static String send(final DatagramSocket socket, final String address, final String text)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        try
        {
            socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName(address), PORT));
            return "sent";
        }
        catch (final IOException ex)
        {
            return "sent nothing: " + ex.getMessage();      // A cable that is not there.
        }
    }

    private static void receive(final DatagramSocket socket, final Set<String> arrived)
    {
        final DatagramPacket packet = new DatagramPacket(new byte[LENGTH_MAX], LENGTH_MAX);
        try
        {
            while (!socket.isClosed())
            {
                packet.setLength(LENGTH_MAX);
                socket.receive(packet);
                arrived.add(new String(packet.getData(), 0, packet.getLength(), UTF_8));
            }
        }
        catch (final IOException ex)
        {
            if (!socket.isClosed())
            {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
