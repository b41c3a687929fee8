// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.agrona.CloseHelper;
import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The place of MPJ Express' daemons for two processes of its device {@code niodev}: each says its ports, and learns
 * those of both.
 * <p>Thread: one of its own that waits; ends when this is closed. Owns: the socket.
 */
final class MpjExpress implements AutoCloseable
{
    private static final int SIZE = 2;

    private final ServerSocket server;

    private MpjExpress(final ServerSocket server)
    {
        this.server = server;
    }

    static MpjExpress start()
    {
        try
        {
            final MpjExpress result = new MpjExpress(new ServerSocket(0, SIZE, InetAddress.getLoopbackAddress()));
            final Thread thread = new Thread(result::introduce, "grim-bench-mpj");
            thread.setDaemon(true);
            thread.start();
            return result;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "no socket for MPJ Express: " + ex.getMessage(), ex);
        }
    }

    /** The arguments of a process, before its own. */
    List<String> arguments(final int rank)
    {
        return List.of(Integer.toString(rank), "#Number of Processes;" + SIZE +
            ";#Protocol Switch Limit;131072;#Server Name;127.0.0.1;#Server Port;" + server.getLocalPort(), "niodev");
    }

    private void introduce()
    {
        final List<Socket> sockets = new ArrayList<>();
        final List<String> peers = new ArrayList<>();
        try
        {
            for (int i = 0; i < SIZE; i++)
            {
                final Socket socket = server.accept();
                sockets.add(socket);
                final DataInputStream input = new DataInputStream(socket.getInputStream());
                input.readUTF();                    // The host's name.
                final int writePort = input.readInt();
                final int readPort = input.readInt();
                peers.add(input.readInt() + "@" + readPort + "@" + writePort);
            }
            final String all = "#Peer Information;" + peers.stream().sorted().map(peer ->
                "127.0.0.1" + peer.substring(1) + "@" + peer.charAt(0)).collect(Collectors.joining(";"));
            for (final Socket socket : sockets)
            {
                new DataOutputStream(socket.getOutputStream()).writeUTF(all);
            }
        }
        catch (final IOException ex)
        {
            if (!server.isClosed())
            {
                throw new GrimException(SYSTEM_REFUSED, "MPJ Express' processes do not meet: " + ex.getMessage(), ex);
            }
        }
        finally
        {
            CloseHelper.closeAll(sockets);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(server);
    }
}
