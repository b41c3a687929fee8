// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.agrona.MutableDirectBuffer;
import org.grim.Allocation;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.board.counters.NiCounterKind;
import org.grim.buffer.Buffers;
import org.grim.counters.CountersView;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Multicasts of groups along trees of network interfaces: members that change, fragments, full queues. */
@Timeout(180)
final class TreeMulticastTest
{
    private static final int NODE_COUNT_MAX = 64;
    private static final int NUMBER_COUNT = 1 << 20;
    private static final int RUN_COUNT_MAX = 300;

    @TempDir
    private Path directory;
    private Members members;
    /** Per receiver: what came, as origin and number. */
    private final List<List<Integer>> seen = new ArrayList<>();
    private List<HandlerId> handlers;
    private int victim = -1;

    @AfterEach
    void close()
    {
        members.close();
    }

    /** Each message takes some fragments, those of all members are interleaved, and queues are full. */
    @Test
    void shouldReassembleFragmentsOfSeveralSourcesInOneOrder() throws Exception
    {
        open(4, "grim.myrinet.arrival.frame-length", "2KiB", "grim.myrinet.arrival.frame-count", 4,
            "grim.myrinet.queue-length", "16KiB");
        members.join("workers");
        final int count = 40;

        members.all(node ->
        {
            send(node, 0, count, 12_000 + node);
            awaitSeen(node, count * 4);
            return null;
        });

        for (int i = 0; i < 4; i++)
        {
            assertEquals(seen.get(0), seen.get(i));
        }
        checkOrder(0, count);
        awaitTickets(4 * count * 6);
        assertEquals(0, counted(NiCounterKind.MULTICAST_LOST));
    }

    @Test
    void shouldLoseNothingWhileMembersJoinAndLeave() throws Exception
    {
        open(3, "grim.myrinet.arrival.frame-length", "2KiB", "grim.myrinet.arrival.frame-count", 4,
            "grim.myrinet.queue-length", "16KiB");
        members.all(node -> node == 2 ? null : joinGroup(node, 2));
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicInteger[] sent = {new AtomicInteger(), new AtomicInteger()};
        final List<Future<Object>> senders = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            final int node = i;
            senders.add(members.begin(node, () ->
            {
                while (!isOver.get())
                {
                    send(node, sent[node].get(), 1, 6_000);
                    if (sent[node].incrementAndGet() % 32 == 0)
                    {
                        members.node(node).endpoint().poll();   // Mostly by what is under way, then by back pressure.
                    }
                }
                return null;
            }));
        }

        for (int round = 0; round < 6; round++)
        {
            Members.get(members.begin(2, () ->
            {
                final Group group = Groups.of(members.node(2)).join("workers", Members.TIMEOUT);
                final int before = seen.get(2).size();
                awaitSeen(2, before + 5);
                group.close();
                return null;
            }));
        }
        isOver.set(true);
        senders.forEach(Members::get);

        for (int i = 0; i < 2; i++)
        {
            final int node = i;
            Members.get(members.begin(node, () ->
            {
                awaitSeen(node, sent[0].get() + sent[1].get());
                return null;
            }));
            checkOrder(node, -1);
        }
        awaitTickets(sent[0].get() + sent[1].get());
    }

    @Test
    void shouldGoOnWithoutAMemberThatDied() throws Exception
    {
        checkDeath(false);
    }

    @Test
    void shouldGoOnWithoutAnOwnerThatDied() throws Exception
    {
        checkDeath(true);
    }

    @Test
    void shouldAllocateNothingWhenWarm() throws Exception
    {
        open(2, "grim.liveness.interval", "1m");
        final int[] counts = new int[2];
        final List<HandlerId> counting = members.all(node ->
        {
            final HandlerId id = members.node(node).handlers().register("count", message -> counts[node]++);
            members.node(node).start();
            return id;
        });
        members.join("workers");
        final CountDownLatch both = new CountDownLatch(2);
        final AtomicLongArray lengths = new AtomicLongArray(2 * RUN_COUNT_MAX);     // 1 more than was taken.

        final List<Long> taken = members.all(node ->
        {
            final Group group = Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
            final MutableDirectBuffer payload = Buffers.wrap(new byte[64]);
            final Grim grim = members.node(node);
            both.countDown();
            assertTrue(both.await(60, TimeUnit.SECONDS));
            final long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};
            // Until the compiler is done; both know of each other's runs, and so make as many.
            for (int run = 1; run <= RUN_COUNT_MAX && least[0] + least[1] != 0; run++)
            {
                final long before = Allocation.ofThisThread();
                for (int i = 0; i < 200; i++)
                {
                    while (!group.multicast(counting.get(node), i, 0, 0, 0, payload, 0, 64).isAccepted())
                    {
                        grim.endpoint().poll();
                    }
                    grim.endpoint().poll();
                }
                while (counts[node] < run * 400)
                {
                    grim.endpoint().poll();
                }
                lengths.set(2 * run - 2 + node, 1 + Allocation.ofThisThread() - before);
                for (int i = 0; i < 2; i++)
                {
                    while (lengths.get(2 * run - 2 + i) == 0)
                    {
                        grim.endpoint().poll();
                    }
                    least[i] = Math.min(least[i], lengths.get(2 * run - 2 + i) - 1);
                }
            }
            return least[node];
        });

        assertEquals(List.of(0L, 0L), taken);
    }

    private void checkDeath(final boolean isOwner) throws Exception
    {
        open(3);
        members.join("workers");
        final List<Integer> ranks = members.all(node -> members.group(node).rank());
        victim = ranks.indexOf(isOwner ? 0 : 1);
        final int[] survivors = IntStream.range(0, 3).filter(node -> node != victim).toArray();
        members.all(node ->
        {
            send(node, 0, 50, 100);
            return null;
        });
        Members.get(members.begin(victim, () ->
        {
            members.node(victim).close();
            return null;
        }));

        for (final int node : survivors)
        {
            Members.get(members.begin(node, () ->
            {
                send(node, 50, 50, 100);
                members.group(node).renew(Members.TIMEOUT);
                send(node, 100, 50, 100);
                return null;
            }));
        }

        for (final int node : survivors)
        {
            Members.get(members.begin(node, () ->
            {
                final Grim grim = members.node(node);
                for (final int origin : survivors)
                {
                    while (!seen.get(node).contains(members.node(origin).node().number() * NUMBER_COUNT + 149))
                    {
                        grim.endpoint().poll();
                    }
                }
                return null;
            }));
            final int[] next = new int[NODE_COUNT_MAX];
            seen.get(node).forEach(each -> assertTrue(each % NUMBER_COUNT >= next[each / NUMBER_COUNT],
                () -> "twice or out of order: " + each));
            seen.get(node).forEach(each -> next[each / NUMBER_COUNT] = each % NUMBER_COUNT + 1);
            final List<Integer> afterRenewal = IntStream.of(survivors).boxed().flatMap(origin -> IntStream.range(100,
                150).mapToObj(i -> members.node(origin).node().number() * NUMBER_COUNT + i)).toList();
            assertTrue(seen.get(node).containsAll(afterRenewal));
        }
        awaitTickets(100);
    }

    private Object joinGroup(final int node, final int size)
    {
        final Group group = Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
        group.awaitSize(size, Members.TIMEOUT);
        return null;
    }

    private void open(final int count, final Object... more)
    {
        final List<GrimConfig> configs = IntStream.range(0, count).mapToObj(i ->
        {
            final GrimConfig.Builder builder = GrimConfig.builder().nodeName("member-" + i).transports("myrinet")
                .directory(directory).set("grim.myrinet.firmware", "duty-cycle").set("grim.group.ni-multicast", true)
                .set("grim.myrinet.linger", "20ms").set("grim.myrinet.deadline", "30s");
            for (int j = 0; j < more.length; j += 2)
            {
                builder.set((String)more[j], more[j + 1]);
            }
            return builder.build();
        }).toList();
        members = new Members(configs);
        IntStream.range(0, count).forEach(i -> seen.add(new ArrayList<>()));
        handlers = members.all(node -> members.node(node).handlers().register("seen", message ->
        {
            final int number = message.argument(0);
            for (int i = 0; i < message.length(); i++)
            {
                assertEquals((byte)(number + i), message.buffer().getByte(message.offset() + i));
            }
            seen.get(node).add(message.source().node() * NUMBER_COUNT + number);
        }));
        members.all(node ->
        {
            members.node(node).start();
            members.node(node).awaitNodes(count, Members.TIMEOUT);
            return null;
        });
    }

    private void send(final int node, final int first, final int count, final int length)
    {
        final Group group = Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
        final byte[] bytes = new byte[length];
        final MutableDirectBuffer payload = Buffers.wrap(bytes);
        for (int number = first; number < first + count; number++)
        {
            for (int i = 0; i < length; i++)
            {
                bytes[i] = (byte)(number + i);
            }
            while (!group.multicast(handlers.get(node), number, 0, 0, 0, payload, 0, length).isAccepted())
            {
                members.node(node).endpoint().poll();
            }
            Arrays.fill(bytes, (byte)0);
        }
    }

    private void awaitSeen(final int node, final int count)
    {
        while (seen.get(node).size() < count)
        {
            members.node(node).endpoint().poll();
        }
    }

    /** Each origin's numbers rise by one; a count of each if it is not negative. */
    private void checkOrder(final int node, final int count)
    {
        final int[] next = new int[NODE_COUNT_MAX];
        seen.get(node).forEach(each -> assertEquals(next[each / NUMBER_COUNT]++, each % NUMBER_COUNT));
        if (count >= 0)
        {
            assertTrue(IntStream.range(0, members.size()).allMatch(i ->
                next[members.node(i).node().number()] == count));
        }
    }

    /** Boards copy what they count now and then. */
    private void awaitTickets(final long count) throws Exception
    {
        long ticketCount = counted(NiCounterKind.MULTICAST_TICKETS);
        final long deadlineNs = System.nanoTime() + Members.TIMEOUT.toNanos();
        while (ticketCount < count && System.nanoTime() - deadlineNs < 0)
        {
            Thread.sleep(10);
            ticketCount = counted(NiCounterKind.MULTICAST_TICKETS);
        }
        assertTrue(ticketCount >= count, "tickets=" + ticketCount);
    }

    private long counted(final NiCounterKind kind) throws Exception
    {
        members.all(node ->
        {
            if (node != victim)
            {
                IntStream.range(0, 300).forEach(i -> members.node(node).endpoint().poll());
            }
            return null;
        });
        long sum = 0;
        try (Stream<Path> files = Files.list(directory.resolve("default")))
        {
            for (final Path file : files.filter(each -> each.toString().endsWith(".ni")).toList())
            {
                try (CountersView view = new CountersView(file, NiCounterKind.values()))
                {
                    sum += view.readings().stream().filter(each -> each.kind() == kind).mapToLong(each ->
                        each.value()).sum();
                }
            }
        }
        return sum;
    }
}
