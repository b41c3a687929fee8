// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ContractSupport;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Multicasts that members of one host read in one place. */
@Timeout(180)
final class HostMulticastTest
{
    private static final int MEMBER_COUNT = 4;
    private static final int LENGTH = 40;
    private static final int LINE_LENGTH = 64;
    private static final int HEADS_OFFSET = 1_152;              // Of an outbox.
    private static final int RECORDS_OFFSET = 17_536;           // Of an outbox.
    private static final int SCRIBBLED_LINE_COUNT = 500;
    private static final long SLEEP_MS = 1_000;

    @TempDir
    private Path directory;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(MEMBER_COUNT);
    private final AtomicIntegerArray polls = new AtomicIntegerArray(MEMBER_COUNT);
    private final AtomicIntegerArray lasts = new AtomicIntegerArray(MEMBER_COUNT);
    private final AtomicReferenceArray<String> faults = new AtomicReferenceArray<>(MEMBER_COUNT);
    private final MutableDirectBuffer payload = new UnsafeBuffer(new byte[LENGTH]);
    private List<HandlerId> handlers;
    private Members members;

    @BeforeEach
    void open()
    {
        expectAnything();
        members = new Members(ShmemGroupTest.configs(directory, MEMBER_COUNT));
        handlers = members.all(node ->
            members.node(node).handlers().register("numbers", message -> take(node, message.argument(0))));
        members.all(node ->
        {
            members.node(node).start();
            return null;
        });
        members.join("workers");
    }

    @AfterEach
    void close()
    {
        members.close();
    }

    @Test
    void shouldWriteEachMessageOnce() throws IOException
    {
        final int first = multicastUntilAllRead(0);
        Members.get(members.begin(0, () ->
        {
            final long sentBefore = sentCount();
            send(members.group(0), first, first + 1_000);
            final long sentCount = sentCount() - sentBefore;
            assertTrue(sentCount >= 1_000 && sentCount < 1_100, () -> "sent=" + sentCount);
            return null;
        }));
        awaitLast(first + 999);
        requireNoFault();
        assertEquals(1, outboxes().size());
    }

    /** A bell may be lost, as it costs no more than the sleep that the sleeper has chosen: not often. */
    @Test
    void shouldWakeMembersThatSleep()
    {
        final int first = multicastUntilAllRead(0);
        final int count = 20;
        final AtomicIntegerArray oversleptCounts = new AtomicIntegerArray(MEMBER_COUNT);
        final List<Future<Object>> sleepers = new ArrayList<>();
        for (int i = 1; i < MEMBER_COUNT; i++)
        {
            final int node = i;
            sleepers.add(members.begin(node, () ->
            {
                final Grim grim = members.node(node);
                try (Selector selector = Selector.open())
                {
                    final Endpoint.Doorbell doorbell = grim.endpoint().doorbell();
                    doorbell.listen(selector);
                    while (lasts.get(node) < first + count - 1)
                    {
                        if (grim.endpoint().poll() == 0 && doorbell.prepareToSleep())
                        {
                            final boolean hasRung = selector.select(SLEEP_MS) > 0;
                            selector.selectedKeys().clear();
                            doorbell.awake();
                            // Of no message if the sender was late.
                            final int workCount = grim.endpoint().poll();
                            oversleptCounts.addAndGet(node, hasRung || workCount == 0 ? 0 : 1);
                        }
                    }
                }
                return null;
            }));
        }
        Members.get(members.begin(0, () ->
        {
            for (int i = 0; i < count; i++)
            {
                final int number = first + i;
                Uninterrupted.park(12_000_000);             // They sleep.
                send(members.group(0), number, number + 1);
                awaitSo(() -> IntStream.range(1, MEMBER_COUNT).allMatch(node -> lasts.get(node) >= number));
            }
            return null;
        }));
        sleepers.forEach(Members::get);
        for (int node = 1; node < MEMBER_COUNT; node++)
        {
            assertTrue(oversleptCounts.get(node) < count / 2, oversleptCounts::toString);
        }
        requireNoFault();
    }

    /** The message that lets a member in stands behind others that went straight: the end must not overtake it. */
    @Test
    void shouldReadWhatASenderThatHasLeftWroteBeforeAMemberKnewThatItIsLetIn()
    {
        final int straightCount = 500;
        final CountDownLatch end = new CountDownLatch(1);
        final List<Future<Boolean>> slow = new ArrayList<>();
        final int next = Members.get(members.begin(0, () ->
        {
            send(members.group(0), 0, 1);                   // Offers the outbox.
            awaitSo(() -> IntStream.range(1, MEMBER_COUNT).allMatch(node -> lasts.get(node) == 0));
            Uninterrupted.park(50_000_000);                 // All have mapped it, which this node does not know yet.
            slow.add(members.pause(3, end));
            send(members.group(0), 1, 1 + straightCount);
            int number = 1 + straightCount;
            for (long sent = 0; sent != 1; number++)
            {
                members.node(0).endpoint().poll();
                final long sentBefore = sentCount();
                send(members.group(0), number, number + 1);
                sent = sentCount() - sentBefore;
            }
            members.node(0).close();
            return number;
        }));
        end.countDown();
        assertTrue(Members.get(slow.get(0)));
        awaitSo(() -> lasts.get(3) == next - 1);
        requireNoFault();
    }

    @Test
    void shouldReachAllThatStayWhileOthersComeAndGo()
    {
        final int first = multicastUntilAllRead(0);
        final AtomicIntegerArray ends = new AtomicIntegerArray(1);
        final Future<Integer> sender = members.begin(0, () ->
        {
            int number = first;
            while (ends.get(0) == 0)
            {
                send(members.group(0), number, number + 1);
                number++;
                members.group(0).renew(Members.TIMEOUT);
                members.node(0).endpoint().poll();
            }
            return number;
        });
        for (int i = 0; i < 30; i++)
        {
            final int node = 2 + i % 2;
            Members.get(members.begin(node, () ->
            {
                final Group group = Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
                group.close();
                lasts.set(node, -1);
                final int before = counts.get(node);
                Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
                while (counts.get(node) < before + 20)
                {
                    members.node(node).endpoint().poll();
                }
                return null;
            }));
        }
        ends.set(0, 1);
        final int number = Members.get(sender);
        awaitLast(number - 1);
        requireNoFault();
        assertTrue(counts.get(1) == number, () -> "came=" + counts.get(1) + " sent=" + number);
    }

    @Test
    void shouldGoOnAfterAnOutboxWasCorrupted() throws IOException
    {
        final int first = multicastUntilAllRead(0);
        try (MappedFile file = MappedFile.openForeign(outboxes().get(0), 1 << 12, true))
        {
            publishNonsense(file.buffer());
        }
        for (final int node : new int[] {0, 1, 2, 3})
        {
            awaitSo(() -> ContractSupport.counter(members.node(node), "rejected CORRUPT_STATE") == 1);
        }
        // Messages from before the sender knows would be lost: members report first, and come to the barrier then.
        members.all(node ->
        {
            while (!isHousekept(node))
            {
                members.node(node).endpoint().poll();
            }
            final Group.Request request = members.group(node).newRequest();
            members.group(node).barrier(request);
            return request.await();
        });
        expectAnything();
        multicastUntilAllRead(first);
        requireNoFault();
    }

    @Test
    void shouldLoseNothingWhenHeadsAreScribbledOn() throws IOException
    {
        int next = multicastUntilAllRead(0);
        try (MappedFile file = MappedFile.openForeign(outboxes().get(0), 1 << 12, true))
        {
            for (final long nonsense : new long[] {-1, 0, 64, Long.MAX_VALUE, Long.MIN_VALUE})
            {
                for (int reader = 0; reader < MEMBER_COUNT; reader++)
                {
                    file.buffer().putLongVolatile(HEADS_OFFSET + reader * LINE_LENGTH, nonsense);
                }
                sendFromOwner(next, 10_000);
                next += 10_000;
            }
        }
        awaitLast(next - 1);
        requireNoFault();
        assertEquals(1, outboxes().size());
        assertEquals(Collections.nCopies(MEMBER_COUNT, next),
            IntStream.range(0, MEMBER_COUNT).mapToObj(counts::get).toList());
    }

    @Test
    void shouldGoOnAfterRecordsWereScribbledOnThatAMemberHasNotRead() throws IOException
    {
        final int first = multicastUntilAllRead(0);
        final CountDownLatch end = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(3, end);
        sendFromOwner(first, 5);
        awaitSo(() -> IntStream.range(0, 3).allMatch(node -> lasts.get(node) == first + 4));
        try (MappedFile file = MappedFile.openForeign(outboxes().get(0), 1 << 12, true))
        {
            for (int line = 0; line < SCRIBBLED_LINE_COUNT; line++)
            {
                file.buffer().putIntVolatile(RECORDS_OFFSET + line * LINE_LENGTH, -1);
            }
        }
        lasts.set(3, -1);
        end.countDown();
        assertTrue(Members.get(slow));
        final AtomicInteger next = new AtomicInteger(first + 5);
        awaitSo(() ->
        {
            sendFromOwner(next.get(), 1);
            Uninterrupted.park(1_000_000);
            return lasts.get(3) == next.getAndIncrement();
        });
        sendFromOwner(next.get(), 1_000);
        awaitLast(next.get() + 999);
        requireNoFault();
    }

    private void sendFromOwner(final int from, final int count)
    {
        Members.get(members.begin(0, () ->
        {
            send(members.group(0), from, from + count);
            return null;
        }));
    }

    /** Behind the last record, one that is too short: its stamp is the number of its line, and its length follows. */
    private static void publishNonsense(final AtomicBuffer buffer)
    {
        int line = 0;
        while (buffer.getInt(RECORDS_OFFSET + line * LINE_LENGTH) == line + 1)
        {
            line += (buffer.getInt(RECORDS_OFFSET + line * LINE_LENGTH + Integer.BYTES) - 1) / LINE_LENGTH + 1;
        }
        buffer.putInt(RECORDS_OFFSET + line * LINE_LENGTH + Integer.BYTES, 1);
        buffer.putIntVolatile(RECORDS_OFFSET + line * LINE_LENGTH, line + 1);
    }

    /** Polls often enough for all that is not done at each poll. */
    private boolean isHousekept(final int node)
    {
        return polls.incrementAndGet(node) > 10_000;
    }

    private void expectAnything()
    {
        for (int node = 0; node < MEMBER_COUNT; node++)
        {
            lasts.set(node, -1);
        }
    }

    private void take(final int node, final int number)
    {
        if (number != lasts.get(node) + 1 && lasts.get(node) >= 0)
        {
            faults.compareAndSet(node, null, "member=" + node + " number=" + number + " last=" + lasts.get(node));
        }
        counts.incrementAndGet(node);
        lasts.set(node, number);
    }

    /** Sends from member 0 until a message goes out once; returns the number that is next. */
    private int multicastUntilAllRead(final int from)
    {
        final int next = Members.get(members.begin(0, () ->
        {
            int number = from;
            for (long sent = 0; sent != 1 || number < from + 10; number++)
            {
                final long sentBefore = sentCount();
                send(members.group(0), number, number + 1);
                sent = sentCount() - sentBefore;
                members.node(0).endpoint().poll();
                Uninterrupted.park(100_000);
            }
            return number;
        }));
        awaitLast(next - 1);
        return next;
    }

    private void send(final Group group, final int from, final int to)
    {
        for (int number = from; number < to; number++)
        {
            while (!group.multicast(handlers.get(0), number, 0, 0, 0, payload, 0, LENGTH).isAccepted())
            {
                members.node(0).endpoint().poll();
            }
        }
    }

    private void awaitLast(final int number)
    {
        awaitSo(() -> IntStream.range(0, MEMBER_COUNT).allMatch(node -> lasts.get(node) == number));
    }

    private void awaitSo(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + Members.TIMEOUT.toNanos();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "last=" + lasts + " faults=" + faults);
            Uninterrupted.park(100_000);
        }
    }

    private void requireNoFault()
    {
        for (int node = 0; node < MEMBER_COUNT; node++)
        {
            assertEquals(null, faults.get(node));
        }
    }

    private long sentCount()
    {
        return ContractSupport.counter(members.node(0), "messages-sent channel=0");
    }

    private List<Path> outboxes() throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter(file -> file.getFileName().toString().contains("multicast-")).toList();
        }
    }
}
