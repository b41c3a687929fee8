// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.node.ScriptedEndpoint;
import org.grim.node.ScriptedTransport;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.grim.node.ScriptedTransport.FAR;
import static org.grim.node.ScriptedTransport.FAR_ADDRESS;
import static org.grim.node.ScriptedTransport.FAR_PHYSICAL;
import static org.grim.node.ScriptedTransport.PHYSICAL_WORD;
import static org.grim.node.ScriptedTransport.WORD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Answers of a remote link to its caller: refusals at the next poll, and mistakes at once. */
final class RemoteLinkAnswersTest
{
    private final ScriptedEndpoint own = new ScriptedEndpoint("1MiB");
    private final AtomicBuffer source = Buffers.allocate(8_192);

    @Test
    void shouldTellRefusalsAtTheNextPollAndSurviveAListenerThatThrows()
    {
        own.remote().write(FAR, 0, source, 0, 8);
        final List<String> reported = new ArrayList<>();
        own.memory().onRefused((destination, remoteAddress, length, reason) ->
        {
            reported.add(destination + " " + (remoteAddress - FAR_ADDRESS) + "+" + length + " " + reason);
            throw new IllegalStateException("thrown on purpose");
        });
        for (int i = 0; i < 40; i++)
        {
            own.hop.refusals.add(new ScriptedTransport.Refusal(0, FAR_ADDRESS + i, 8, RemoteRefusal.FREED));
        }

        own.poll();

        assertEquals(40, reported.size());
        assertEquals(own.destination + " 39+8 FREED", reported.get(39));
        assertEquals(40, own.counter("memory-refused FREED"));
        assertEquals(40, own.errors.count());
        assertEquals(40, own.counter("handler-errors"));
    }

    @Test
    void shouldTellAsManyRefusalsAsItHasRoomForAndCountAll()
    {
        own.remote().write(FAR, 0, source, 0, 8);
        final List<Long> reported = new ArrayList<>();
        own.memory().onRefused((destination, remoteAddress, length, reason) -> reported.add(remoteAddress));
        for (int round = 0; round < 2; round++)
        {
            reported.clear();
            for (int i = 0; i < 100_000; i++)
            {
                own.hop.refusals.add(new ScriptedTransport.Refusal(0, i, 1, RemoteRefusal.OUT_OF_RANGE));
            }
            own.remote().write(FAR, 0, source, 0, 8);

            own.poll();

            assertEquals(LongStream.range(0, 65_536).boxed().toList(), reported);
            assertEquals((round + 1) * 100_000L, own.counter("memory-refused OUT_OF_RANGE"));
        }
    }

    @Test
    void shouldLookForRefusalsAfterOperationsOnly()
    {
        own.remote().write(FAR, 0, source, 0, 8);
        own.poll();
        final int before = own.hop.drainCount;

        for (int i = 0; i < 50; i++)
        {
            own.poll();                 // Fewer than the loop counts before it looks at a clock.
        }
        final int silent = own.hop.drainCount - before;
        own.remote().write(FAR, 0, source, 0, 8);
        own.poll();

        assertEquals(0, silent);
        assertEquals(before + 1, own.hop.drainCount);
    }

    @Test
    void shouldQueueWhatTheListenerWritesWhileTheHopIsFull()
    {
        own.hop.room = 0;
        final List<SendStatus> statuses = new ArrayList<>();
        own.inHandler(() ->
        {
            statuses.add(own.remote().write(FAR, 0, source, 0, 8));
            assertThrows(IllegalStateException.class, own::poll);
            assertThrows(IllegalStateException.class, () -> own.remote().writeBlocking(FAR, 0,
                source, 0, 8, null, 0, NoOpIdleStrategy.INSTANCE));
        });

        assertEquals(List.of(SendStatus.QUEUED), statuses);
    }

    @Test
    void shouldSayClosedWhenTheEndpointIs()
    {
        final RemoteLink remote = own.remote();
        own.close();

        assertEquals(SendStatus.CLOSED, remote.write(FAR, 0, source, 0, 8));
        assertEquals(SendStatus.CLOSED, remote.write(FAR, 0, source, 0, 800));
        assertEquals(List.of(), own.hop.taken);
    }

    @Test
    void shouldNameValueAndLimitOfWhatTheCallerDidWrong()
    {
        final RemoteLink remote = own.remote();
        final MemoryRegion region = own.memory().register(100);
        final MemoryRegion freed = own.memory().register(100);
        freed.close();
        final MemoryRegion foreign = new ScriptedEndpoint("1MiB").memory().register(100);

        assertEquals("length=-1 is less than min=0",
            refused(() -> remote.write(FAR, 0, source, 0, -1)));
        assertEquals("source offset=8185 length=8 exceeds capacity=8192",
            refused(() -> remote.write(FAR_PHYSICAL, 0, source, 8_185, 8)));
        assertEquals("row count=0 is less than min=1",
            refused(() -> remote.writeRows(FAR, 0, source, 0, new RemoteLink.Rows(8, 0, 0, 0), null, 0)));
        assertEquals("source rows from offset=0 to offset=-8 length=8 exceed capacity=8192",
            refused(() -> remote.writeRows(FAR, 0, source, 0, new RemoteLink.Rows(8, 2, 0, -8), null, 0)));
        assertEquals("source rows from offset=8184 to offset=8185 length=8 exceed capacity=8192",
            refused(() -> remote.writeRows(FAR, 0, source, 8_184, new RemoteLink.Rows(8, 2, 0, 1), null, 0)));
        assertEquals("target offset=93 length=8 exceeds region length=100",
            refused(() -> remote.read(FAR, 0, region, 93, 8, null, 0)));
        assertEquals("target region generation=" + foreign.generation() + " was not registered by this node",
            refused(() -> remote.read(FAR, 0, foreign, 0, 8, null, 0)));
        assertEquals("target region generation=" + freed.generation() + " has been freed",
            assertThrows(IllegalStateException.class,
                () -> remote.read(FAR, 0, freed, 0, 8, null, 0)).getMessage());
        assertEquals(List.of(), own.hop.taken);
        assertEquals(0, own.endpoint.overflowDepth());
    }

    @Test
    void shouldRefuseWhatDoesNotLieWithinItsRegionBeforeItSendsAnything()
    {
        final RemoteLink remote = own.remote();
        final MemoryRegion target = own.memory().register(100);
        final RemoteRegion part = FAR.slice(16, 100);
        final RemoteRegion readOnly =
            new RemoteRegion(FAR.endpoint(), FAR.address(), 100, MemoryRegion.Rights.READ, false);
        final RemoteRegion elsewhere =
            new RemoteRegion(EndpointId.of(7, 0, 0), FAR.address(), 100, MemoryRegion.Rights.READ, false);

        assertEquals("region offset=93 length=8 exceeds region length=100",
            refused(() -> remote.write(part, 93, source, 0, 8)));
        assertEquals("region offset=-1 length=8 exceeds region length=100",
            refused(() -> remote.write(part, -1, source, 0, 8, WORD, 1)));
        assertEquals("region offset=9223372036854775807 length=8 exceeds region length=100",
            refused(() -> remote.read(part, Long.MAX_VALUE, target, 0, 8, null, 0)));
        assertEquals("region offset=8 length=8 stride=-8 count=3 exceeds region length=100",
            refused(() -> remote.writeRows(part, 8, source, 0, new RemoteLink.Rows(8, 3, -8, 8), null, 0)));
        assertEquals("region offset=0 length=1 stride=-9223372036854775808 count=2 exceeds region length=100",
            refused(() -> remote.writeRows(part, 0, source, 0, new RemoteLink.Rows(1, 2, Long.MIN_VALUE, 0), null, 0)));
        assertEquals("notification word of length=3 is less than min=4",
            refused(() -> remote.write(part, 0, source, 0, 8, part.slice(97, 3), 1)));
        assertEquals("notification word of length=7 is less than min=8", refused(() -> remote.writeWithSignal(
            part, 0, source, 0, 8, RemoteLink.SignalOperation.SET_LONG, part.slice(0, 7), 1)));
        assertTrue(refused(() -> remote.write(part, 0, source, 0, 8, PHYSICAL_WORD, 1)).contains("or kind"));
        assertTrue(refused(() -> remote.write(readOnly, 0, source, 0, 8)).endsWith(" does not grant WRITE"));
        assertTrue(refused(() -> remote.read(elsewhere, 0, target, 0, 8, null, 0)).endsWith(" is not of node=0"));
        assertTrue(refused(() -> remote.read(FAR_PHYSICAL, 0, target, 0, 8, null, 0)).endsWith("only be written"));
        assertEquals(List.of(), own.hop.taken);

        assertEquals(SendStatus.SENT, remote.write(part, 92, source, 0, 8));
        assertEquals(List.of("V 108+8"), own.hop.taken);
    }

    @Test
    void shouldGoThroughABufferAndRefuseBytesThatAreNoRegion()
    {
        final AtomicBuffer buffer = Buffers.allocate(RemoteRegion.LENGTH + 8);
        for (final MemoryRegion.Rights rights : MemoryRegion.Rights.values())
        {
            final RemoteRegion region =
                new RemoteRegion(EndpointId.of(4_095, 15, 255), -9, Long.MAX_VALUE, rights, rights.bits() > 1);
            region.writeTo(buffer, 8);
            assertEquals(region, RemoteRegion.readFrom(buffer, 8, RemoteRegion.LENGTH));
        }

        assertEquals("part offset=1 length=131072 exceeds region length=131072",
            refused(() -> FAR.slice(1, FAR.length())));
        assertEquals("remote region of length=23 bytes, expected 24", badData(buffer, 23));
        for (int bit = 0; bit < RemoteRegion.LENGTH * Byte.SIZE; bit++)
        {
            FAR.writeTo(buffer, 8);
            final int index = 8 + bit / Byte.SIZE;
            buffer.putByte(index, (byte)(buffer.getByte(index) ^ 1 << bit % Byte.SIZE));
            if (bit == 127 || (bit >= 152 && bit < 160) || bit >= 163)      // Sign of the length, key, flags.
            {
                assertTrue(badData(buffer, RemoteRegion.LENGTH).startsWith("remote region is corrupt: "));
            }
            else
            {
                assertTrue(!RemoteRegion.readFrom(buffer, 8, RemoteRegion.LENGTH).equals(FAR), "bit=" + bit);
            }
        }
    }

    private static String badData(final AtomicBuffer buffer, final int available)
    {
        final GrimException ex =
            assertThrows(GrimException.class, () -> RemoteRegion.readFrom(buffer, 8, available));
        assertEquals(GrimException.Reason.BAD_DATA, ex.reason());
        return ex.getMessage();
    }

    @Test
    void shouldRefuseUseWhileAClaimIsOpenAndByASecondThread()
        throws InterruptedException, TimeoutException
    {
        final RemoteLink remote = own.remote();
        final HopClaim claim = new HopClaim();
        own.endpoint.link(own.destination).tryClaim(HandlerId.of(20), 8, claim);

        final IllegalStateException open = assertThrows(IllegalStateException.class,
            () -> remote.write(FAR, 0, source, 0, 8));
        claim.abort();
        final ExecutionException second = assertThrows(ExecutionException.class,
            () -> CompletableFuture.runAsync(() -> remote.write(FAR, 0, source, 0, 8))
                .get(60, TimeUnit.SECONDS));

        assertTrue(open.getMessage().contains("is open: publish or abort it"), open.getMessage());
        assertEquals(IllegalStateException.class, second.getCause().getClass());
        assertEquals(List.of(), own.hop.taken);
    }

    private static String refused(final Executable work)
    {
        return assertThrows(IllegalArgumentException.class, work).getMessage();
    }
}
