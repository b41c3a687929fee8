// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.Payloads;
import org.grim.RemoteLink;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.node.ScriptedEndpoint;
import org.grim.node.ScriptedTransport;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;

import static org.grim.node.ScriptedTransport.FAR;
import static org.grim.node.ScriptedTransport.FAR_ADDRESS;
import static org.grim.node.ScriptedTransport.FAR_PHYSICAL;
import static org.grim.node.ScriptedTransport.PHYSICAL_WORD;
import static org.grim.node.ScriptedTransport.WORD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A remote link over a hop that takes 100 bytes at once: cutting, waiting, refusing. */
final class RemoteLinkTest
{
    private final ScriptedEndpoint own = new ScriptedEndpoint("1MiB");
    private final AtomicBuffer source = Buffers.allocate(8_192);

    RemoteLinkTest()
    {
        Payloads.fill(source, 0, source.capacity(), 7);
    }

    @Test
    void shouldCutAWriteAndNotifyWithTheLastPieceOnly()
    {
        final SendStatus virtual = own.remote().write(FAR, 3, source, 5, 250, WORD, 9);
        final SendStatus physical = own.remote().write(FAR_PHYSICAL, 1_000, source, 0, 100, PHYSICAL_WORD, 1);

        assertEquals(SendStatus.SENT, virtual);
        assertEquals(SendStatus.SENT, physical);
        assertEquals(List.of("V 3+100", "V 103+100", "V 203+50 40000=9", "P 1000+100 40000=1"), own.hop.taken);
        assertFar(3, 5, 250);
        assertEquals(2, own.counter("memory-writes channel=1"));
        assertEquals(350, own.counter("memory-bytes-written channel=1"));
    }

    @Test
    void shouldCutAWriteAndSignalWithTheLastPieceOnly()
    {
        final RemoteRegion signal = FAR.slice(40_000, 8);
        own.hop.room = 4;

        own.remote().writeWithSignal(FAR, 0, source, 0, 8, signal, 3);
        own.remote().writeWithSignal(FAR, 0, source, 0, 8, SignalOperation.SET_INT, signal, 1L << 32 | 3);
        final SendStatus status =
            own.remote().writeWithSignal(FAR, 0, source, 0, 250, SignalOperation.SET_LONG, signal, 1L << 40);
        own.inHandler(() -> own.remote().writeWithSignal(FAR, 0, source, 0, 8, SignalOperation.ADD_LONG, signal, -9));
        own.hop.room = 10;
        own.poll();

        assertEquals(SendStatus.QUEUED, status);
        assertEquals(List.of("ADD_INT 0+8 40000=3", "V 0+8 40000=3", "SET_LONG 0+100", "SET_LONG 100+100",
            "SET_LONG 200+50 40000=1099511627776", "ADD_LONG 0+8 40000=-9"), own.hop.taken);
    }

    @Test
    void shouldHandAWriteOfNothingToTheHopWhichRefusesIt()
    {
        final SendStatus status = own.remote().write(FAR, 0, source, 0, 0, WORD, 2);

        assertEquals(SendStatus.SENT, status);
        assertEquals(List.of("V 0+0 40000=2"), own.hop.taken);
    }

    @Test
    void shouldCopyTheRestWhenTheHopTakesOnlyAPart()
    {
        own.hop.room = 2;

        final SendStatus status = own.remote().write(FAR, 0, source, 0, 450, WORD, 9);
        source.setMemory(0, 450, (byte)0);
        final SendStatus behind = own.remote().write(FAR, 500, source, 0, 1);
        final SendStatus message = own.endpoint.link(own.destination).send(HandlerId.of(20), source, 0, 8);
        final int depth = own.endpoint.overflowDepth();
        own.hop.room = 1;
        own.poll();
        own.hop.room = 10;
        own.poll();
        Payloads.fill(source, 0, 450, 7);

        assertEquals(SendStatus.QUEUED, status);
        assertEquals(SendStatus.BACK_PRESSURED, behind);
        assertEquals(SendStatus.BACK_PRESSURED, message);
        assertEquals(3, depth);
        assertEquals(List.of("V 0+100", "V 100+100", "V 200+100", "V 300+100", "V 400+50 40000=9"), own.hop.taken);
        assertFar(0, 0, 450);
        assertEquals(0, own.endpoint.overflowDepth());
        assertEquals(0, own.counter("overflow-depth channel=1"));
    }

    @Test
    void shouldBeginNothingWhenTheHopIsFull()
    {
        own.hop.room = 0;

        final SendStatus one = own.remote().write(FAR, 0, source, 0, 8);
        final SendStatus several = own.remote().write(FAR, 0, source, 0, 800);

        assertEquals(SendStatus.BACK_PRESSURED, one);
        assertEquals(SendStatus.BACK_PRESSURED, several);
        assertEquals(0, own.endpoint.overflowDepth());
        assertEquals(2, own.counter("back-pressured channel=1"));
        assertEquals(0, own.counter("memory-writes channel=1"));
    }

    @Test
    void shouldBeginNothingUnlessTheRestCouldWait()
    {
        final ScriptedEndpoint tight = new ScriptedEndpoint("1KiB");
        tight.hop.room = 0;
        for (int i = 0; i < 4; i++)
        {
            tight.inHandler(() -> assertEquals(SendStatus.QUEUED,
                tight.remote().write(FAR, 0, source, 0, 90)));
        }
        final RemoteLink other = tight.memory().link(tight.destination.onChannel(1));
        tight.hop.room = 1;
        tight.hop.taken.clear();

        final SendStatus full = other.write(FAR, 0, source, 0, 500);

        assertEquals(SendStatus.BACK_PRESSURED, full);
        assertEquals(List.of(), tight.hop.taken);
    }

    @Test
    void shouldSayWhatIsTooLongForTheOverflowQueueToTakeEver()
    {
        final ScriptedEndpoint tight = new ScriptedEndpoint("1KiB");

        final GrimException ex = assertThrows(GrimException.class,
            () -> tight.remote().write(FAR, 0, source, 0, 2_000));

        assertTrue(ex.getMessage().startsWith("remote memory length=2000 exceeds what the overflow queue can take: "),
            ex.getMessage());
        assertTrue(ex.getMessage().contains("max=1024 bytes (grim.overflow.ceiling)"), ex.getMessage());
        assertEquals(List.of(), tight.hop.taken);
    }

    @Test
    void shouldWriteBlockingWhatIsLongerThanTheOverflowQueue()
    {
        final ScriptedEndpoint tight = new ScriptedEndpoint("1KiB");
        tight.hop.room = 3;
        final IdleStrategy refill = new WhenIdle(() -> tight.hop.room = 7);

        final SendStatus virtual =
            tight.remote().writeBlocking(FAR, 0, source, 0, 8_000, WORD, 4, refill);
        final SendStatus physical =
            tight.remote().writeBlocking(FAR_PHYSICAL, 9_000, source, 0, 1_000, null, 4, refill);

        assertEquals(SendStatus.SENT, virtual);
        assertEquals(SendStatus.SENT, physical);
        assertEquals(90, tight.hop.taken.size());
        assertEquals("V 7900+100 40000=4", tight.hop.taken.get(79));
        assertEquals(0, tight.endpoint.overflowDepth());
        assertEquals(9_000, tight.counter("memory-bytes-written channel=1"));
    }

    @Test
    void shouldEndABlockingWriteWhenThePeerGoes()
    {
        own.hop.room = 2;
        final IdleStrategy goes = new WhenIdle(() -> own.hop.isGone = true);

        final SendStatus status =
            own.remote().writeBlocking(FAR, 0, source, 0, 500, WORD, 4, goes);

        assertEquals(SendStatus.PEER_GONE, status);
        assertEquals(0, own.counter("memory-writes channel=1"));
    }

    @Test
    void shouldWriteRowsWithStridesOfBothSigns()
    {
        final SendStatus forwards =
            own.remote().writeRows(FAR, 0, source, 0, new RemoteLink.Rows(16, 3, 64, 8), WORD, 5);
        final SendStatus backwards =
            own.remote().writeRows(FAR, 2_000, source, 300, new RemoteLink.Rows(120, 3, -200, -150), WORD, 6);

        assertEquals(SendStatus.SENT, forwards);
        assertEquals(SendStatus.SENT, backwards);
        assertEquals(List.of("V 0+16", "V 64+16", "V 128+16 40000=5", "V 2000+100", "V 2100+20", "V 1800+100",
            "V 1900+20", "V 1600+100", "V 1700+20 40000=6"), own.hop.taken);
        assertFar(64, 8, 16);
        assertFar(1_600, 0, 120);
        assertEquals(2, own.counter("memory-writes channel=1"));
    }

    @Test
    void shouldWriteRowsOfNothingAsOneOperation()
    {
        final SendStatus status =
            own.remote().writeRows(FAR, 0, source, 0, new RemoteLink.Rows(0, 1_000, 64, 8), WORD, 5);

        assertEquals(SendStatus.SENT, status);
        assertEquals(List.of("V 0+0 40000=5"), own.hop.taken);
    }

    @Test
    void shouldHaveAHandlersWritesWaitBehindMessages()
    {
        own.hop.room = 0;
        final MemoryRegion target = own.memory().register(1_000);

        own.inHandler(() ->
        {
            assertEquals(SendStatus.QUEUED, own.endpoint.link(own.destination).send(HandlerId.of(20), source, 0, 8));
            assertEquals(SendStatus.QUEUED, own.remote().write(FAR, 1, source, 3, 130, WORD, 8));
            assertEquals(SendStatus.QUEUED,
                own.remote().write(FAR_PHYSICAL, 500, source, 0, 0, PHYSICAL_WORD, 3));
            assertEquals(SendStatus.QUEUED,
                own.remote().read(FAR, 600, target, 4, 150, target.remote(), 77));
            assertEquals(SendStatus.QUEUED, own.endpoint.link(own.destination).send(HandlerId.of(20), source, 0, 9));
        });
        own.hop.room = 100;
        own.poll();

        assertEquals(List.of("M 8", "V 1+100", "V 101+30 40000=8", "P 500+0 40000=3", "R 600+100", "R 700+50", "M 9"),
            own.hop.taken);
        assertFar(1, 3, 130);
        assertEquals(List.of(
            new ScriptedTransport.Read(
                FAR_ADDRESS + 600, target.remote().address() + 4, 100, MemoryHop.NO_NOTIFICATION, 77, 0),
            new ScriptedTransport.Read(
                FAR_ADDRESS + 700, target.remote().address() + 104, 50, target.remote().address(), 77, 0)),
            own.hop.reads);
    }

    @Test
    void shouldHaveAHandlersWriteWaitWhenOnlyThenTheHopIsFull()
    {
        own.hop.room = 1;
        final List<SendStatus> statuses = new ArrayList<>();

        own.inHandler(() ->
        {
            statuses.add(own.remote().write(FAR, 0, source, 0, 8));
            statuses.add(own.remote().write(FAR, 8, source, 8, 8));
        });
        own.hop.room = 9;
        own.poll();

        assertEquals(List.of(SendStatus.SENT, SendStatus.QUEUED), statuses);
        assertEquals(List.of("V 0+8", "V 8+8"), own.hop.taken);
    }

    @Test
    void shouldSayPeerGoneAndTellWhatWaitedOnceEach()
    {
        own.hop.room = 1;
        final RemoteLink remote = own.remote();
        own.inHandler(() ->
        {
            own.endpoint.link(own.destination).send(HandlerId.of(20), source, 0, 8);
            own.endpoint.link(own.destination).send(HandlerId.of(20), source, 0, 8);
            remote.write(FAR, 10, source, 0, 150);
        });
        final List<String> reported = listen();
        own.hop.isGone = true;

        final SendStatus status = remote.write(FAR, 0, source, 0, 8);
        own.poll();
        own.poll();

        assertEquals(SendStatus.PEER_GONE, status);
        assertEquals(List.of("10+100 PEER_GONE", "110+50 PEER_GONE"), reported);
        assertEquals(2, own.counter("memory-refused PEER_GONE"));
        assertEquals(1, own.counter("undelivered channel=1"));
        assertEquals(0, own.counter("overflow-depth channel=1"));
        assertEquals(0, own.endpoint.overflowDepth());
    }

    @Test
    void shouldMakeANewRemoteLinkForANewLink()
    {
        final RemoteLink before = own.remote();
        assertSame(before, own.remote());
        own.hop.isGone = true;
        before.write(FAR, 0, source, 0, 8);
        own.hop.isGone = false;

        final RemoteLink after = own.remote();

        assertTrue(before != after);
        assertTrue(own.hop.isMemoryClosed);
        assertEquals(SendStatus.PEER_GONE, before.write(FAR, 0, source, 0, 8));
        assertEquals(SendStatus.PEER_GONE, before.write(FAR, 0, source, 0, 800));
        assertEquals(List.of(), own.hop.taken);
    }

    private List<String> listen()
    {
        final List<String> reported = new ArrayList<>();
        own.memory().onRefused((destination, remoteAddress, length, reason) ->
            reported.add(remoteAddress - FAR_ADDRESS + "+" + length + " " + reason));
        return reported;
    }

    private void assertFar(final int farIndex, final int sourceIndex, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            assertEquals(source.getByte(sourceIndex + i), own.hop.far.getByte(farIndex + i), "index=" + i);
        }
    }

    /** Does something at each wait. */
    private static final class WhenIdle implements IdleStrategy
    {
        private final Runnable work;

        WhenIdle(final Runnable work)
        {
            this.work = work;
        }

        @Override
        public void idle(final int workCount)
        {
            idle();
        }

        @Override
        public void idle()
        {
            work.run();
        }

        @Override
        public void reset()
        {
            // Nothing is counted.
        }
    }
}
