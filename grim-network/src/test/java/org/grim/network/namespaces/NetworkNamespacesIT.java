// SPDX-License-Identifier: Apache-2.0
package org.grim.network.namespaces;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.buffer.Uninterrupted;
import org.grim.death.PeerJvm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Datagrams between hosts that are network namespaces; where the machine permits those. */
@Tag("process")
@Timeout(180)
final class NetworkNamespacesIT
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int TRY_COUNT = 20;

    @TempDir
    private Path logs;

    @BeforeAll
    static void requirePermission()
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
    }

    @Test
    void shouldCutAndHealCablesAndDirections() throws IOException
    {
        try (NetworkNamespaces hosts = new NetworkNamespaces(3);
            Host one = new Host(hosts, 0);
            Host two = new Host(hosts, 1);
            Host three = new Host(hosts, 2))
        {
            one.assertReaches(two);
            two.assertReaches(three);
            three.assertReaches(one);

            hosts.cut(0);
            one.assertDoesNotReach(two);
            two.assertDoesNotReach(one);
            two.assertReaches(three);
            hosts.heal(0);
            one.assertReaches(two);
            two.assertReaches(one);

            hosts.cutOneWay(0, 1);
            one.assertDoesNotReach(two);
            two.assertReaches(one);
            one.assertReaches(three);
            hosts.healOneWay(0, 1);
            one.assertReaches(two);
        }
    }

    @Test
    void shouldRemoveEverythingAndEndWhatRunsThere() throws IOException
    {
        final Host left;
        final String name;
        try (NetworkNamespaces hosts = new NetworkNamespaces(1))
        {
            left = new Host(hosts, 0);
            name = hosts.on(0, List.of()).get(3);
            assertTrue(Files.exists(Path.of("/run/netns", name)));
        }

        assertTrue(left.jvm.hasEnded(TimeUnit.SECONDS.toNanos(60)));
        assertFalse(Files.exists(Path.of("/run/netns", name)));
    }

    @Test
    void shouldReachAHostAgainThatLostItsPower() throws IOException
    {
        try (NetworkNamespaces hosts = new NetworkNamespaces(2); Host one = new Host(hosts, 0))
        {
            final Host before = new Host(hosts, 1);
            one.assertReaches(before);

            hosts.losePower(1);
            assertTrue(before.jvm.hasEnded(PATIENCE_NS));
            hosts.restorePower(1);

            try (Host after = new Host(hosts, 1))
            {
                one.assertReaches(after);
                after.assertReaches(one);
            }
        }
    }

    @Test
    void shouldSayWhatIsWrong()
    {
        try (NetworkNamespaces hosts = new NetworkNamespaces(1))
        {
            assertEquals("host=1 is not 0 to 0",
                assertThrows(IllegalArgumentException.class, () -> hosts.cut(1)).getMessage());
            final String text = assertThrows(IllegalStateException.class, () -> hosts.healOneWay(0, 0)).getMessage();
            assertTrue(text.startsWith("ip -n grim-") && text.contains(" neigh del "), text);
        }
    }

    /** A process on a host that sends datagrams, and says what arrived. */
    private final class Host implements AutoCloseable
    {
        private final PeerJvm jvm;
        private final String address;
        private int count;

        Host(final NetworkNamespaces hosts, final int host) throws IOException
        {
            address = hosts.address(host);
            jvm = new PeerJvm(logs.resolve(host + ".log"), List.of(), command -> hosts.on(host, command),
                DatagramMain.class, address);
            assertEquals("ready", line());
        }

        void assertReaches(final Host other) throws IOException
        {
            final long deadlineNs = System.nanoTime() + PATIENCE_NS;
            final String text = nextText();
            while (!isSent(other, text))
            {
                assertTrue(System.nanoTime() - deadlineNs < 0, () -> address + " does not reach " + other.address);
            }
        }

        void assertDoesNotReach(final Host other) throws IOException
        {
            final String text = nextText();
            for (int i = 0; i < TRY_COUNT; i++)
            {
                assertFalse(isSent(other, text), () -> address + " reaches " + other.address);
            }
        }

        @Override
        public void close()
        {
            jvm.close();
        }

        private boolean isSent(final Host other, final String text) throws IOException
        {
            jvm.tell("send " + other.address + " " + text);
            assertTrue(line().startsWith("sent"));
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(10));
            other.jvm.tell("has " + text);
            return Boolean.parseBoolean(other.line());
        }

        private String nextText()
        {
            return address + "-" + count++;
        }

        private String line() throws IOException
        {
            return jvm.process().inputReader(StandardCharsets.UTF_8).readLine();
        }
    }
}
