// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.CrashingFileSystem;
import org.grim.crash.CrashingMemory;
import org.grim.crash.Lifetime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.ni.wire.Packets.send;
import static org.grim.ni.wire.Packets.take;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Cuts one side's life before every store and every change of the file system, with every choice of the unordered
 * stores that may have become visible. The survivor sees a prefix of what was sent, byte by byte, then one cut packet
 * at most, gets one report, and goes on with others and with the successor.
 */
final class WireCrashTest
{
    private static final int SENDER_CASE_COUNT_MIN = 1_000;
    private static final int RECEIVER_CASE_COUNT_MIN = 20;
    private static final int SENDER = 1;
    private static final int RECEIVER = 2;
    private static final int BYSTANDER = 3;
    private static final int LENGTH_MAX = 64;
    private static final int RING_LENGTH = 512;
    private static final int[] LENGTHS = {60, 5, 64, 33, 64, 64, 64, 8, 64, 50};
    private static final int CUT_INDEX = 3;

    @TempDir
    Path directory;

    private final List<Integer> gone = new ArrayList<>();
    private int runCount;
    private WireCluster cluster;
    private SharedWire survivor;
    private SharedWire bystander;

    @Test
    void shouldStandTheDeathOfASenderAnywhere()
    {
        final int caseCount = CrashEnumeration.withSomeVisibleStores("death of a wire's sender", this::killSender);

        assertTrue(caseCount > SENDER_CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    @Test
    void shouldStandTheDeathOfAReceiverAnywhere()
    {
        final int caseCount = CrashEnumeration.withSomeVisibleStores("death of a wire's receiver", this::killReceiver);

        assertTrue(caseCount > RECEIVER_CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    private Path begin(final int survivorNode)
    {
        gone.clear();
        final Path own = directory.resolve(Integer.toString(runCount++));
        try
        {
            Files.createDirectory(own);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
        cluster = new WireCluster(own, 4);
        cluster.firstPosition = -RING_LENGTH / 2;
        survivor = wire(survivorNode);
        bystander = wire(BYSTANDER);
        return own;
    }

    private SharedWire wire(final int node)
    {
        return new SharedWire(cluster.start(node), RING_LENGTH, LENGTH_MAX, UnaryOperator.identity());
    }

    private SharedWire victim(final int node, final Path own, final Lifetime life)
    {
        final UnaryOperator<AtomicBuffer> access = memory -> CrashingMemory.over(memory, life);
        return new SharedWire(cluster.start(node, CrashingFileSystem.over(own, life)), RING_LENGTH, LENGTH_MAX, access);
    }

    private void killSender(final Lifetime life)
    {
        final Path own = begin(RECEIVER);
        final int[] begun = new int[1];
        int taken = 0;
        try
        {
            final SharedWire victim = victim(SENDER, own, life);
            for (int i = 0; i < LENGTHS.length; i++)
            {
                begun[0] = i + 1;
                sendInPieces(victim, i);
                taken = i == 2 || i == 6 ? readAll(taken) : taken;
            }
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
        cluster.kill(SENDER);
        survivor.housekeep(gone::add);
        survivor.housekeep(gone::add);
        taken = readAll(taken);
        survivor.housekeep(gone::add);

        assertTrue(taken >= begun[0] - 1 && taken <= LENGTHS.length, () -> "begun=" + begun[0]);
        assertTrue(gone.isEmpty() || gone.equals(List.of(SENDER)), gone::toString);
        assertEquals(1, survivor.wordCount());
        assertEquals(0, survivor.faultCount(WireFault.BAD_LENGTH) + survivor.faultCount(WireFault.BAD_CUT) +
            survivor.faultCount(WireFault.BAD_POSITION));
        goOn(wire(SENDER));
    }

    /** In two pieces if it is long, and one of them given up. */
    private static void sendInPieces(final SharedWire wire, final int number)
    {
        final int length = LENGTHS[number];
        final AtomicBuffer packet = Packets.of(number, length);
        wire.begin(RECEIVER, length);
        final int firstLength = length > 48 ? 49 : length / 2;
        wire.feed(packet, 0, firstLength);
        if (number == CUT_INDEX)
        {
            wire.abort();
        }
        else
        {
            wire.feed(packet, firstLength, length - firstLength);
        }
    }

    /** The packets from some number on, of which only the last one may be cut by death. */
    private int readAll(final int from)
    {
        survivor.admit();
        int number = from;
        while (survivor.hasPacket())
        {
            assertEquals(LENGTHS[number], survivor.length());
            assertTrue(survivor.arrivedLength() <= survivor.length());
            assertTrue(!survivor.isCut() || survivor.arrivedLength() < survivor.length());
            assertTrue(number != CUT_INDEX || survivor.isCut());
            Packets.check(survivor.buffer(), survivor.offset(), number, survivor.arrivedLength());
            survivor.release();
            number++;
        }
        return number;
    }

    private void killReceiver(final Lifetime life)
    {
        final Path own = begin(SENDER);
        int taken = 0;
        int sent = 0;
        try
        {
            final SharedWire victim = victim(RECEIVER, own, life);
            for (; sent < LENGTHS.length; sent++)
            {
                send(survivor, RECEIVER, sent, LENGTHS[sent]);
                victim.admit();
                if (sent > 1 && victim.hasPacket())
                {
                    take(victim, taken, LENGTHS[taken]);
                    taken++;
                }
            }
            victim.asleep(4);
            send(survivor, RECEIVER, 0, 9);
            victim.close();
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
        cluster.kill(RECEIVER);
        send(survivor, RECEIVER, 1, 8);
        survivor.housekeep(gone::add);
        send(survivor, RECEIVER, 1, 8);
        survivor.housekeep(gone::add);

        assertTrue(survivor.isIdle());
        assertTrue(gone.size() <= 2 && gone.contains(RECEIVER), gone::toString);
        final SharedWire successor = wire(RECEIVER);
        final SharedWire sender = survivor;
        survivor = successor;
        goOn(sender);
    }

    /** A sender and a bystander reach the survivor, who reaches them. */
    private void goOn(final SharedWire sender)
    {
        for (int i = 0; i < 2 * LENGTHS.length; i++)
        {
            send(sender, RECEIVER, i, LENGTH_MAX);
            survivor.admit();
            survivor.housekeep(gone::add);
            take(survivor, i, LENGTH_MAX);
            send(bystander, RECEIVER, i, LENGTH_MAX);
            survivor.admit();
            take(survivor, i, LENGTH_MAX);
            send(survivor, SENDER, i, 20);
            sender.admit();
            sender.housekeep(gone::add);
            take(sender, i, 20);
        }
        sender.close();
        survivor.close();
        bystander.close();
    }
}
