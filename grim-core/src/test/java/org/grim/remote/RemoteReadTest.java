// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.List;

import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.node.ScriptedEndpoint;
import org.grim.node.ScriptedTransport;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;

import static org.grim.node.ScriptedTransport.FAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Handles of reads over a hop that takes 100 bytes at once, and answers when the test says so. */
final class RemoteReadTest
{
    private final ScriptedEndpoint own = new ScriptedEndpoint("1MiB");
    private final MemoryRegion target = own.memory().register(1_000);
    private final RemoteMemory.Read read = own.memory().newRead();

    @Test
    void shouldBeCompleteWhenItsWordIsWritten()
    {
        assertTrue(read.isComplete());
        for (int i = 0; i < 3; i++)
        {
            assertEquals(SendStatus.SENT, own.remote().read(FAR, 0, target, 0, 80, read));
            assertFalse(read.isComplete());
            own.poll();
            assertFalse(read.isComplete());

            arrive(i);

            assertTrue(read.isComplete());
            assertNull(read.refusal());
        }
        assertEquals(3, own.counter("memory-reads channel=1"));
        assertEquals(240, own.counter("memory-bytes-read channel=1"));
    }

    @Test
    void shouldCutAReadAndWaitForItsLastPiece()
    {
        own.remote().read(FAR, 0, target, 10, 250, read);

        assertEquals(List.of("R 0+100", "R 100+100", "R 200+50"), own.hop.taken);
        assertEquals(target.remote().address() + 210, own.hop.reads.get(2).targetAddress());
        assertEquals(MemoryHop.NO_NOTIFICATION, own.hop.reads.get(1).notificationAddress());
        arrive(2);
        own.poll();
        assertTrue(read.isComplete());
        assertNull(read.refusal());
    }

    @Test
    void shouldNotCallACutReadCompleteBeforeItKnowsWhatWasRefused()
    {
        own.remote().read(FAR, 0, target, 0, 250, read);

        own.refuse(own.hop.reads.get(1).ticket(), RemoteRefusal.FREED);
        arrive(2);
        final boolean isCompleteBeforePoll = read.isComplete();
        own.poll();

        assertFalse(isCompleteBeforePoll);
        assertTrue(read.isComplete());
        assertEquals(RemoteRefusal.FREED, read.refusal());
    }

    @Test
    void shouldNotEndARefusedReadWhileALaterPieceMayStillArrive()
    {
        own.remote().read(FAR, 0, target, 0, 250, read);

        own.refuse(own.hop.reads.get(0).ticket(), RemoteRefusal.FREED);
        own.poll();
        final boolean isComplete = read.isComplete();
        own.refuse(own.hop.reads.get(2).ticket(), RemoteRefusal.OUT_OF_RANGE);
        own.poll();

        assertFalse(isComplete);
        assertTrue(read.isComplete());
        assertEquals(RemoteRefusal.FREED, read.refusal());
    }

    @Test
    void shouldEndWithTheReasonWhenItIsRefused()
    {
        own.remote().read(FAR, 0, target, 0, 8, read);

        own.refuse(own.hop.reads.get(0).ticket(), RemoteRefusal.NO_RIGHT);
        own.poll();

        assertTrue(read.isComplete());
        assertEquals(RemoteRefusal.NO_RIGHT, read.refusal());
        own.remote().read(FAR, 0, target, 0, 8, read);
        assertFalse(read.isComplete());
        assertNull(read.refusal());
    }

    @Test
    void shouldNotTakeTheRefusalOfAnEarlierUseForItsOwn()
    {
        own.remote().read(FAR, 0, target, 0, 8, read);
        arrive(0);
        assertTrue(read.isComplete());
        own.remote().read(FAR, 0, target, 0, 8, read);

        own.refuse(own.hop.reads.get(0).ticket(), RemoteRefusal.NO_RIGHT);
        own.poll();

        assertFalse(read.isComplete());
    }

    @Test
    void shouldRefuseAHandleThatIsInUseOrOfAnotherEndpoint()
    {
        final RemoteLink remote = own.remote();
        final RemoteMemory.Read other = new ScriptedEndpoint("1MiB").memory().newRead();
        remote.read(FAR, 0, target, 0, 8, read);

        assertThrows(IllegalStateException.class, () -> remote.read(FAR, 0, target, 0, 8, read));
        assertThrows(IllegalArgumentException.class, () -> remote.read(FAR, 0, target, 0, 8, other));
        assertEquals(1, own.hop.reads.size());
    }

    @Test
    void shouldNotBeInUseWhenTheReadWasNotAccepted()
    {
        own.hop.room = 0;

        final SendStatus status = own.remote().read(FAR, 0, target, 0, 8, read);

        assertEquals(SendStatus.BACK_PRESSURED, status);
        assertTrue(read.isComplete());
    }

    @Test
    void shouldCompleteAReadOfWhichAPartWaited()
    {
        own.hop.room = 1;

        final SendStatus status = own.remote().read(FAR, 0, target, 0, 250, read);
        own.hop.room = 5;
        own.poll();
        arrive(2);
        own.poll();

        assertEquals(SendStatus.QUEUED, status);
        assertTrue(read.isComplete());
        assertNull(read.refusal());
    }

    @Test
    void shouldEndWhenItWaitedAndThePeerWent()
    {
        own.hop.room = 1;
        own.remote().read(FAR, 0, target, 0, 150, read);
        own.hop.isGone = true;

        own.poll();
        own.poll();

        assertTrue(read.isComplete());
        assertEquals(RemoteRefusal.PEER_GONE, read.refusal());
        assertEquals(1, own.counter("memory-refused PEER_GONE"));
    }

    @Test
    void shouldEndEveryReadThatIsNotCompleteWhenTheLinkIsSettled()
    {
        final RemoteMemory.Read arrived = own.memory().newRead();
        final RemoteMemory.Read lost = own.memory().newRead();
        final RemoteLink remote = own.remote();
        remote.read(FAR, 0, target, 0, 8, read);
        remote.read(FAR, 0, target, 8, 8, arrived);
        remote.read(FAR, 0, target, 16, 8, lost);
        ((ReadHandle)arrived).arriveForTest(own.hop.reads.get(1).value());
        own.hop.isGone = true;

        final long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (!read.isComplete() && System.nanoTime() - deadlineNs < 0)
        {
            own.poll();                 // Until the liveness interval is over.
        }

        assertTrue(read.isComplete() && arrived.isComplete() && lost.isComplete());
        assertEquals(RemoteRefusal.PEER_GONE, read.refusal());
        assertNull(arrived.refusal());
        assertEquals(RemoteRefusal.PEER_GONE, lost.refusal());
    }

    @Test
    void shouldEndWhenTheEndpointIsClosed()
    {
        own.remote().read(FAR, 0, target, 0, 8, read);

        own.close();

        assertTrue(read.isComplete());
        assertEquals(RemoteRefusal.PEER_GONE, read.refusal());
    }

    @Test
    void shouldGiveEveryHandleAWordOfItsOwn()
    {
        final RemoteLink remote = own.remote();
        own.hop.room = Integer.MAX_VALUE;
        for (int i = 0; i < 1_100; i++)
        {
            assertEquals(SendStatus.SENT, remote.read(FAR, 0, target, 0, 8, own.memory().newRead()));
        }

        assertEquals(1_100,
            own.hop.reads.stream().mapToLong(ScriptedTransport.Read::notificationAddress).distinct().count());
    }

    private void arrive(final int index)
    {
        ((ReadHandle)read).arriveForTest(own.hop.reads.get(index).value());
    }
}
