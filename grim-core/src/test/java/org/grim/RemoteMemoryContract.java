// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The contract of remote memory that every transport keeps. A transport's test extends this class and opens two nodes.
 * The parts above it hold bytes and order, and what is refused; this one holds handlers, the overflow queue, messages
 * beside operations, frees, and peers that go.
 */
@Timeout(180)
public abstract class RemoteMemoryContract extends RemoteRefusalContract
{
    private static final int CHURN_COUNT_MAX = 20;

    @Test
    @Tag(LOCAL)
    void shouldLetHandlersWrite()
    {
        start();
        final int count = 50;
        final MemoryRegion region = near().endpoint().memory().register((count + 1) * FarMemory.SLOT_LENGTH);
        final HandlerId put = resolve(FarMemory.PUT);
        region.remote().writeTo(payload, 0);

        await(() -> link(0).send(put, count, 0, 0, 0, payload, 0, RemoteRegion.LENGTH) == SendStatus.SENT,
            () -> "room");
        await(() -> region.buffer().getIntVolatile(0) == count, () -> "word=" + region.buffer().getInt(0));

        for (int i = 0; i < count; i++)
        {
            assertEquals(-1, FarMemory.firstBad(region.buffer(), (i + 1) * FarMemory.SLOT_LENGTH,
                FarMemory.SLOT_LENGTH, i), "slot=" + i);
        }
        assertEquals("0", far("put-refused"));
    }

    @Test
    void shouldSendFramesInOrderThroughAWindow()
    {
        start();
        final int frameLength = 1_000;
        final int count = 500;
        try (FrameSender frames = openFrames(4, frameLength))
        {
            for (int i = 0; i < count; i++)
            {
                final int length = i % 7 == 0 ? 0 : i * 37 % frameLength + 1;
                Payloads.fill(source, 0, length, i);
                await(() -> frames.send(source, 0, length).isAccepted(), () -> "frames=" + far("frames"));
            }
            await(() -> frames.unreleasedCount() == 1, () -> "the credits: frames=" + far("frames"));

            assertEquals("frames=" + count + " bad=0", far("frames"));
            assertThrows(IllegalArgumentException.class, () -> frames.send(source, 0, frameLength + 1));
        }
    }

    @Test
    @Tag(LOCAL)
    void shouldWaitForCreditsAndPublishSlotsThatWereWrittenInPlace()
    {
        start();
        final int slotCount = 3;
        try (FrameSender frames = openFrames(slotCount, 100))
        {
            assertThrows(IllegalStateException.class, () -> frames.publish(100));
            await(() -> frames.tryAcquire() != null, () -> "the window");
            assertThrows(IllegalStateException.class, () -> frames.send(source, 0, 100));
            far("frames-hold");
            for (int i = 0; i < slotCount; i++)
            {
                final int frame = i;
                final RemoteRegion slot = frames.tryAcquire();
                Payloads.fill(source, 0, 100, i);
                await(() -> near().endpoint().memory().link(slot).write(slot, 0, source, 0, 60).isAccepted(),
                    () -> "room");
                await(() -> near().endpoint().memory().link(slot).write(slot, 60, source, 60, 40).isAccepted(),
                    () -> "room");
                await(() -> frames.publish(100).isAccepted(), () -> "room for frame " + frame);
            }
            settle();

            assertNull(frames.tryAcquire());
            assertEquals(SendStatus.BACK_PRESSURED, frames.send(source, 0, 100));
            assertEquals(slotCount, frames.unreleasedCount());
            far("frames");
            await(() -> frames.unreleasedCount() == 1, () -> "the credits: " + far("frames"));
            assertEquals("frames=3 bad=0", far("frames"));
        }
    }

    @Test
    @Tag(LOCAL)
    void shouldSayThatTheReceiverOfFramesIsGoneAlsoWithoutACredit()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        try (FrameSender frames = openFrames(1, 100))
        {
            await(() -> frames.tryAcquire() != null, () -> "the window");
            far("frames-hold");
            await(() -> frames.publish(100).isAccepted(), () -> "room");
            settle();
            assertEquals(SendStatus.BACK_PRESSURED, frames.send(source, 0, 100));

            awaitFuture(onThreadOfItsOwn(() -> cluster().far("leave")), () -> cluster().pollNear());
            await(() -> frames.send(source, 0, 100) == SendStatus.PEER_GONE, () -> "the news");

            assertEquals(1, frames.unreleasedCount());
        }
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWhatIsNoWindow()
    {
        start();
        final RemoteRegion region = near().endpoint().memory().register(4_096).remote();

        assertThrows(IllegalArgumentException.class, () -> near().endpoint().memory().sendFrames(region, 100));
        assertThrows(IllegalArgumentException.class, () -> near().endpoint().memory().sendFrames(region, 0));
        assertThrows(IllegalArgumentException.class, () -> near().endpoint().memory().receiveFrames(0, 100));
        assertThrows(IllegalArgumentException.class, () -> near().endpoint().memory().receiveFrames(1 << 20, 1 << 20));
        try (FrameReceiver frames = near().endpoint().memory().receiveFrames(2, 100))
        {
            assertFalse(frames.next());
            assertThrows(IllegalStateException.class, frames::release);
        }
    }

    /** The bytes of a header and of a slot that no sender writes. */
    @Test
    void shouldCloseAWindowThatAPeerHasSpoiledAndSayWhyOnce()
    {
        start();
        final RemoteMemory memory = near().endpoint().memory();
        final MemoryRegion other = memory.register(4_096, MemoryRegion.Rights.READ);
        final AtomicBuffer header = Buffers.allocate(64);
        header.putInt(RemoteRegion.LENGTH, 100);
        header.setMemory(0, RemoteRegion.LENGTH, (byte)-1);
        assertSpoiled(header, 0, "a peer names no memory for credits: remote region is corrupt");
        other.remote().slice(0, 32).writeTo(header, 0);
        assertSpoiled(header, 0, "a peer names memory=");
        other.remote().writeTo(header, 0);
        assertSpoiled(header, 0, "a peer names memory=");
        header.putLong(0, 1L << 32 | 101);
        assertSpoiled(header, 64, "frame=0 of a peer has length=101, which is outside 0 to 100");
        header.putLong(0, 1L << 32 | 0x8000_0000L);
        assertSpoiled(header, 64, "frame=0 of a peer has length=-2147483648");
    }

    private void assertSpoiled(final AtomicBuffer bytes, final int offset, final String reason)
    {
        final RemoteMemory memory = near().endpoint().memory();
        final AtomicReference<GrimException> refusal = new AtomicReference<>();
        final FrameReceiver same = memory.receiveFrames(2, 100);
        try (FrameReceiver frames = memory.receiveFrames(2, 100))
        {
            final RemoteLink link = memory.link(frames.remote());
            await(() -> link.write(frames.remote(), offset, bytes, 0, 64).isAccepted(), () -> "room");
            await(() -> link.write(same.remote(), offset, bytes, 0, 64).isAccepted(), () -> "room");
            await(() ->
            {
                try
                {
                    assertFalse(frames.next());
                }
                catch (final GrimException ex)
                {
                    refusal.set(ex);
                }
                return refusal.get() != null;
            }, () -> reason);

            assertEquals(GrimException.Reason.BAD_DATA, refusal.get().reason());
            assertTrue(refusal.get().getMessage().startsWith(reason), refusal.get().getMessage());
            assertEquals(0, frames.buffer().capacity());
            assertTrue(assertThrows(IllegalStateException.class, frames::next).getMessage()
                .startsWith("the frame window was closed: " + reason));
            assertThrows(IllegalStateException.class, frames::release);
        }
        same.close();                           // Does not throw either.
    }

    @Test
    void shouldTakeOneSenderOfFramesOfItsLength()
    {
        start();
        final RemoteRegion window = openWindow(4, 1_000);
        final RemoteMemory memory = near().endpoint().memory();
        try (FrameSender frames = memory.sendFrames(window, 1_000);
            FrameSender second = memory.sendFrames(window, 1_000);
            FrameSender shorter = memory.sendFrames(window, 999))
        {
            await(() -> frames.send(source, 0, 10).isAccepted(), () -> "the window");

            assertTrue(refusal(IllegalStateException.class, second).contains("another sender"));
            assertTrue(refusal(IllegalStateException.class, shorter).contains("another sender"));
            await(() -> frames.send(source, 0, 10).isAccepted(), () -> "room");
        }
        final RemoteRegion other = openWindow(4, 1_000);
        try (FrameSender shorter = memory.sendFrames(other, 999); FrameSender frames = memory.sendFrames(other, 1_000))
        {
            assertTrue(refusal(IllegalArgumentException.class, shorter).contains("have length=1000"));
            await(() -> frames.send(source, 0, 10).isAccepted(), () -> "the window");
        }
    }

    private String refusal(final Class<? extends RuntimeException> expected, final FrameSender frames)
    {
        final AtomicReference<String> text = new AtomicReference<>();
        await(() ->
        {
            try
            {
                assertFalse(frames.send(source, 0, 10).isAccepted());
            }
            catch (final IllegalStateException | IllegalArgumentException ex)
            {
                assertEquals(expected, ex.getClass());
                text.set(ex.getMessage());
            }
            return text.get() != null;
        }, () -> "the refusal");
        return text.get();
    }

    @Test
    void shouldSayThatAFrameWindowIsClosed()
    {
        start();
        try (FrameSender waiting = openFrames(1, 100))
        {
            await(() -> waiting.send(source, 0, 10).isAccepted(), () -> "the window");
            far("frames-close");
            await(() -> waiting.send(source, 0, 10) == SendStatus.CLOSED, () -> "the end of a full window");
            assertNull(waiting.tryAcquire());
        }
        final RemoteRegion window = openWindow(1, 100);
        far("frames-close");
        final FrameSender late = near().endpoint().memory().sendFrames(window, 100);
        await(() -> late.send(source, 0, 10) == SendStatus.CLOSED, () -> "the end of a window that was closed before");
        late.close();
        assertEquals(SendStatus.CLOSED, late.send(source, 0, 10));

        final FrameReceiver own = near().endpoint().memory().receiveFrames(2, 100);
        own.close();
        assertThrows(IllegalStateException.class, own::next);
        assertThrows(IllegalStateException.class, own::release);
    }

    private RemoteRegion openWindow(final int slotCount, final int frameLength)
    {
        final String[] words = far("frames-open " + slotCount + " " + frameLength).split(" ", -1);
        return new RemoteRegion(EndpointId.ofKey(Integer.parseInt(words[0])), Long.parseLong(words[1]),
            Long.parseLong(words[2]), MemoryRegion.Rights.READ_WRITE, false);
    }

    private FrameSender openFrames(final int slotCount, final int frameLength)
    {
        return near().endpoint().memory().sendFrames(openWindow(slotCount, frameLength), frameLength);
    }

    @Test
    @Tag(LOCAL)
    void shouldBeUsableBesideAPollingThread()
    {
        start();
        near().endpoint().releaseOwnership();
        near().startPolling();

        final String refused =
            assertThrows(IllegalStateException.class, () -> near().endpoint().memory().newRead()).getMessage();
        final CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> readBack(near()), near()::execute);

        assertEquals(42, awaitFuture(read, () -> cluster().stepFar()));
        assertTrue(refused.contains("run it there by Grim.execute"), refused);
    }

    /** Reads registered memory of a node by a link to itself. */
    private static int readBack(final Grim grim)
    {
        final MemoryRegion source = grim.endpoint().memory().register(64);
        final MemoryRegion target = grim.endpoint().memory().register(64);
        source.buffer().putInt(0, 42);
        final RemoteMemory.Read read = grim.endpoint().memory().newRead();
        final RemoteLink link = grim.endpoint().memory().link(source.remote());
        boolean isAccepted = false;
        while (!isAccepted || !read.isComplete())
        {
            isAccepted = isAccepted || link.read(source.remote(), 0, target, 0, 64, read).isAccepted();
            grim.endpoint().poll();
        }
        return target.buffer().getInt(0);
    }

    @Test
    @Tag(LOCAL)
    void shouldHaveAHandlersOperationsWaitBehindItsMessages()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointId far = farId(1);
        final FarRegion region = registerFar("a", 8_192, MemoryRegion.Rights.READ_WRITE);
        final MemoryRegion target = near().endpoint().memory().register(64);
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        final int count = moreThanCapacity();
        final List<SendStatus> statuses = new ArrayList<>();
        Payloads.fill(source, 0, 5_000, 9);
        final HandlerId local = registerNear("near.local", message ->
        {
            final RemoteLink remote = near().endpoint().memory().link(1, far);
            for (int i = 0; i < count; i++)
            {
                near().endpoint().link(1, far).send(record, i, crc(8, i), 0, 0, payload, 0, 8);
            }
            statuses.add(remote.write(region.virtual(), 8, source, 0, 5_000, region.word(), 1));
            statuses.add(remote.write(region.physical(), 6_000, source, 0, 100));
            statuses.add(remote.read(region.virtual(), 8, target, 0, 64, read));
            statuses.add(near().endpoint().link(1, far).send(record, count, crc(8, count), 0, 0, payload, 0, 8));
        });
        stopFarIfItIsAPeer();
        sendToSelf(local);
        await(() -> statuses.size() == 4, () -> "the handler");
        final boolean isReadBefore = read.isComplete();
        final String wordBefore = far("word a 0");
        cluster().far("continue");

        awaitHistory(1, count + 1);
        awaitFarWord("a", 0, 1);
        await(read::isComplete, () -> "the read");

        assertEquals(List.of(SendStatus.QUEUED, SendStatus.QUEUED, SendStatus.QUEUED, SendStatus.QUEUED), statuses);
        assertFalse(isReadBefore);
        assertEquals("0", wordBefore);
        assertEquals("-1", far("check a 8 5000 9"));
        assertEquals("-1", far("check a 6000 100 9"));
        assertEquals(-1, FarMemory.firstBad(target.buffer(), 0, 64, 9));
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    void shouldKeepOrderAndBytesBesideLargeTraffic()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final int length = 256 * 1024;
        final FarRegion region = registerFar("a", length, MemoryRegion.Rights.WRITE);
        final AtomicBuffer model = Buffers.allocate(length);
        final Random random = new Random(4);
        final int count = 1_500;
        Payloads.fill(source, 0, length, 6);

        for (int i = 0; i < count; i++)
        {
            final int writeLength = 1 + random.nextInt(20_000);
            final int at = 8 + random.nextInt(length - 8 - writeLength);
            final int from = random.nextInt(length - writeLength);
            final boolean isPhysical = random.nextBoolean();
            await(() -> write(isPhysical, region, at, from, writeLength), () -> "room");
            model.putBytes(at, source, from, writeLength);
            sendNumbered(link(0), record, i, random.nextInt(payloadLengthMax()));
        }
        await(() -> remote(0).write(region.virtual(), 8, model, 8, 4, region.word(), count).isAccepted(),
            () -> "room");
        model.putInt(0, count);

        awaitHistory(0, count);
        awaitFarWord("a", 0, count);
        assertEquals(Payloads.crc(model, 0, length), Integer.parseInt(far("crc a")));
    }

    @Test
    @Tag(LOCAL)
    void shouldZeroPagesThatAreUsedAgainAndReachThemByTheirNewAddressOnly()
    {
        start();
        for (int i = 1; i <= 20; i++)
        {
            final int value = i;
            final FarRegion region = registerFar("a", 3 * 4_096, MemoryRegion.Rights.READ_WRITE);
            source.setMemory(0, 3 * 4_096, (byte)0);
            assertEquals(Payloads.crc(source, 0, 3 * 4_096), Integer.parseInt(far("crc a")), "round=" + i);
            Payloads.fill(source, 0, 12_000, value);
            await(() -> remote(0).write(region.virtual(), 8, source, 0, 12_000, region.word(), value).isAccepted(),
                () -> "room");
            awaitFarWord("a", 0, value);
            far("free a");
        }
    }

    @Test
    void shouldNeverWriteAFreedRegionWhileOperationsAreUnderWay()
    {
        start();
        final String command = isExecutedWithoutTheReceiver() ? "churn" : "churn-polling";
        final int length = 1 << 20;                 // Long enough for a free during a copy.
        final FarRegion mailBox = registerFar("box", 4_096, MemoryRegion.Rights.READ);
        final MemoryRegion target = near().endpoint().memory().register(64);
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        final RemoteLink remote = remote(0);
        final int[] writeCount = new int[1];
        final String refused = "memory-refused " + expected(RemoteRefusal.FREED);
        source.setMemory(0, length, (byte)1);
        final Runnable step = () ->
        {
            if (read.isComplete())
            {
                remote.read(mailBox.virtual(), 0, target, 0, RemoteRegion.LENGTH * 2, read);
            }
            if (isWhole(target, 0) && isWhole(target, RemoteRegion.LENGTH))
            {
                final SendStatus status = remote.write(regionAt(target, 0), 0, source, 0, length);
                writeCount[0] += status.isAccepted() ? 1 : 0;
                if (isPhysicalCheckedByPage())
                {
                    remote.write(regionAt(target, RemoteRegion.LENGTH), 0, source, 0, length);
                }
            }
            near().endpoint().poll();
        };

        // The target waits for writes for a short time only: it goes on until this thread was in time for some.
        for (int i = 0; i < CHURN_COUNT_MAX && (writeCount[0] == 0 || counter(near(), refused) == 0); i++)
        {
            final CompletableFuture<String> churn =
                CompletableFuture.supplyAsync(() -> far(command + " box 100 " + length));
            assertEquals("dirty=0", awaitFuture(churn, step));
        }

        assertTrue(writeCount[0] > 0);
        await(() -> counter(near(), refused) > 0, () -> "a refused write");
    }

    @Test
    void shouldSayPeerGoneInTheMidstOfATransferAndReachTheNextLifeByANewLink()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final FarRegion region = registerFar("a", LARGE_LENGTH, MemoryRegion.Rights.WRITE);
        final RemoteLink old = remote(0);
        Payloads.fill(source, 0, LARGE_LENGTH, 2);
        await(() -> old.write(region.virtual(), 0, source, 0, 1 << 20).isAccepted(),
            () -> "room");

        cluster().far("leave");
        final SendStatus[] gone = new SendStatus[1];
        await(() -> (gone[0] = old.write(region.virtual(), 0, source, 0, 1 << 20)) ==
            SendStatus.PEER_GONE, () -> "status=" + gone[0]);
        final SendStatus blocking = old.writeBlocking(region.virtual(), 0, source, 0, 1 << 20, null, 0,
            new SteppingIdle(cluster()));
        cluster().far("join");
        final FarRegion next = registerFar("a", LARGE_LENGTH, MemoryRegion.Rights.WRITE);
        await(() -> remote(0).write(next.virtual(), 8, source, 0, 1 << 20, next.word(), 3).isAccepted(),
            () -> "room");

        awaitFarWord("a", 0, 3);
        assertEquals(SendStatus.PEER_GONE, blocking);
        assertEquals(SendStatus.PEER_GONE, old.write(next.virtual(), 0, source, 0, 8));
        assertEquals("-1", far("check a 8 " + (1 << 20) + " 2"));
    }

    @Test
    void shouldEndAReadWhosePeerGoes()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointId far = farId(0);
        final FarRegion region = registerFar("a", 4_096, MemoryRegion.Rights.READ);
        final MemoryRegion target = near().endpoint().memory().register(64);
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        final RemoteLink remote = remote(0);
        final List<RemoteRefusal> reported = new ArrayList<>();
        near().endpoint().memory().onRefused((destination, remoteAddress, length, reason) -> reported.add(reason));
        final SendStatus[] status = new SendStatus[1];
        final HandlerId local = registerNear("near.local", message ->
        {
            for (int i = 0; i < smallCapacity() * 2; i++)
            {
                near().endpoint().link(far).send(record, i, crc(8, i), 0, 0, payload, 0, 8);
            }
            status[0] = remote.read(region.virtual(), 0, target, 0, 64, read);
        });
        cluster().far("stop");
        sendToSelf(local);
        await(() -> status[0] != null, () -> "the handler");
        final boolean isCompleteBefore = read.isComplete();

        cluster().far("leave");
        await(read::isComplete, () -> "the end of the read");
        await(() -> !reported.isEmpty(), () -> "the refusal");

        assertEquals(SendStatus.QUEUED, status[0]);
        assertFalse(isCompleteBefore);
        assertEquals(RemoteRefusal.PEER_GONE, read.refusal());
        assertEquals(List.of(RemoteRefusal.PEER_GONE), reported);
        assertEquals(SendStatus.PEER_GONE, remote.read(region.virtual(), 0, target, 0, 64, read));
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    @Tag(LOCAL)
    void shouldSayClosedAfterThisNodeLeft()
    {
        start();
        final FarRegion region = registerFar("a", 4_096, MemoryRegion.Rights.READ_WRITE);
        final RemoteLink remote = remote(0);
        final MemoryRegion target = near().endpoint().memory().register(64);
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        await(() -> remote.read(region.virtual(), 0, target, 0, 8, read).isAccepted(), () -> "room");

        near().close();

        assertEquals(SendStatus.CLOSED, remote.write(region.virtual(), 0, source, 0, 8));
        assertTrue(read.isComplete());
    }

    /** Whether the first region that was written there can be seen with its flags, which are its last bytes. */
    private static boolean isWhole(final MemoryRegion target, final int offset)
    {
        return target.buffer().getLong(offset) != 0 &&
            target.buffer().getInt(offset + RemoteRegion.LENGTH - Integer.BYTES) != 0;
    }

    private static RemoteRegion regionAt(final MemoryRegion target, final int offset)
    {
        return RemoteRegion.readFrom(target.buffer(), offset, RemoteRegion.LENGTH);
    }

    /** Whether operations take effect although the receiver does nothing but its own work. */
    protected boolean isExecutedWithoutTheReceiver()
    {
        return isDeliveredWithoutTheReceiver();
    }

    /** The only node of a cluster has to go on polling. */
    private void stopFarIfItIsAPeer()
    {
        if (cluster().hasPeer())
        {
            cluster().far("stop");
        }
    }
}
