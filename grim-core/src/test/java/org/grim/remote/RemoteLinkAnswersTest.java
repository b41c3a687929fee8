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
import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.node.ScriptedEndpoint;
import org.grim.node.ScriptedTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.grim.RemoteLink.NO_NOTIFICATION;
import static org.grim.node.ScriptedTransport.FAR_ADDRESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a remote link tells its caller: refusals at the next poll, and mistakes at once. */
final class RemoteLinkAnswersTest
{
    private final ScriptedEndpoint own = new ScriptedEndpoint("1MiB");
    private final AtomicBuffer source = Buffers.allocate(8_192);

    @Test
    void shouldTellRefusalsAtTheNextPollAndSurviveAListenerThatThrows()
    {
        own.remote().write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0);
        final List<String> told = new ArrayList<>();
        own.memory().onRefused((destination, remoteAddress, length, reason) ->
        {
            told.add(destination + " " + (remoteAddress - FAR_ADDRESS) + "+" + length + " " + reason);
            throw new IllegalStateException("thrown on purpose");
        });
        for (int i = 0; i < 40; i++)
        {
            own.hop.refusals.add(new ScriptedTransport.Refusal(0, FAR_ADDRESS + i, 8, RemoteRefusal.FREED));
        }

        own.poll();

        assertEquals(40, told.size());
        assertEquals(own.destination + " 39+8 FREED", told.get(39));
        assertEquals(40, own.counter("memory-refused FREED"));
        assertEquals(40, own.errors.count());
        assertEquals(40, own.counter("handler-errors"));
    }

    @Test
    void shouldTellAsManyRefusalsAsItHasRoomForAndCountAll()
    {
        own.remote().write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0);
        final List<Long> told = new ArrayList<>();
        own.memory().onRefused((destination, remoteAddress, length, reason) -> told.add(remoteAddress));
        for (int round = 0; round < 2; round++)
        {
            told.clear();
            for (int i = 0; i < 100_000; i++)
            {
                own.hop.refusals.add(new ScriptedTransport.Refusal(0, i, 1, RemoteRefusal.OUT_OF_RANGE));
            }
            own.remote().write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0);

            own.poll();

            assertEquals(LongStream.range(0, 65_536).boxed().toList(), told);
            assertEquals((round + 1) * 100_000L, own.counter("memory-refused OUT_OF_RANGE"));
        }
    }

    @Test
    void shouldLookForRefusalsAfterOperationsOnly()
    {
        own.remote().write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0);
        own.poll();
        final int before = own.hop.drainCount;

        for (int i = 0; i < 50; i++)
        {
            own.poll();                 // Fewer than the loop counts before it looks at a clock.
        }
        final int silent = own.hop.drainCount - before;
        own.remote().write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0);
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
            statuses.add(own.remote().write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0));
            assertThrows(IllegalStateException.class, own::poll);
            assertThrows(IllegalStateException.class, () -> own.memory().writeBlocking(own.destination, FAR_ADDRESS,
                source, 0, 8, NO_NOTIFICATION, 0, NoOpIdleStrategy.INSTANCE));
        });

        assertEquals(List.of(SendStatus.QUEUED), statuses);
    }

    @Test
    void shouldSayClosedWhenTheEndpointIs()
    {
        final RemoteLink remote = own.remote();
        own.close();

        assertEquals(SendStatus.CLOSED, remote.write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0));
        assertEquals(SendStatus.CLOSED, remote.write(FAR_ADDRESS, source, 0, 800, NO_NOTIFICATION, 0));
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
            refused(() -> remote.write(FAR_ADDRESS, source, 0, -1, NO_NOTIFICATION, 0)));
        assertEquals("source offset=8185 length=8 exceeds capacity=8192",
            refused(() -> remote.writePhysical(FAR_ADDRESS, source, 8_185, 8, NO_NOTIFICATION, 0)));
        assertEquals("row count=0 is less than min=1",
            refused(() -> remote.writeRows(FAR_ADDRESS, 0, source, 0, 0, 8, 0, NO_NOTIFICATION, 0)));
        assertEquals("source rows from offset=0 to offset=-8 length=8 exceed capacity=8192",
            refused(() -> remote.writeRows(FAR_ADDRESS, 0, source, 0, -8, 8, 2, NO_NOTIFICATION, 0)));
        assertEquals("source rows from offset=8184 to offset=8185 length=8 exceed capacity=8192",
            refused(() -> remote.writeRows(FAR_ADDRESS, 0, source, 8_184, 1, 8, 2, NO_NOTIFICATION, 0)));
        assertEquals("target offset=93 length=8 exceeds region length=100",
            refused(() -> remote.read(FAR_ADDRESS, region, 93, 8, NO_NOTIFICATION, 0)));
        assertEquals("target region generation=" + foreign.generation() + " was not registered by this node",
            refused(() -> remote.read(FAR_ADDRESS, foreign, 0, 8, NO_NOTIFICATION, 0)));
        assertEquals("target region generation=" + freed.generation() + " has been freed",
            assertThrows(IllegalStateException.class,
                () -> remote.read(FAR_ADDRESS, freed, 0, 8, NO_NOTIFICATION, 0)).getMessage());
        assertEquals(List.of(), own.hop.taken);
        assertEquals(0, own.endpoint.overflowDepth());
    }

    @Test
    void shouldRefuseUseWhileAClaimIsOpenAndByASecondThread()
        throws InterruptedException, TimeoutException
    {
        final RemoteLink remote = own.remote();
        final FrameClaim claim = new FrameClaim();
        own.endpoint.link(own.destination).tryClaim(HandlerId.of(20), 8, claim);

        final IllegalStateException open = assertThrows(IllegalStateException.class,
            () -> remote.write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0));
        claim.abort();
        final ExecutionException second = assertThrows(ExecutionException.class,
            () -> CompletableFuture.runAsync(() -> remote.write(FAR_ADDRESS, source, 0, 8, NO_NOTIFICATION, 0))
                .get(30, TimeUnit.SECONDS));

        assertTrue(open.getMessage().contains("is open: publish or abort it"), open.getMessage());
        assertEquals(IllegalStateException.class, second.getCause().getClass());
        assertEquals(List.of(), own.hop.taken);
    }

    private static String refused(final Executable work)
    {
        return assertThrows(IllegalArgumentException.class, work).getMessage();
    }
}
