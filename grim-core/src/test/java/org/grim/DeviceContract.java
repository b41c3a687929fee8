// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.OwnFiles;
import org.grim.large.OutgoingStream;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Devices as endpoints: what they send carries their names, messages for others are refused, they are found by kind and
 * state, they pause channels, own memory, and their end is noticed. The far node has the devices.
 */
abstract class DeviceContract extends KeepContract
{
    private static final NodeInfo.Device STORAGE = NodeInfo.Device.STORAGE;
    private static final NodeInfo.Device FPGA = NodeInfo.Device.FPGA;

    @Test
    void shouldSendAsTheDeviceAndGetTheReplies()
    {
        start();
        final EndpointId device = openFarDevice("store storage 2 2");
        final List<EndpointId> sources = new ArrayList<>();
        final HandlerId record = resolve(FarDevices.RECORD);
        final HandlerId answered = registerNear("near.answered", message ->
        {
            sources.add(message.source());
            message.reply(record, sources.size() - 1, crc(8, 3), 0, 0, payload, 0, 8);
        });
        final HandlerId echo = resolve(FarDevices.ECHO);

        await(() -> deviceLink(device.onChannel(3)).send(echo, answered.number(), 0, 0, 0) == SendStatus.SENT,
            () -> "room");
        await(() -> sources.size() == 1, () -> "the echo");
        await(() -> cluster().far("device send store " + near().node().endpoint().key() + " " + answered.number())
            .equals("SENT"), () -> "room");
        await(() -> sources.size() == 2, () -> "its own message");

        assertEquals(List.of(device.onChannel(3), device), sources);
        await(() -> "1".equals(cluster().far("received 3")) && "1".equals(cluster().far("received 2")),
            () -> "the replies");
        assertEquals("0", cluster().far("received 0"));
        assertEquals(EndpointId.of(farId(0).node(), 1, 2), device);
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWhatIsForAnotherThanTheOwnerOfTheChannel()
    {
        start();
        final EndpointId device = openFarDevice("store storage 2 1");
        final HandlerId record = resolve(FarDevices.RECORD);
        final Link toDevice = deviceLink(device);
        final Link toHost = near().endpoint().link(farId(2));

        send(toHost, record);
        await(() -> "1".equals(cluster().far("counter rejected WRONG_CHANNEL")), () -> "a refusal by the device");
        cluster().far("device close store");
        cluster().far("device endpoint 2");
        send(toDevice, record);
        await(() -> "2".equals(cluster().far("counter rejected WRONG_CHANNEL")), () -> "a refusal by the host");

        assertEquals("0", cluster().far("received 2"));
        cluster().far("device open other fpga 3 1");
        final String text = assertThrows(GrimException.class, () ->
            near().endpoint().link(1, device)).getMessage();
        assertTrue(text.endsWith("has device=1 on channel=3 and 0 behind it, not on channel=2"), text);
    }

    @Test
    @Tag(LOCAL)
    void shouldRunTheHandlersOfTheDeviceOnly()
    {
        start();
        final EndpointId device = openFarDevice("store storage 2 1");
        final HandlerId hosts = resolve(FarNode.RECORD);
        final HandlerId own = resolve(FarDevices.RECORD);

        for (int i = 0; i < 10; i++)
        {
            sendNumbered(deviceLink(device), hosts, i, 8);
            sendNumbered(link(0), hosts, i, 8);
            sendNumbered(deviceLink(device), own, i, 8);
        }
        sendNumbered(link(0), own, 0, 8);

        awaitHistory(0, 10);
        awaitHistory(2, 10);
        await(() -> "1".equals(cluster().far("counter rejected UNKNOWN_HANDLER")), () -> "a refusal by the host");
        assertEquals("10", cluster().far("counter rejected NO_DEVICE_HANDLER"));
    }

    @Test
    void shouldFindDevicesThatAreUpAndListAll()
    {
        start();
        final int far = farId(0).node();
        final EndpointId store = openFarDevice("store storage 3 1");

        assertEquals("device kind=storage is unknown: no live node has one that is up", unknown());
        assertEquals(List.of(new DeviceInfo(store, STORAGE, DeviceInfo.State.STARTING, 1)), near().devices(STORAGE));
        assertEquals("UP", cluster().far("device state store UP"));
        assertEquals(store, near().locate(STORAGE));
        assertEquals(store, near().locate(STORAGE, far));
        final EndpointId second = openFarDevice("second storage -1 1");
        assertEquals(EndpointId.of(far, 2, 2), second);
        cluster().far("device state second UP");
        assertEquals(2, near().devices(STORAGE).size());
        assertEquals("FAILED", cluster().far("device state store FAILED"));
        assertEquals(second, near().locate(STORAGE));
        cluster().far("device close second");
        assertEquals(1, near().devices(STORAGE).size());
        assertEquals("device kind=storage is unknown on node=" + far + ", or not up",
            assertThrows(GrimException.class, () -> near().locate(STORAGE, far)).getMessage());
        assertEquals(second, openFarDevice("again storage -1 1"));
        assertEquals(EndpointId.of(0, 0, 0), near().locate(NodeInfo.Device.HOST_CPU));
    }

    @Test
    void shouldHoldUpAPausedChannelOnly()
    {
        start();
        final EndpointId device = openFarDevice("store storage 2 2");
        final HandlerId record = resolve(FarDevices.RECORD);
        final Link paused = deviceLink(device);
        final Link other = near().endpoint().link(1, device.onChannel(3));     // Behind boards a channel is one queue.
        cluster().far("device pause store 2");

        int count = fillFully(paused, record, 8);
        for (int i = 0; i < 2 * SLOT_COUNT; i++)
        {
            sendNumbered(other, record, i, 8);
        }
        awaitHistory(3, 2 * SLOT_COUNT);
        count += fill(paused, record, count, 8);       // Refused in the end; a late thread may have made room before.
        assertEquals("0", cluster().far("received 2"));
        cluster().far("device resume store 2");

        awaitHistory(2, count);
        sendNumbered(paused, record, count, 8);
        awaitHistory(2, count + 1);
    }

    @Test
    @Tag(LOCAL)
    void shouldLeaveTheNextMessageWhereAHandlerPausesItsChannel()
    {
        start();
        final EndpointId device = openFarDevice("store storage 2 1");
        final HandlerId record = resolve(FarDevices.RECORD);
        cluster().far("device pause-after store 5");

        for (int i = 0; i < 20; i++)
        {
            sendNumbered(deviceLink(device), record, i, 8);
        }
        awaitHistory(2, 5);
        settle();

        assertEquals("5", cluster().far("received 2"));
        cluster().far("device resume store 2");
        awaitHistory(2, 20);
    }

    @Test
    void shouldSayThatADeviceIsGoneAndReachTheNextOne()
    {
        start("grim.liveness.interval", "1ms");
        final EndpointId device = openFarDevice("store storage 2 1");
        final HandlerId record = resolve(FarDevices.RECORD);
        final AtomicLong lost = new AtomicLong();
        near().endpoint().onNodeGone(new Endpoint.NodeGoneListener()
        {
            @Override
            public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
            {
                throw new IllegalStateException("the node is up");
            }

            @Override
            public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
            {
                lost.addAndGet(undelivered + unknown);
            }
        });
        final Link link = deviceLink(device);
        final SharedLink shared = near().endpoint().sharedLink(device);
        sendNumbered(link, record, 0, 8);
        await(() -> shared.send(record, 1, crc(8, 1), 0, 0, payload, 0, 8) == SendStatus.SENT, () -> "room");
        await(() -> "2".equals(cluster().far("received 2")), () -> "two messages");
        cluster().far("device pause store 2");
        sendNumbered(link, record, 2, 8);
        sendNumbered(link, record, 3, 8);
        settle();

        cluster().far("device close store");
        await(() -> link.send(record, payload, 0, 0) == SendStatus.PEER_GONE &&
            shared.send(record, payload, 0, 0) == SendStatus.PEER_GONE, () -> "the end");

        if (unknownCountMax() == 0)
        {
            await(() -> lost.get() >= 2, () -> "losses, lost=" + lost);
        }
        assertEquals(SendStatus.PEER_GONE, link.tryClaim(record, 8, new HopClaim()));
        assertEquals(SendStatus.PEER_GONE, link.tryOpenStream(record, 0, 0, 0, 0, 8, new OutgoingStream()));
        assertTrue(assertThrows(GrimException.class, () -> near().endpoint().link(1, device)).getMessage()
            .endsWith("has no device=1"));
        assertEquals(EndpointId.of(device.node(), 1, 3), openFarDevice("next storage 3 1"));
        sendNumbered(near().endpoint().link(1, EndpointId.of(device.node(), 1, 3)), record, 0, 8);
        awaitHistory(3, 1);
        shared.close();
    }

    @Test
    void shouldOwnTheMemoryThatItRegisters()
    {
        start();
        final EndpointId device = openFarDevice("store storage 2 1");
        final RemoteRegion region = FarDevices.region(cluster().far("device region store 64"));
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        final MemoryRegion target = near().endpoint().memory().register(64);
        final AtomicInteger refusedCount = new AtomicInteger();
        near().endpoint().memory().onRefused((where, address, length, reason) -> refusedCount.incrementAndGet());
        final RemoteLink link = near().endpoint().memory().link(region);
        payload.putLong(0, 0x0123_4567_89AB_CDEFL);

        await(() -> link.write(region, 8, payload, 0, 8).isAccepted(), () -> "a write");
        await(() -> link.read(region, 0, target, 0, 64, read).isAccepted(), () -> "a read");
        await(read::isComplete, () -> "its bytes");

        assertEquals(device, region.endpoint());
        assertEquals(device, link.destination());
        assertEquals(0x0123_4567_89AB_CDEFL, target.buffer().getLong(8));
        cluster().far("device close store");
        final RemoteLink host = near().endpoint().memory().link(farId(0));
        await(() -> host.write(region, 8, payload, 0, 8).isAccepted(), () -> "a late write");
        await(() -> refusedCount.get() == 1, () -> "its refusal");
    }

    @Test
    void shouldRegisterAFileThatTheLibraryDidNotMake(@TempDir final Path directory) throws IOException
    {
        start();
        openFarDevice("store storage 2 1");
        final Path file = directory.resolve("frames");
        OwnFiles.makeFile(file);
        Files.write(file, new byte[16_384]);
        final String answer = cluster().far("device region-of-file store " + file);
        assumeFalse(answer.startsWith(GrimException.Reason.UNAVAILABLE.toString()), answer);
        assertFalse(answer.contains("_"), answer);
        final RemoteRegion region = FarDevices.region(answer);
        final RemoteLink link = near().endpoint().memory().link(region);
        payload.putLong(0, 0x0123_4567_89AB_CDEFL);

        await(() -> link.write(region, 8_184, payload, 0, 8).isAccepted(), () -> "a write");
        await(() -> byteAt(file, 4_096 + 8_191) == payload.getByte(7), () -> "its bytes");

        assertEquals(8_192, region.length());
        cluster().far("device close store");
        assertEquals(16_384, Files.size(file));
        assertEquals(payload.getByte(0), byteAt(file, 4_096 + 8_184));
    }

    @Test
    void shouldLoseItsDevicesWithTheNode()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        final EndpointId device = openFarDevice("store storage 2 1");
        final HandlerId record = resolve(FarDevices.RECORD);
        final Link link = deviceLink(device);
        final AtomicBoolean isGone = new AtomicBoolean();
        near().endpoint().onNodeGone((node, undelivered, unknown) -> isGone.set(true));
        sendNumbered(link, record, 0, 8);
        awaitHistory(2, 1);

        if (!cluster().tryKillFar())
        {
            cluster().far("leave");
            cluster().far("join");
        }
        await(isGone::get, () -> "the end of the node");

        assertEquals(SendStatus.PEER_GONE, link.send(record, payload, 0, 0));
        assertEquals(List.of(), near().devices(STORAGE));
    }

    /** The device has a thread of its own, the host endpoint of the same node another one. */
    @Test
    @Tag(LOCAL)
    void shouldRunBesideItsHost()
    {
        start();
        final int count = 5_000;
        final int far = farId(0).key();
        final HandlerId record = resolve(FarNode.RECORD);
        final AtomicInteger handledCount = new AtomicInteger();
        final AtomicInteger hostCount = new AtomicInteger();
        final DeviceEndpoint device = near().openDevice(DeviceSpec.of(FPGA).onChannels(2, 2));
        final HandlerId host = registerNear("near.host", message -> hostCount.incrementAndGet());
        device.handlers().register("near.device", message ->
        {
            handledCount.incrementAndGet();
            message.reply(host, 0, 0, 0, 0, null, 0, 0);
        });
        final HandlerId own = resolve("near.device");
        final AtomicBuffer bytes = Buffers.allocate(8);

        final CompletableFuture<Void> work = onThreadOfItsOwn(() ->
        {
            int sentCount = 0;
            while (sentCount < count || handledCount.get() < count)
            {
                final SendStatus status = sentCount == count ? SendStatus.BACK_PRESSURED :
                    device.link(EndpointId.ofKey(far)).send(record, sentCount,
                        Payloads.crc(bytes, 0, 8), 0, 0, bytes, 0, 8);
                sentCount += status == SendStatus.SENT ? 1 : 0;
                device.poll();
            }
            device.close();
        });
        final Link toDevice = near().endpoint().link(device.id());
        final AtomicInteger sentToDevice = new AtomicInteger();
        await(() ->
        {
            if (sentToDevice.get() < count && toDevice.send(own, 0, 0, 0, 0) == SendStatus.SENT)
            {
                sentToDevice.incrementAndGet();
            }
            return work.isDone();
        }, () -> "handled=" + handledCount + " sent=" + sentToDevice);

        awaitFuture(work, () -> near().endpoint().poll());
        awaitHistory(0, count);
        await(() -> hostCount.get() == count, () -> "the answers");
        assertEquals(List.of(), near().devices(FPGA));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWhatADeviceCannotBe()
    {
        start();
        final DeviceEndpoint device = near().openDevice(DeviceSpec.of(FPGA).onChannels(2, 1));

        assertThrows(IllegalArgumentException.class, () -> DeviceSpec.of(NodeInfo.Device.HOST_CPU));
        assertThrows(IllegalArgumentException.class, () -> DeviceSpec.of(FPGA).onChannels(0, 17));
        assertThrows(IllegalArgumentException.class, () -> near().openDevice(DeviceSpec.of(FPGA).onChannels(0, 1)));
        assertThrows(IllegalArgumentException.class, () -> near().openDevice(DeviceSpec.of(FPGA).onChannels(3, 2)));
        assertThrows(GrimException.class, () -> near().openDevice(DeviceSpec.of(FPGA).onChannels(-1, 2)));
        assertThrows(IllegalArgumentException.class, () -> near().openEndpoint(2));
        assertThrows(IllegalArgumentException.class, () -> device.pause(3));
        assertThrows(IllegalArgumentException.class, () -> device.resume(0));
        assertThrows(IllegalArgumentException.class, () -> device.state(DeviceInfo.State.GONE));
        device.close();
        assertEquals(DeviceInfo.State.GONE, device.info().state());
        for (final Runnable late : List.<Runnable>of(() -> device.pause(2), () -> device.resume(2),
            () -> device.state(DeviceInfo.State.UP)))
        {
            assertThrows(IllegalStateException.class, late::run);
        }
        near().openEndpoint(2).close();
    }

    private static byte byteAt(final Path file, final int index)
    {
        try
        {
            return Files.readAllBytes(file)[index];
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private Link deviceLink(final EndpointId device)
    {
        return near().endpoint().link(device);
    }

    private void send(final Link link, final HandlerId handler)
    {
        await(() -> link.send(handler, 0, 0, 0, 0) == SendStatus.SENT, () -> "room");
    }

    private String unknown()
    {
        return assertThrows(GrimException.class, () -> near().locate(STORAGE)).getMessage();
    }
}
