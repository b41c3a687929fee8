// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;

import org.grim.board.FirmwareProvider;
import org.grim.board.SleepBell;
import org.grim.board.counters.NiCounterKind;
import org.grim.board.counters.NiCounters;
import org.grim.counters.CountersView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two boards of two nodes of a real cluster directory, stepped by one thread. */
@Timeout(180)
final class SoftwareBoardTest
{
    private static final int STEP_LIMIT = 100_000;

    @TempDir
    private Path temporary;
    private DirectoryNode nearNode;
    private DirectoryNode farNode;
    private TestSite near;
    private TestSite far;
    private TestHost nearHost;
    private TestHost farHost;

    @BeforeEach
    void start()
    {
        final Path cluster = temporary.resolve("cluster");
        nearNode = new DirectoryNode(cluster, "near");
        farNode = new DirectoryNode(cluster, "far");
        near = new TestSite(nearNode);
        far = new TestSite(farNode);
        nearHost = new TestHost(nearNode, near, 0).attach(2);
        farHost = new TestHost(farNode, far, 0).attach(2);
    }

    @AfterEach
    void stop()
    {
        near.close();
        far.close();
        nearNode.close();
        farNode.close();
    }

    @Test
    void shouldBeFoundByTheServiceLoader()
    {
        final List<String> names = ServiceLoader.load(FirmwareProvider.class).stream()
            .map(provider -> provider.type().getName()).toList();

        assertEquals(List.of(SoftwareBoardProvider.class.getName()), names);
    }

    @Test
    void shouldCarryMessagesBothWays()
    {
        exchange(nearHost, farHost, 200);
        exchange(farHost, nearHost, 200);

        assertEquals(IntStream.range(0, 200).boxed().toList(), farHost.received);
        assertEquals(IntStream.range(0, 200).boxed().toList(), nearHost.received);
    }

    @Test
    void shouldServeASecondNodeOnTheSameBoard()
    {
        try (DirectoryNode guestNode = new DirectoryNode(temporary.resolve("cluster"), "guest"))
        {
            final TestHost guest = new TestHost(guestNode, near, 1).attach(1);

            exchange(guest, farHost, 20);
            exchange(farHost, guest, 20);
            exchange(nearHost, guest, 20);

            assertEquals(20, farHost.received.size());
            assertEquals(40, guest.received.size());
        }
    }

    @Test
    void shouldShowNoWorkWhileSilentAndEachKindOfWorkInAWordOrAsBusy()
    {
        exchange(nearHost, farHost, 1);
        settle();

        assertFalse(near.showsWork());
        assertFalse(far.showsWork());
        assertFalse(near.board.isBusy());
        assertFalse(far.board.isBusy());

        nearHost.send(0, farHost, 0, 1, 8);
        assertTrue(near.showsWork(), "a doorbell was rung");
        while (near.board.step() > 0)
        {
            assertTrue(near.board.isBusy());
        }
        assertFalse(near.showsWork());
        assertTrue(far.showsWork(), "a message stands in the wire");
        while (far.board.step() > 0)
        {
            assertTrue(far.board.isBusy());
        }
        assertFalse(far.showsWork());
        assertTrue(near.showsWork(), "an answer stands in the wire");
    }

    @Test
    void shouldBeBusyWhileARefusedMessageWaits()
    {
        for (int i = 0; i < TestHost.FRAME_COUNT + 1; i++)
        {
            assertTrue(nearHost.send(0, farHost, 0, i, 8));
        }
        for (int i = 0; i < 1000; i++)
        {
            near.board.step();
            far.board.step();
        }

        assertTrue(near.board.isBusy(), "a message was refused, and goes again within a millisecond");
        farHost.receive(0);
        for (int i = 0; i < STEP_LIMIT && farHost.received.size() <= TestHost.FRAME_COUNT; i++)
        {
            near.board.step();
            far.board.step();
            farHost.receive(0);
        }
        assertEquals(TestHost.FRAME_COUNT + 1, farHost.received.size());
    }

    @Test
    void shouldRingASleeperOnceAndNobodyElse()
    {
        final SleepBell bell = SleepBell.ofChannel(far.sram, far.geometry, farHost.firstChannel + 1);
        exchange(nearHost, farHost, 1);
        assertEquals(List.of(), farNode.rung);

        bell.bell(3);
        nearHost.send(0, farHost, 1, 7, 8);
        nearHost.send(0, farHost, 1, 8, 8);
        nearHost.send(0, farHost, 0, 9, 8);
        settle();

        assertEquals(List.of(farNode.number() + "-" + farNode.incarnation() + " bell 3"), farNode.rung);
        assertEquals(SleepBell.AWAKE, bell.bellAcquire());
    }

    /** Its destination channel is none of the board's. */
    @Test
    void shouldRingTheSubscriberOfAMulticastThatSleeps()
    {
        final SleepBell bell = SleepBell.ofChannel(far.sram, far.geometry, farHost.firstChannel);
        exchange(nearHost, farHost, 1);
        bell.bell(3);

        nearHost.openTree(0, 200, farHost);
        settle();

        assertEquals(List.of(farNode.number() + "-" + farNode.incarnation() + " bell 3"), farNode.rung);
        far.board.housekeep();
        try (CountersView view = view(farNode))
        {
            assertEquals(1, value(view, NiCounterKind.MULTICAST_TICKETS, 0));
            assertEquals(1, value(view, NiCounterKind.MULTICAST_DELIVERED, 0));
        }
    }

    @Test
    void shouldBeRungByAPeerWhileItsStepperSleeps()
    {
        exchange(nearHost, farHost, 1);
        settle();

        far.board.asleep(5);
        nearHost.send(0, farHost, 0, 1, 8);
        near.board.step();
        near.board.step();

        assertEquals(List.of(farNode.number() + "-" + farNode.incarnation() + " bell 5"), nearNode.rung);
    }

    @Test
    void shouldShowToolsWhatItDoes()
    {
        for (int i = 0; i < TestHost.FRAME_COUNT + 1; i++)
        {
            nearHost.send(0, farHost, 0, i, 8);
        }
        for (int i = 0; i < 1000; i++)
        {
            near.board.step();
            far.board.step();
        }
        near.board.housekeep();
        far.board.housekeep();

        final int channel = nearHost.firstChannel;
        try (CountersView view = view(nearNode); CountersView farView = view(farNode))
        {
            assertEquals(TestHost.FRAME_COUNT + 1, value(view, NiCounterKind.TRANSMITTED, 0));
            assertTrue(value(view, NiCounterKind.STEPS, 0) >= 1000);
            assertEquals(1, value(view, NiCounterKind.PEERS, 0));
            assertEquals(1, value(view, NiCounterKind.CONTEXTS, 0));
            assertEquals(nearNode.number(), value(view, NiCounterKind.CHANNEL_OWNER, channel));
            assertEquals(-1, value(view, NiCounterKind.CHANNEL_OWNER, TestSite.CHANNEL_COUNT - 3));
            assertEquals(TestHost.PAYLOAD_OFFSET + 8, value(view, NiCounterKind.CHANNEL_QUEUED, channel));
            assertEquals(TestHost.FRAME_COUNT, value(farView, NiCounterKind.DELIVERED, 0));
            assertEquals(TestHost.FRAME_COUNT,
                value(farView, NiCounterKind.CHANNEL_DELIVERED, farHost.firstChannel));
            final int triple = NiCounters.tripleKey(channel, farNode.number(), farHost.firstChannel);
            assertTrue(value(view, NiCounterKind.TRIPLE_NACKS, triple) > 0);
            assertTrue(value(view, NiCounterKind.TRIPLE_ROLLBACKS, triple) > 0);
        }
    }

    private static CountersView view(final DirectoryNode node)
    {
        return new CountersView(node.nodeFile(node.number(), node.incarnation(), "ni"), NiCounterKind.values());
    }

    private static long value(final CountersView view, final NiCounterKind kind, final int key)
    {
        return view.readings().stream().filter(reading -> reading.kind() == kind && reading.key() == key).findFirst()
            .orElseThrow().value();
    }

    /** Sends messages of different lengths on channel 0, and waits until all have come. */
    private void exchange(final TestHost from, final TestHost to, final int count)
    {
        final int before = to.received.size();
        int sentCount = 0;
        for (int i = 0; i < STEP_LIMIT && to.received.size() - before < count; i++)
        {
            if (sentCount < count && from.send(0, to, 0, sentCount, sentCount % 60 * 60))
            {
                sentCount++;
            }
            near.board.step();
            far.board.step();
            to.receive(0);
        }
        assertEquals(count, to.received.size() - before);
    }

    private void settle()
    {
        int idleCount = 0;
        for (int i = 0; i < STEP_LIMIT && idleCount < 4; i++)
        {
            idleCount = near.board.step() + far.board.step() == 0 ? idleCount + 1 : 0;
        }
        assertEquals(4, idleCount);
    }
}
