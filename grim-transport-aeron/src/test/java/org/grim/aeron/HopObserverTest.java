// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.faults.LinkFaults;
import org.grim.faults.UdpProxy;
import org.grim.transport.HopObserver;
import org.grim.transport.HopReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is seen of hops from outside while their receiver does not poll, and their network loses datagrams. */
@ExtendWith(ProxiedAeronProvider.Networks.class)
@Timeout(180)
final class HopObserverTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HopObserverTest.class);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final List<Integer> received = new ArrayList<>();
    @TempDir
    private Path directory;
    private MediaDriver driver;
    private Grim sender;
    private Grim receiver;
    private HandlerId take;
    private UdpProxy proxy;

    @BeforeEach
    void open()
    {
        driver = launch();
        receiver = join("receiver");
        sender = join("sender");
        receiver.handlers().register("take", message -> received.add(message.argument(0)));
        await(() -> sender.handlers().tryResolve("take") != null);
        take = sender.handlers().tryResolve("take");
        proxy = ProxiedAeronProvider.proxyOf(receiver.node().number());
        send(0);
        await(() -> received.size() == 1);
    }

    @AfterEach
    void close()
    {
        proxy.faults(LinkFaults.NONE, LinkFaults.NONE);
        sender.close();
        receiver.close();
        driver.close();
        assertEquals(HopReport.NONE, look());
    }

    @Test
    void shouldShowHowFarAHopWasPublishedAndConsumed()
    {
        await(() -> end(look()).consumedPosition() == hop(look()).publishedPosition());

        send(1);

        awaitAlone(() -> end(look()).completePosition() > end(look()).consumedPosition());
        final HopReport.Outgoing hop = hop(look());
        assertEquals(receiver.node().number(), hop.peer());
        assertEquals(0, hop.channel());
        assertTrue(hop.publishedLimit() > hop.publishedPosition(), hop::toString);
        await(() -> end(look()).consumedPosition() == hop(look()).publishedPosition());
        final HopReport.Driver seen = look().drivers().get(0);
        assertEquals(ProcessHandle.current().pid(), seen.processId());
        assertEquals(List.of(0, 1), seen.nodes());
        assertEquals(List.of(), look().renewals());
    }

    @Test
    void shouldShowWhatIsSentAndDoesNotComeAndSinceWhenAGapIsKnown()
    {
        proxy.faults(LinkFaults.CUT, LinkFaults.CUT);
        send(1);
        awaitAlone(() -> hop(look()).sentPosition() == hop(look()).publishedPosition() &&
            hop(look()).sentPosition() > end(look()).highestPosition());
        assertEquals(0, end(look()).gapMs());

        proxy.faults(LinkFaults.NONE, LinkFaults.CUT);          // What is missing is asked for in vain.
        send(2);

        awaitAlone(() -> end(look()).highestPosition() > end(look()).completePosition() && end(look()).gapMs() > 0);
        proxy.faults(LinkFaults.NONE, LinkFaults.NONE);
        await(() -> received.equals(List.of(0, 1, 2)));
        await(() -> end(look()).gapMs() == 0);
    }

    @Test
    void shouldShowThatAClientBeganAnew()
    {
        driver.close();
        driver = launch();

        awaitAlone(() -> look().renewals().size() == 2);

        final HopReport.Renewal renewal = look().renewals().get(0);
        assertTrue(renewal.agoMs() < TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS), renewal::toString);
        assertTrue(!renewal.why().isEmpty(), renewal::toString);
    }

    private HopReport look()
    {
        return HopObserver.lookAtAll(Map.of(0, 1, 1, 1), (node, incarnation, kind) ->
            directory.resolve("grim").resolve("node-" + node + "-" + incarnation + "." + kind));
    }

    private HopReport.Outgoing hop(final HopReport report)
    {
        return report.outgoing().stream().filter(hop -> hop.node() == sender.node().number()).findFirst()
            .orElseThrow(() -> new AssertionError(report.toString()));
    }

    private HopReport.Incoming end(final HopReport report)
    {
        final long flow = hop(report).flow();
        return report.incoming().stream().filter(end -> end.flow() == flow).findFirst()
            .orElseThrow(() -> new AssertionError(report.toString()));
    }

    private void send(final int sequence)
    {
        awaitAlone(() ->
        {
            try
            {
                return sender.endpoint().link(sender.locate("receiver")).send(take, sequence, 0, 0, 0) ==
                    SendStatus.SENT;
            }
            catch (final GrimException ex)
            {
                assertEquals(GrimException.Reason.UNREACHABLE, ex.reason(), ex::getMessage);
                return false;
            }
        });
    }

    private void await(final BooleanSupplier isSo)
    {
        awaitAlone(() ->
        {
            receiver.poll();
            return isSo.getAsBoolean();
        });
    }

    /** While the receiver's loop does nothing. */
    private void awaitAlone(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "in vain: received=" + received + " " + look());
            sender.poll();
            Uninterrupted.park(100_000);
        }
    }

    private Grim join(final String name)
    {
        return Grim.enable(AeronSettings.shortTimes(directory, name).transports(ProxiedAeronProvider.NAME)
            .set("grim.cluster.name", "grim").set("grim.aeron.directory", driver.aeronDirectoryName())
            .set("grim.aeron.silence-timeout", "10s").build());
    }

    private MediaDriver launch()
    {
        return MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory.resolve("driver").toString()).threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true).dirDeleteOnShutdown(true)
            .errorHandler(ex -> LOGGER.info("driver: {}", ex.toString())));
    }
}
