// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Errors at the start are reported; nothing is left behind, then or at the end. */
@Timeout(180)
final class AeronSetUpTest
{
    private static final long LOST_NS = TimeUnit.SECONDS.toNanos(5);

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldNameAPortThatIsInUse() throws IOException
    {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final String endpoint = "127.0.0.1:" + taken.getLocalPort();

            final GrimException ex = assertThrows(GrimException.class,
                () -> Grim.enable(config("one").set("grim.aeron.bind", endpoint).build()));

            assertEquals(GrimException.Reason.SYSTEM_REFUSED, ex.reason());
            assertTrue(ex.getMessage().contains(endpoint) && ex.getMessage().contains("in use"), ex.getMessage());
        }
        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    void shouldNameADriverThatDoesNotAnswer()
    {
        final String nowhere = directory.resolve("nowhere").toString();

        final GrimException ex = assertThrows(GrimException.class, () -> Grim.enable(
            config("one").set("grim.aeron.directory", nowhere).set("grim.aeron.silence-timeout", "1s").build()));

        assertEquals(GrimException.Reason.SYSTEM_REFUSED, ex.reason());
        assertTrue(ex.getMessage().startsWith("media driver in " + nowhere + " does not answer"), ex.getMessage());
        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    void shouldLeaveNothingBehindWhenNodesLeaveInAnyOrder()
    {
        final Grim one = Grim.enable(config("one").build());
        final Grim two = Grim.enable(config("two").build());
        one.close();
        final Grim three = Grim.enable(config("three").build());
        exchange(two, three);
        three.close();
        two.close();

        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1s", "10m"})
    void shouldStartItsDriverWithEachTimeOfSilence(final String timeout)
    {
        try (Grim one = Grim.enable(config("one").set("grim.aeron.silence-timeout", timeout).build());
            Grim two = Grim.enable(config("two").set("grim.aeron.silence-timeout", timeout).build()))
        {
            exchange(one, two);
        }

        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    void shouldStartAnotherDriverWhenAThreadOfTheFirstHasEnded()
    {
        try (Grim one = Grim.enable(config("one").build()); Grim two = Grim.enable(config("two").build()))
        {
            exchange(one, two);
            final Thread driver = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("driver-conductor")).findFirst().orElseThrow();

            driver.interrupt();             // Ends Agrona's runner of agents, as an Error in one of them does.
            Uninterrupted.join(driver);

            sendUntilOneArrives(one, two);
        }

        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    void shouldWarmUp()
    {
        Grim.enable(config("one").set("grim.warm-up", "200ms").build()).close();

        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    void shouldWarnOfAnAddressThatOthersReachUnlessThereIsAKey() throws IOException
    {
        final Optional<InetAddress> address = NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses).filter(each -> each instanceof Inet4Address)
            .filter(each -> !each.isLoopbackAddress()).findFirst();
        assumeTrue(address.isPresent(), "this machine has no address but loopback");
        final String endpoint = address.orElseThrow().getHostAddress() + ":0";
        final Path key = AeronSettings.keyFile(directory, "cluster.key", 1);

        final String open = logOf(config("open").set("grim.aeron.bind", endpoint));
        final String sealed = logOf(
            config("sealed").set("grim.aeron.bind", endpoint).set("grim.network.key-file", key.toString()));

        assertTrue(open.contains("WARN org.grim.aeron.AeronTransport - transport=aeron receives at "), open);
        assertFalse(sealed.contains("receives at "), sealed);
    }

    /** {@return what is logged when a node joins and leaves} */
    private static String logOf(final GrimConfig.Builder config)
    {
        final PrintStream standardError = System.err;
        final ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, UTF_8));
        try
        {
            Grim.enable(config.build()).close();
        }
        finally
        {
            System.setErr(standardError);
        }
        return log.toString(UTF_8);
    }

    /** A busy machine may be silent for so long that the message is lost: then another one is sent. */
    private static void exchange(final Grim from, final Grim to)
    {
        final int[] count = new int[1];
        to.handlers().register("count", message -> count[0]++);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        long sentNs = 0;
        while (count[0] == 0)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "nothing came");
            from.endpoint().poll();
            to.endpoint().poll();
            Uninterrupted.park(100_000);
            final HandlerId id = from.handlers().tryResolve("count");
            final boolean isDue = sentNs == 0 || System.nanoTime() - sentNs > LOST_NS;
            if (isDue && id != null && to.handlers().tryResolve("count") != null && trySend(from, to, id))
            {
                sentNs = System.nanoTime();
            }
        }
    }

    private static boolean trySend(final Grim from, final Grim to, final HandlerId id)
    {
        try
        {
            return from.endpoint().link(to.node().endpoint()).send(id, 0, 0, 0, 0) == SendStatus.SENT;
        }
        catch (final GrimException ex)
        {
            assertEquals(GrimException.Reason.UNREACHABLE, ex.reason());
            return false;                   // There is no driver at this moment.
        }
    }

    /** Messages in the first driver are lost, and links find no driver for a while. */
    private static void sendUntilOneArrives(final Grim from, final Grim to)
    {
        final int[] count = new int[1];
        final HandlerId id = to.handlers().register("count", message -> count[0]++);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count[0] == 0)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "nothing came");
            trySend(from, to, id);
            from.endpoint().poll();
            to.endpoint().poll();
            Uninterrupted.park(1_000_000);
        }
    }

    private GrimConfig.Builder config(final String name)
    {
        return AeronSettings.shortTimes(directory, name);
    }
}
