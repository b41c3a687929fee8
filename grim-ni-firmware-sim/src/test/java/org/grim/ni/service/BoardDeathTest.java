// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.nio.file.Path;
import java.util.List;

import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.MessageOutcome;
import org.grim.board.QueueFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ContextRegisters.OWNER;
import static org.grim.board.ContextRegisters.STATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A node that a board serves goes, or a whole board: every message has its outcome, and no later life gets it. */
@Timeout(180)
final class BoardDeathTest
{
    private static final int STEP_LIMIT = 20_000;
    private static final int PAYLOAD_LENGTH = 40;
    private static final int MESSAGE_LENGTH = TestHost.PAYLOAD_OFFSET + PAYLOAD_LENGTH;

    @TempDir
    private Path temporary;
    private Path cluster;
    private DirectoryNode nearNode;
    private DirectoryNode farNode;
    private DirectoryNode guestNode;
    private TestSite near;
    private TestSite far;
    private TestHost sender;
    private TestHost guest;

    @BeforeEach
    void start()
    {
        cluster = temporary.resolve("cluster");
        nearNode = new DirectoryNode(cluster, "near");
        farNode = new DirectoryNode(cluster, "far");
        guestNode = new DirectoryNode(cluster, "guest");
        near = new TestSite(nearNode);
        far = new TestSite(farNode);
        sender = new TestHost(nearNode, near, 0).attach(2);
        // All channels of the board, so that its next life gets the same ones.
        guest = new TestHost(guestNode, far, 0).attach(TestSite.CHANNEL_COUNT - 2);
        assertTrue(sender.send(1, guest, 1, 0, 8));
        for (int i = 0; i < STEP_LIMIT && guest.received.isEmpty(); i++)
        {
            step();
            guest.receive(1);
        }
        assertEquals(1, guest.received.size());
    }

    @AfterEach
    void stop()
    {
        near.close();
        far.close();
        nearNode.close();
        farNode.close();
        guestNode.close();
    }

    @Test
    void shouldDeliverNothingOfAnOldIncarnationToTheNextOne()
    {
        send(3);                                // Into the guest's arrival queue; it does not read them.
        run();
        send(3);                                // Into the ring.
        while (near.board.step() > 0)
        {
            assertTrue(near.board.isBusy());
        }
        send(3);                                // They stand at the sender.
        final int oldChannel = guest.firstChannel;
        guestNode.close();
        guestNode = new DirectoryNode(cluster, "guest");

        far.board.housekeep();
        final TestHost other = attachWhenFree();
        run();
        other.receive(0);

        assertEquals(oldChannel, other.firstChannel, "the test is of no use if the channels are others");
        assertEquals(0, other.received.size());
        assertEquals(9, settledCount());
        // Messages at the sender may reach the next incarnation's arrival queue, whose driver sees that it is not its
        // own.
        assertTrue(outcomes(null) >= 3 && outcomes(MessageOutcome.REFUSED) > 0 &&
            outcomes(MessageOutcome.UNDELIVERED) >= 3);
        assertEquals(9, outcomes(null) + outcomes(MessageOutcome.REFUSED) + outcomes(MessageOutcome.UNDELIVERED) +
            outcomes(MessageOutcome.UNKNOWN));
        assertTrue(sender.send(0, other, 0, 100, PAYLOAD_LENGTH));
        run();
        other.receive(0);
        assertEquals(List.of(100), other.received);
    }

    @Test
    void shouldKeepChannelsUntilTheRingsWereReadPastTheDeath()
    {
        send(3);
        while (near.board.step() > 0)
        {
            assertTrue(near.board.isBusy());
        }
        guestNode.close();
        for (int i = 0; i < 10; i++)
        {
            far.board.housekeep();
        }

        assertEquals(ContextRegisters.STATE_DRAINING, guest.context.getAcquire(STATE));
        run();
        far.board.housekeep();
        assertEquals(ContextRegisters.OWNER_NONE, guest.context.getAcquire(OWNER));
        assertEquals(3, outcomes(MessageOutcome.REFUSED));
    }

    @Test
    void shouldSettleWhatADeadNodeHadUnderWay()
    {
        final int channel = guest.firstChannel;
        for (int i = 0; i < 20; i++)
        {
            assertTrue(guest.send(0, sender, 0, i, PAYLOAD_LENGTH));
        }
        far.board.step();
        guestNode.close();
        for (int i = 0; i < 1000 && guest.context.getAcquire(OWNER) != ContextRegisters.OWNER_NONE; i++)
        {
            step();
            far.board.housekeep();
            sender.receive(0);
        }

        assertEquals(ContextRegisters.OWNER_NONE, guest.context.getAcquire(OWNER));
        assertTrue(sender.received.size() < 20, "all had left");
        assertEquals(0, guest.registers[0].get(FRONT));
        assertEquals(channel, guest.firstChannel);
        guestNode = new DirectoryNode(cluster, "guest");
        final TestHost next = new TestHost(guestNode, far, 0).attach(TestSite.CHANNEL_COUNT - 2);
        sender.received.clear();
        assertTrue(next.send(0, sender, 0, 500, PAYLOAD_LENGTH));
        run();
        sender.receive(0);
        assertEquals(List.of(500), sender.received);
    }

    @Test
    void shouldCountAnOutcomeForEachMessageWhenABoardDies()
    {
        send(5);
        run();
        guest.receive(0);
        send(30);
        for (int i = 0; i < 9; i++)
        {
            near.board.step();
            far.board.step();
        }
        guest.receive(0);
        final int deliveredCount = guest.received.size() - 1;
        farNode.close();                        // The board is not stepped any more.
        for (int i = 0; i < STEP_LIMIT && settledCount() < 35; i++)
        {
            near.board.step();
            near.board.housekeep();
        }

        final int acknowledgedCount = outcomes(null);
        final int unknownCount = outcomes(MessageOutcome.UNKNOWN);
        assertEquals(35, settledCount());
        assertEquals(35, acknowledgedCount + unknownCount + outcomes(MessageOutcome.UNDELIVERED) +
            outcomes(MessageOutcome.REFUSED));
        assertEquals(unknownCount, sender.registers[0].getAcquire(ChannelRegisters.UNKNOWN));
        assertEquals(
            outcomes(MessageOutcome.UNDELIVERED), sender.registers[0].getAcquire(ChannelRegisters.UNDELIVERED));
        assertEquals(0, sender.registers[0].getAcquire(ChannelRegisters.REFUSED));
        assertNotEquals(0, unknownCount, "nothing was in flight");
        assertTrue(acknowledgedCount <= deliveredCount && deliveredCount <= acknowledgedCount + unknownCount,
            () -> "acknowledged " + acknowledgedCount + ", delivered " + deliveredCount + ", unknown " + unknownCount);
    }

    /** Attaches the guest's next life, as soon as the board has a context and channels for it. */
    private TestHost attachWhenFree()
    {
        for (int i = 0; i < STEP_LIMIT; i++)
        {
            if (guest.context.getAcquire(OWNER) == ContextRegisters.OWNER_NONE)
            {
                return new TestHost(guestNode, far, 0).attachAs(2, TestSite.CHANNEL_COUNT - 2);
            }
            far.board.step();
            far.board.housekeep();
            // The sender's board answers, and still sends what stands there.
            near.board.step();
        }
        throw new AssertionError("the context of the dead node is not free");
    }

    private void send(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertTrue(sender.send(
                0, guest.node.number(), guest.firstChannel, guest.node.incarnation(), i + 1, PAYLOAD_LENGTH));
        }
    }

    private int settledCount()
    {
        return sender.registers[0].get(FRONT) / MESSAGE_LENGTH;
    }

    /** Returns the number of messages that have left the sender's queue with an outcome; null for acknowledged. */
    private int outcomes(final MessageOutcome outcome)
    {
        int count = 0;
        for (int i = 0; i < settledCount(); i++)
        {
            final int index = near.geometry.queueOffset(sender.firstChannel) + i * MESSAGE_LENGTH;
            count += QueueFormat.readOutcome(near.sram, index) == outcome ? 1 : 0;
        }
        return count;
    }

    private void step()
    {
        near.board.step();
        far.board.step();
    }

    /** Steps both boards until neither has anything to do. */
    private void run()
    {
        int idleCount = 0;
        for (int i = 0; i < STEP_LIMIT && idleCount < 1000; i++)
        {
            idleCount = near.board.step() + far.board.step() == 0 ? idleCount + 1 : 0;
        }
        assertTrue(idleCount >= 1000);
    }
}
