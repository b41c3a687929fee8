// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.HandlerId;
import org.grim.SendStatus;

import static org.grim.group.CollectiveChecks.await;
import static org.grim.group.CollectiveChecks.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Multicasts that no message holds: all members send some, with short ones between them. */
public final class LongMulticastChecks
{
    /** Without fragments one message has at most so many bytes. */
    private static final int SHORT_LENGTH_MAX = 32_768;
    private static final int MIB = 1 << 20;
    private static final int COUNT_MAX = 1_000;

    private LongMulticastChecks()
    {
    }

    /** Lengths around the limits of links with such an MTU, and of what goes without fragments. */
    public static int[] lengths(final int mtu)
    {
        return IntStream.of(mtu - 33, mtu - 32, mtu - 31, mtu - 1, mtu, mtu + 1, mtu * 2, 0, SHORT_LENGTH_MAX - 1,
            SHORT_LENGTH_MAX, SHORT_LENGTH_MAX + 1, 1, MIB, SHORT_LENGTH_MAX * 2 - 64, 100).filter(length ->
            length >= 0 && length <= MIB).toArray();
    }

    /** The nodes have joined their cluster; the group is made here. */
    public static void check(final Members members, final boolean isTotal, final int... lengths)
    {
        final List<List<Integer>> seen = IntStream.range(0, members.size()).mapToObj(i -> (List<Integer>)
            new ArrayList<Integer>()).toList();
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("long", message ->
        {
            check(message, lengths);
            seen.get(node).add(message.argument(3) * COUNT_MAX + message.argument(0));
        }));
        members.all(node ->
        {
            members.node(node).start();
            return null;
        });
        members.join("long");
        members.all(node ->
        {
            final Group group = members.group(node);
            final int self = members.node(node).node().number();
            for (int i = 0; i < lengths.length; i++)
            {
                final MutableDirectBuffer payload = wrap(new byte[lengths[i] + 3]);
                for (int at = 0; at < lengths[i]; at++)
                {
                    payload.putByte(3 + at, expected(self, i, at));
                }
                while (!send(group, handlers.get(node), isTotal, i, self, payload, lengths[i]).isAccepted())
                {
                    members.node(node).endpoint().poll();
                }
                payload.setMemory(0, payload.capacity(), (byte)-1);     // It belongs to the caller again.
            }
            final long beginNs = System.nanoTime();
            while (seen.get(node).size() < lengths.length * members.size() &&
                System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
            {
                members.node(node).endpoint().poll();
            }
            assertEquals(lengths.length * members.size(), seen.get(node).size(), () -> "seen=" + seen.get(node));
            return await(group, group::barrier);
        });
        for (final List<Integer> each : seen)
        {
            final int[] next = new int[64];
            each.forEach(number -> assertEquals(next[number / COUNT_MAX]++, number % COUNT_MAX, each::toString));
        }
        if (isTotal)
        {
            assertEquals(1, new HashSet<>(seen).size(), seen::toString);
        }
    }

    private static void check(final ActiveMessage message, final int... lengths)
    {
        final int origin = message.argument(3);
        assertEquals(message.source().node(), origin);
        assertEquals(lengths[message.argument(0)], message.length());
        for (int at = 0; at < message.length(); at++)
        {
            if (message.buffer().getByte(message.offset() + at) != expected(origin, message.argument(0), at))
            {
                throw new AssertionError("wrong byte at " + at + " of length=" + message.length());
            }
        }
    }

    private static byte expected(final int origin, final int number, final int at)
    {
        return (byte)(origin * 7 + number * 31 + at + (at >> 8) * 13 + (at >> 16) * 5);
    }

    private static SendStatus send(
        final Group group, final HandlerId handler, final boolean isTotal, final int number, final int self,
        final MutableDirectBuffer payload, final int length)
    {
        return isTotal ? group.multicastInTotalOrder(handler, number, 0, 0, self, payload, 3, length) :
            group.multicast(handler, number, 0, 0, self, payload, 3, length);
    }
}
