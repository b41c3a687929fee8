// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jgroups.JChannel;
import org.jgroups.logging.Log;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

final class AgentTcpTest
{
    private static final int CONNECT_TIMEOUT_MS = 60_000;
    private static final int FULL_TIMEOUT_MS = 200;
    private static final int END_TIMEOUT_MS = 60_000;

    @Test
    @Timeout(180)
    void shouldNotWaitForAHostThatDoesNotAnswer() throws Exception
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        final AgentTcp tcp = new AgentTcp();
        tcp.setBindAddr(loopback);
        tcp.setSockConnTimeout(CONNECT_TIMEOUT_MS);
        final List<Socket> queued = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, loopback); JChannel channel = new JChannel(List.of(tcp)))
        {
            fill(silent, queued);
            channel.connect("test");
            final IpAddress address = new IpAddress(loopback, silent.getLocalPort());
            final long beginNs = System.nanoTime();

            for (int i = 0; i < 3; i++)
            {
                tcp.send(address, new byte[8], 0, 8);   // Until its time is up, if it waited.
            }

            assertTrue(System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS));
        }
        finally
        {
            for (final Socket socket : queued)
            {
                socket.close();
            }
        }
    }

    @Test
    @Timeout(180)
    void shouldCloseAConnectionThatIsMadeWhileItStops() throws Exception
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        final AgentTcp tcp = new AgentTcp();
        tcp.setBindAddr(loopback);
        try (ServerSocket other = new ServerSocket(0, 1, loopback))
        {
            new JChannel(List.of(tcp)).connect("test").close();

            tcp.canReach(new IpAddress(loopback, other.getLocalPort()));

            other.setSoTimeout(END_TIMEOUT_MS);
            try (Socket accepted = other.accept())
            {
                accepted.setSoTimeout(END_TIMEOUT_MS);
                assertTrue(accepted.getInputStream().readAllBytes().length > 0);        // Its address, then the end.
            }
        }
    }

    @Test
    void shouldLimitWhatItLogsAndSayHowMuchItLeftOut()
    {
        final List<String> lines = new ArrayList<>();
        final long[] nowNs = {Long.MAX_VALUE - 1};          // It wraps around.
        final Log all = (Log)Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Log.class},
            (proxy, method, arguments) ->
            {
                lines.add(method.getName() + " " + arguments[0]);
                return null;
            });
        final Log limited = AgentTcp.LimitedLog.of(all, () -> nowNs[0]);

        for (int i = 0; i < 100; i++)
        {
            limited.warn("garbage");
            limited.debug("detail");
        }

        assertEquals(AgentTcp.LimitedLog.COUNT_MAX, lines.stream().filter("warn garbage"::equals).count());
        assertEquals(100, lines.stream().filter("debug detail"::equals).count());
        lines.clear();
        nowNs[0] += AgentTcp.LimitedLog.WHILE_NS;
        limited.error("more");
        limited.error("more");
        assertEquals(List.of("warn %d lines like those before were left out", "error more", "error more"), lines);
    }

    /** Until connections are neither refused nor accepted. */
    private static void fill(final ServerSocket silent, final List<Socket> queued) throws Exception
    {
        for (int i = 0; i < 100; i++)
        {
            final Socket socket = new Socket();
            queued.add(socket);
            try
            {
                socket.connect(new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort()), FULL_TIMEOUT_MS);
            }
            catch (final SocketTimeoutException ex)
            {
                return;
            }
        }
        fail("100 connections wait");
    }
}
