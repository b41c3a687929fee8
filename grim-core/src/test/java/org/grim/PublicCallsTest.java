// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.grim.transport.HopClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNAVAILABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Arguments that are none are refused at once, with value and limit, and leave nothing behind. */
final class PublicCallsTest
{
    private final List<String> texts = new ArrayList<>();
    private final Grim grim = Grim.enable(GrimConfig.builder().transports("null").set("grim.channels.count", 3)
        .set("grim.handlers.resolve-timeout", "60s").build());

    @AfterEach
    void leave()
    {
        grim.close();
    }

    @Test
    void shouldRefuseToPollForNothing()
    {
        assertEquals("limit=0 is below 1", refusal(() -> grim.endpoint().poll(0)));
        assertEquals("limit=-1 is below 1", refusal(() -> grim.endpoint().poll(-1)));
        assertEquals("limit=-2147483648 is below 1", refusal(() -> grim.endpoint().poll(Integer.MIN_VALUE)));
    }

    @Test
    void shouldSayWhatIsWrongWithAChannel()
    {
        assertEquals("channel=-1 is outside 0 to 2", refusal(() -> grim.openEndpoint(-1)));
        assertEquals("channel=3 is outside 0 to 2", refusal(() -> grim.openEndpoint(3)));
        assertEquals("channel=0 belongs to another endpoint", refusal(() -> grim.openEndpoint(0)));
        assertEquals("channel=1 is named twice", refusal(() -> grim.openEndpoint(1, 2, 1)));
        assertEquals(1, grim.openEndpoint(1, 2).id().channel());
    }

    @Test
    void shouldRefuseHandlersThatAreNone()
    {
        final HandlerRegistry handlers = grim.handlers();

        assertEquals("handler", assertThrows(NullPointerException.class, () -> handlers.register("a", null))
            .getMessage());
        assertEquals("handler", assertThrows(NullPointerException.class, () -> handlers.registerStream("a", null))
            .getMessage());
        assertEquals("name", assertThrows(NullPointerException.class, () -> handlers.register(null, message ->
        {
            // Never sent to.
        })).getMessage());
        assertEquals("name", assertThrows(NullPointerException.class, () -> handlers.tryResolve(null)).getMessage());
        grim.start();             // None of these names waits for an id.
    }

    @Test
    void shouldRefuseListenersThatAreNoneAndValuesThatNoFileHolds()
    {
        assertThrows(NullPointerException.class, () -> grim.endpoint().onNodeGone(null));
        assertThrows(NullPointerException.class, () -> grim.endpoint().onNodeUp(null));
        assertThrows(NullPointerException.class, () -> grim.endpoint().memory().onRefused(null));
        assertThrows(NullPointerException.class, () -> grim.startPolling(null));
        assertEquals("grim.cluster.directory: a value of type java.util.Optional is no string, number, boolean or " +
            "list of these", refusal(() -> GrimConfig.builder().set("grim.cluster.directory", Optional.empty())));
    }

    @Test
    void shouldSayWhatIsWrongWithAName()
    {
        final HandlerRegistry handlers = grim.handlers();

        assertEquals("handler name= is not 1 to 200 bytes of UTF-8 without control characters: length=0",
            refusal(() -> handlers.resolve("")));
        assertEquals("handler name=a\\u001bb is not 1 to 200 bytes of UTF-8 without control characters: length=3",
            refusal(() -> handlers.tryResolve("a\u001bb")));
        assertEquals("handler name=" + "x".repeat(80) + "... (10000 characters) is not 1 to 200 bytes of UTF-8 " +
            "without control characters: length=10000", refusal(() -> handlers.tryResolve("x".repeat(10_000))));
    }

    @Test
    void shouldSayThatNoModuleOffersAnExtension()
    {
        assertEquals("no module of this node offers java.lang.Runnable: transports=[null], others=[]",
            assertThrows(GrimException.class, () -> grim.extension(Runnable.class)).getMessage());
    }

    @Test
    void shouldNameNoBuiltInHandler()
    {
        for (final int number : new int[]{-1, 0, 1, 5, 10, 15, 65_536})
        {
            assertEquals("handler=" + number + " is outside 16 to 65535", refusal(() -> HandlerId.of(number)));
        }
    }

    @Test
    void shouldSendToNoHandlerBeforeTheClusterKnowsIt()
    {
        final Link link = grim.endpoint().link(grim.node());
        final HandlerId handler = grim.handlers().register("early", message -> texts.add(message.text()));

        assertEquals("handler early has no number yet: the node that registers it has to call Grim.start()",
            assertThrows(IllegalStateException.class, () -> link.send(handler, "too early")).getMessage());
        grim.start();
        assertEquals(SendStatus.SENT, link.send(handler, "gr\u00fcn"));
        assertEquals(handler, grim.handlers().resolve("early"));
        grim.endpoint().poll();
        assertEquals(List.of("gr\u00fcn"), texts);
    }

    @Test
    void shouldRefuseToEndAClaimThatNobodyHas()
    {
        final HandlerId handler = grim.handlers().register("claimed", message -> texts.add(message.text()));
        grim.start();
        final Link link = grim.endpoint().link(grim.node());
        final HopClaim claim = new HopClaim();
        assertEquals(SendStatus.SENT, link.tryClaim(handler, 0, claim));
        claim.publish();
        for (int i = 0; i < 2; i++)
        {
            claim.claimed(null, claim.buffer(), 0, 0, 0, 0);

            assertEquals("no claim on the link to " + link.destination() + " is open",
                assertThrows(IllegalStateException.class, i == 0 ? claim::publish : claim::abort).getMessage());
        }
        assertEquals(SendStatus.SENT, link.tryClaim(handler, 0, claim));
        claim.publish();
        grim.endpoint().poll();
        assertEquals(List.of("", ""), texts);
    }

    @Test
    void shouldAwaitNodesUntilTheyHaveJoinedAndPollMeanwhile()
    {
        final String self = grim.node().name();
        assertEquals("node name=" + self + " did not come within 1 ms: nodes that started=[], up without " +
            "start()=[" + self + "]",
            assertThrows(GrimException.class, () -> grim.awaitNode(self, Duration.ofMillis(1))).getMessage());

        grim.start();

        assertEquals(grim.node().name(), grim.awaitNode(grim.node().name(), Duration.ZERO).name());
        assertEquals(1, grim.awaitNodes(1, Duration.ZERO).size());
        assertTrue(assertThrows(GrimException.class, () -> grim.awaitNode("nobody", Duration.ofMillis(1)))
            .getMessage().startsWith("node name=nobody did not come within 1 ms"));
        assertTrue(assertThrows(GrimException.class, () -> grim.awaitNodes(2, Duration.ofMillis(1)))
            .getMessage().startsWith("a cluster of nodes=2 did not come within 1 ms"));
    }

    @Test
    void shouldTakeAnyDuration()
    {
        grim.start();
        final Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        final Duration shortest = Duration.ofSeconds(Long.MIN_VALUE);

        assertEquals(grim.node().name(), grim.awaitNode(grim.node().name(), longest).name());
        assertEquals(1, grim.awaitNodes(1, shortest).size());
        assertTrue(assertThrows(GrimException.class, () -> grim.awaitNode("nobody", shortest)).getMessage()
            .startsWith("node name=nobody did not come within 0 ms"));
        grim.run(shortest);
        final HandlerId leave = grim.handlers().register("leave", message -> grim.close());
        grim.start();
        grim.endpoint().link(grim.node()).send(leave, 0, 0, 0, 0);
        grim.run(longest);
        assertThrows(IllegalStateException.class, () -> grim.nodes());
    }

    @Test
    void shouldNotCloseAnEndpointWithAnOpenClaimAndCountWhatItCannotSend()
    {
        final Endpoint endpoint = grim.openEndpoint(1);
        final HandlerId fill = grim.handlers().register("fill", message ->
        {
            while (endpoint.overflowDepth() < 3)
            {
                endpoint.link(grim.node()).send(message.handler(), message.buffer(), 0, 0);
            }
        });
        grim.start();
        final Link link = endpoint.link(grim.node());
        final FrameClaim claim = grim.endpoint().newClaim();
        link.tryClaim(fill, 8, claim);

        assertTrue(assertThrows(IllegalStateException.class, endpoint::close).getMessage().startsWith("a claim on "));
        claim.abort();
        grim.endpoint().link(endpoint.id()).send(fill, 0, 0, 0, 0);
        while (endpoint.overflowDepth() < 3)
        {
            endpoint.poll();
        }
        endpoint.close();               // Nobody polls the host's endpoint, so there is no room within two seconds.

        assertEquals(SendStatus.CLOSED, link.send(fill, 0, 0, 0, 0));
        final long[] undelivered = new long[1];
        grim.counters().forEach((value, id, label) ->
            undelivered[0] += label.equals("undelivered channel=1") ? value : 0);
        assertEquals(3, undelivered[0]);
    }

    @Test
    void shouldRegisterNoMemoryOfAClosedEndpoint()
    {
        final Endpoint endpoint = grim.openEndpoint(1);
        final DeviceEndpoint device = grim.openDevice(DeviceSpec.of(NodeInfo.Device.FPGA).onChannels(2, 1));
        for (final Endpoint closed : List.of(endpoint, device))
        {
            final RemoteMemory memory = closed.memory();
            closed.close();

            assertEquals(closed.id() + " is closed",
                assertThrows(IllegalStateException.class, () -> memory.register(64)).getMessage());
            assertThrows(IllegalStateException.class,
                () -> memory.register(Path.of("none"), 0, 4_096, MemoryRegion.Rights.READ));
            assertThrows(IllegalStateException.class, () -> memory.receiveFrames(1, 64));
        }
    }

    @Test
    void shouldTellProgramsTheReason()
    {
        final EndpointId self = grim.node().endpoint();

        assertEquals(NOT_FOUND, reason(() -> grim.locate("nobody")));
        assertEquals(NOT_FOUND, reason(() -> grim.locate(NodeInfo.Device.FPGA)));
        assertEquals(NOT_FOUND, reason(() -> grim.locate(NodeInfo.Device.FPGA, 0)));
        assertEquals(self, grim.locate(NodeInfo.Device.HOST_CPU));
        assertEquals(NO_ROOM, reason(() -> grim.openDevice(DeviceSpec.of(NodeInfo.Device.FPGA).onChannels(-1, 16))));
        assertEquals(NOT_FOUND, reason(() -> grim.endpoint().link(EndpointId.of(4_095, 0, 0))));
        assertEquals(NOT_FOUND, reason(() -> grim.endpoint().sharedLink(self.onChannel(200))));
        assertEquals(TIMED_OUT, reason(() -> grim.awaitNodes(2, Duration.ZERO)));
        assertTrue(assertThrows(IllegalStateException.class, () -> grim.awaitNodes(Duration.ZERO)).getMessage()
            .startsWith("grim.cluster.size is not set"));
        assertEquals(NO_ROOM, reason(() -> grim.endpoint().memory().register(1L << 60)));
        assertEquals(UNAVAILABLE, reason(() -> Grim.enable(GrimConfig.builder().transports("none").build())));
    }

    private static GrimException.Reason reason(final Executable call)
    {
        return assertThrows(GrimException.class, call).reason();
    }

    private static String refusal(final Executable call)
    {
        return assertThrows(IllegalArgumentException.class, call).getMessage();
    }
}
