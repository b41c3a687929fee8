// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.grim.GrimConfig;
import org.grim.faults.Effect;
import org.grim.faults.LinkFaults;
import org.grim.faults.UdpProxy;
import org.grim.transport.HopObserver;
import org.grim.transport.HopReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.aeron.driver.MediaDriver;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** View of hops from outside while their receiver does not poll, and their network loses datagrams. */
@ExtendWith(ProxiedAeronProvider.Networks.class)
@Timeout(180)
final class HopObserverTest extends HopFixture
{
    private UdpProxy proxy;
    private Map<Integer, Integer> incarnations;

    @BeforeEach
    void open()
    {
        join();
        incarnations = Map.of(sender.node().number(), sender.node().incarnation(),
            receiver.node().number(), receiver.node().incarnation());
        proxy = ProxiedAeronProvider.proxyOf(receiver.node().number());
        sendAlone(0);
        await(() -> received.size() == 1);
    }

    @AfterEach
    void close()
    {
        proxy.faults(LinkFaults.NONE, LinkFaults.NONE);
        leave();
        assertEquals(HopReport.NONE, look());
    }

    @Test
    void shouldShowHowFarAHopWasPublishedAndConsumed()
    {
        await(() -> end(look()).consumedPosition() == hop(look()).publishedPosition());

        sendAlone(1);

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
        final AtomicLong lostBefore = new AtomicLong(Long.MAX_VALUE);
        proxy.tap(bytes ->
        {
            if (bytes.length > DataHeaderFlyweight.HEADER_LENGTH && type(bytes) == DataHeaderFlyweight.HDR_TYPE_DATA)
            {
                lostBefore.compareAndSet(Long.MAX_VALUE, proxy.forth(Effect.LOST));
            }
        });
        proxy.faults(LinkFaults.CUT, LinkFaults.CUT);
        sendAlone(1);
        awaitAlone(() -> proxy.forth(Effect.LOST) > lostBefore.get());      // The proxy may run late.
        awaitAlone(() -> hop(look()).sentPosition() == hop(look()).publishedPosition() &&
            hop(look()).sentPosition() > end(look()).highestPosition());
        assertEquals(0, end(look()).gapMs());

        proxy.faults(LinkFaults.NONE, LinkFaults.CUT);          // Requests for missing frames fail.
        sendAlone(2);

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

    private static int type(final byte[] datagram)
    {
        return datagram[HeaderFlyweight.TYPE_FIELD_OFFSET] | datagram[HeaderFlyweight.TYPE_FIELD_OFFSET + 1] << 8;
    }

    private HopReport look()
    {
        return HopObserver.lookAtAll(incarnations, (node, incarnation, kind) ->
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

    @Override
    String state()
    {
        return super.state() + " " + look();
    }

    /** Hops outlive a cut, though the machine is busy for some seconds then. */
    @Override
    MediaDriver.Context driverContext(final String name)
    {
        return super.driverContext(name).publicationConnectionTimeoutNs(PATIENCE_NS)
            .imageLivenessTimeoutNs(PATIENCE_NS);
    }

    @Override
    GrimConfig.Builder config(final String name)
    {
        return AeronSettings.shortTimes(directory, name).transports(ProxiedAeronProvider.NAME)
            .set("grim.cluster.name", "grim").set("grim.aeron.directory", driver.aeronDirectoryName())
            .set("grim.aeron.silence-timeout", "30s");
    }
}
