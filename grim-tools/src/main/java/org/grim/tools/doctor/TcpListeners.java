// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The addresses at which a process listens with TCP, as Linux shows them in {@code /proc}: its descriptors name their
 * sockets by number, and two tables say what each is.
 * <p>Thread: any; no state.
 */
final class TcpListeners
{
    private static final List<String> TABLES = List.of("tcp", "tcp6");
    private static final String LISTENING = "0A";
    private static final int ADDRESS_FIELD = 1;
    private static final int STATE_FIELD = 3;
    private static final int NUMBER_FIELD = 9;
    private static final int HEX_RADIX = 16;

    private TcpListeners()
    {
    }

    /**
     * Looks.
     *
     * @param processId of a process that this one may look at.
     * @return addresses and ports, in the tables' order; empty if the process is gone.
     * @throws IOException if the system refuses.
     */
    static List<InetSocketAddress> of(final long processId) throws IOException
    {
        final Path process = Path.of("/proc", Long.toString(processId));
        final List<InetSocketAddress> addresses = new ArrayList<>();
        try
        {
            final Set<String> own = sockets(process);
            for (final String table : TABLES)
            {
                final Path file = process.resolve("net").resolve(table);
                for (final String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of())
                {
                    final String[] fields = line.trim().split(" +", -1);
                    if (fields.length > NUMBER_FIELD && fields[STATE_FIELD].equals(LISTENING) &&
                        own.contains("socket:[" + fields[NUMBER_FIELD] + "]"))
                    {
                        addresses.add(address(fields[ADDRESS_FIELD]));
                    }
                }
            }
        }
        catch (final NoSuchFileException ex)
        {
            addresses.clear();                          // It has ended.
        }
        return addresses;
    }

    private static Set<String> sockets(final Path process) throws IOException
    {
        final Set<String> targets = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd")))
        {
            for (final Path descriptor : descriptors)
            {
                targets.add(target(descriptor));
            }
        }
        return targets;
    }

    private static String target(final Path descriptor) throws IOException
    {
        try
        {
            return Files.readSymbolicLink(descriptor).toString();
        }
        catch (final NoSuchFileException ex)
        {
            return "";                                  // Closed meanwhile.
        }
    }

    /** Words of four bytes in this machine's order, in hexadecimal digits, and a port. */
    private static InetSocketAddress address(final String field) throws UnknownHostException
    {
        final int colon = field.indexOf(':');
        final byte[] shown = HexFormat.of().parseHex(field.substring(0, colon));
        final ByteBuffer address = ByteBuffer.allocate(shown.length).order(ByteOrder.nativeOrder());
        for (int i = 0; i < shown.length; i += Integer.BYTES)
        {
            address.putInt(ByteBuffer.wrap(shown).getInt(i));
        }
        return new InetSocketAddress(
            InetAddress.getByAddress(address.array()), Integer.parseInt(field.substring(colon + 1), HEX_RADIX));
    }
}
