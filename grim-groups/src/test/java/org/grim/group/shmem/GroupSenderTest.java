// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ContractSupport;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.group.Group;
import org.grim.group.GroupSender;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.grim.group.OutsideChecks;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two members, the first of which owns the group, and a sender that is none. */
@Timeout(180)
final class GroupSenderTest
{
    private static final int SENDER = 2;
    private static final int LENGTH = 10_000;
    private static final int REFUSED_COUNT = 2_000;
    private static final int MANY = 2_000;
    private static final int WINDOW_LENGTH = 1 << 18;
    private static final int RING_LENGTH = 1 << 16;
    private static final int MULTICAST_HANDLER = 14;
    private static final int FIND = 16;
    private static final int OUTSIDE = 19;
    private static final int NUMBER_BEHIND = 4_711;         // Of a message behind those of number 0.

    @TempDir
    private Path directory;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(3);
    private final AtomicIntegerArray lasts = new AtomicIntegerArray(3);
    private final List<List<Integer>> seen = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private final MutableDirectBuffer payload = new UnsafeBuffer(new byte[1 << 18]);
    private List<HandlerId> handlers;
    private Members members;

    /** Without outboxes, which would bound what is sent by themselves. */
    @BeforeEach
    void open()
    {
        members = new Members(ShmemGroupTest.configs(directory, 3).stream().map(config -> config.toBuilder()
            .set("grim.group.outbox-length", 0).set("grim.queue.ring-length", "64KiB").build()).toList());
        handlers = members.all(node -> members.node(node).handlers().register("numbers", message ->
        {
            seen.get(node).add(message.argument(0));
            lasts.set(node, message.argument(0));
            counts.incrementAndGet(node);
        }));
        members.all(node ->
        {
            members.node(node).start();
            return members.node(node).awaitNodes(3, Members.TIMEOUT);
        });
        join(0, 1);
        join(1, 2);
    }

    @AfterEach
    void close()
    {
        members.close();
    }

    @Test
    void shouldHoldBackASenderWhileAMemberDoesNotPoll()
    {
        final CountDownLatch mayPoll = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(1, mayPoll);
        final int accepted = Members.get(members.begin(SENDER, () ->
        {
            final GroupSender sender = openSender();
            int count = 0;
            int refused = 0;
            while (refused < REFUSED_COUNT && count < MANY)
            {
                members.node(SENDER).endpoint().poll();
                final SendStatus status = sender.multicast(handlers.get(SENDER), count, 0, 0, 0, payload, 0, LENGTH);
                count += status.isAccepted() ? 1 : 0;
                refused = status.isAccepted() || counts.get(0) < count - WINDOW_LENGTH / LENGTH ? 0 : refused + 1;
            }
            return count;
        }));
        assertTrue(accepted * LENGTH <= WINDOW_LENGTH + 2 * RING_LENGTH, () -> "accepted=" + accepted);
        mayPoll.countDown();
        assertTrue(Members.get(slow));

        awaitCount(0, accepted);
        awaitCount(1, accepted);
        final List<Integer> numbers = IntStream.range(0, accepted).boxed().toList();
        assertEquals(List.of(numbers, numbers), seen.subList(0, 2));
    }

    @Test
    void shouldGoOnByTheNextOwnerWhenTheOwnerLeaves()
    {
        checkNextOwner(false, false);
    }

    @Test
    void shouldGoOnByTheNextOwnerInTotalOrder()
    {
        checkNextOwner(false, true);
    }

    @Test
    void shouldGoOnByTheNextOwnerWhenTheOwnersNodeIsGone()
    {
        checkNextOwner(true, false);
    }

    /** A long message that the first owner has in part comes whole, or is counted. */
    private void checkNextOwner(final boolean isNodeGone, final boolean isTotal)
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Future<Integer> sending = members.begin(SENDER, () ->
        {
            final GroupSender sender = openSender();
            int count = 0;
            while (!isOver.get())
            {
                count += send(sender, isTotal, count, count % 7 == 0 ? 150_000 : 100) ? 1 : 0;
                members.node(SENDER).endpoint().poll();
            }
            OutsideChecks.awaitReports(members.node(SENDER), sender);
            sender.close();
            return count;
        });
        awaitAtLeast(1, 50);
        Members.get(members.begin(0, () ->
        {
            if (isNodeGone)
            {
                members.node(0).close();
            }
            else
            {
                members.group(0).close();
            }
            return null;
        }));
        awaitAtLeast(1, counts.get(1) + 50);
        isOver.set(true);
        final int accepted = Members.get(sending);
        final long lost = ContractSupport.counter(members.node(SENDER), "multicasts-lost");

        awaitLast(1, accepted - 1);         // Their number does not say it: some that come are counted as lost.
        final List<Integer> numbers = List.copyOf(seen.get(1));
        assertEquals(numbers.stream().sorted().toList(), numbers);
        assertEquals(numbers.size(), new HashSet<>(numbers).size());
        assertTrue(numbers.size() <= accepted && numbers.size() >= accepted - lost,
            () -> "accepted=" + accepted + " lost=" + lost + " seen=" + numbers.size());
    }

    @Test
    void shouldSayThatTheGroupHasEndedAndFindALaterOne()
    {
        final GroupSender sender = Members.get(members.begin(SENDER, this::openSender));
        Members.get(members.begin(1, () ->
        {
            members.group(1).close();
            return null;
        }));
        Members.get(members.begin(0, () ->
        {
            members.group(0).close();
            return null;
        }));
        assertEquals(SendStatus.PEER_GONE, Members.get(members.begin(SENDER, () ->
            sendUntil(sender, SendStatus.PEER_GONE))));
        join(1, 1);
        Members.get(members.begin(SENDER, () ->
        {
            final long beginNs = System.nanoTime();
            while (!send(sender, false, 77, 100) && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
            {
                members.node(SENDER).endpoint().poll();
            }
            sender.close();
            return sendUntil(sender, SendStatus.CLOSED);
        }));
        awaitAtLeast(1, 1);
        assertEquals(77, seen.get(1).get(seen.get(1).size() - 1));
    }

    @Test
    void shouldRefuseWhatIsOutOfRange()
    {
        Members.get(members.begin(SENDER, () ->
        {
            final Groups groups = Groups.of(members.node(SENDER));
            assertThrows(IllegalArgumentException.class, () -> groups.openSender("", Members.TIMEOUT));
            final GrimException missing = findNoGroup(groups);
            assertEquals(GrimException.Reason.NOT_FOUND, missing.reason(), missing::getMessage);
            final GroupSender sender = openSender();
            assertThrows(IllegalArgumentException.class, () -> sender.multicast(
                handlers.get(SENDER), 0, 0, 0, 0, payload, 0, sender.multicastLengthMax() + 1));
            assertThrows(IllegalArgumentException.class, () ->
                sender.multicast(handlers.get(SENDER), 0, 0, 0, 0, payload, 0, -1));
            assertThrows(IndexOutOfBoundsException.class, () -> sender.multicast(
                handlers.get(SENDER), 0, 0, 0, 0, payload, payload.capacity() - 9, 10));
            assertTrue(send(sender, false, 5, 10));
            return null;
        }));
        Members.get(members.begin(0, () ->
        {
            final Groups groups = Groups.of(members.node(0));
            final int self = members.node(0).node().number();
            for (final EndpointId receiver : List.of(EndpointId.of(self + 1, 0, 1), EndpointId.of(self, 0, 99),
                EndpointId.of(self, 3, 1)))
            {
                assertThrows(IllegalArgumentException.class, () ->
                    groups.join("other", receiver, Members.TIMEOUT), receiver::toString);
            }
            assertThrows(NullPointerException.class, () -> groups.join("other", null, Members.TIMEOUT));
            assertThrows(IllegalStateException.class, () ->
                groups.join("workers", EndpointId.of(self, 0, 1), Members.TIMEOUT));
            assertEquals(members.group(0), groups.join("workers", EndpointId.of(self, 0, 0), Members.TIMEOUT));
            return null;
        }));
        awaitCount(1, 1);
    }

    /** Asks for a group that is not there. A node that has not answered within the time is asked again. */
    private static GrimException findNoGroup(final Groups groups)
    {
        final long beginNs = System.nanoTime();
        GrimException missing = null;
        while (missing == null || (missing.reason() == GrimException.Reason.TIMED_OUT &&
            System.nanoTime() - beginNs < Members.TIMEOUT.toNanos()))
        {
            missing = assertThrows(GrimException.class, () -> groups.openSender("none", Duration.ofSeconds(2)));
        }
        return missing;
    }

    /** A node that does not wait for the owner's reports is ended; it costs the owner no more than a window. */
    @Test
    void shouldEndASenderThatExceedsItsWindow()
    {
        final CountDownLatch mayPoll = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(1, mayPoll);
        final int id = Members.get(members.begin(SENDER, () -> findByHand(1)));
        Members.get(members.begin(SENDER, () ->
        {
            final MutableDirectBuffer frame = new UnsafeBuffer(new byte[32 + LENGTH]);
            frame.putInt(0, handlers.get(SENDER).number());
            frame.putInt(4, members.node(SENDER).node().number());
            final long beginNs = System.nanoTime();
            while (ContractSupport.counter(members.node(0), "handler-errors") == 0 &&
                System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
            {
                ContractSupport.sendBuiltIn(members.node(SENDER).endpoint().link(members.node(0).node().endpoint()),
                    MULTICAST_HANDLER, MessageHeader.pair(id, 1), MessageHeader.pair(OUTSIDE, 0), frame, 32 + LENGTH);
                members.node(SENDER).endpoint().poll();
            }
            return null;
        }));
        assertEquals(1, ContractSupport.counter(members.node(0), "handler-errors"));
        mayPoll.countDown();
        assertTrue(Members.get(slow));
        Members.get(members.begin(SENDER, () ->
        {
            final GroupSender sender = openSender();
            while (!send(sender, false, NUMBER_BEHIND, 100))
            {
                members.node(SENDER).endpoint().poll();
            }
            return null;
        }));
        awaitLast(1, NUMBER_BEHIND);
    }

    /** Asks the owner as a sender does, with a round of its own. */
    private int findByHand(final int round)
    {
        final java.util.zip.CRC32 checksum = new java.util.zip.CRC32();
        checksum.update("workers".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        final int id = (int)checksum.getValue() & Integer.MAX_VALUE;
        final MutableDirectBuffer name = new UnsafeBuffer("workers".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        ContractSupport.sendBuiltIn(members.node(SENDER).endpoint().link(members.node(0).node().endpoint()),
            MULTICAST_HANDLER, MessageHeader.pair(id, round), MessageHeader.pair(FIND, 0), name, name.capacity());
        return id;
    }

    private GroupSender openSender()
    {
        return Groups.of(members.node(SENDER)).openSender("workers", Members.TIMEOUT);
    }

    private boolean send(final GroupSender sender, final boolean isTotal, final int number, final int length)
    {
        final HandlerId handler = handlers.get(SENDER);
        return (isTotal ? sender.multicastInTotalOrder(handler, number, 0, 0, 0, payload, 0, length) :
            sender.multicast(handler, number, 0, 0, 0, payload, 0, length)).isAccepted();
    }

    /** Sends until the answer comes, or too long; returns the last answer. */
    private SendStatus sendUntil(final GroupSender sender, final SendStatus awaited)
    {
        final long beginNs = System.nanoTime();
        SendStatus status = null;
        while (status != awaited && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            members.node(SENDER).endpoint().poll();
            status = sender.multicast(handlers.get(SENDER), 0, 0, 0, 0, payload, 0, 8);
        }
        return status;
    }

    private void join(final int node, final int count)
    {
        final Group group = Members.get(members.begin(node, () ->
        {
            final Group joined = Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
            joined.awaitSize(count, Members.TIMEOUT);
            return joined;
        }));
        members.adopt(node, group);
    }

    private void awaitCount(final int node, final int count)
    {
        awaitAtLeast(node, count);
        assertEquals(count, counts.get(node));
    }

    private void awaitLast(final int node, final int number)
    {
        final long beginNs = System.nanoTime();
        while (lasts.get(node) != number && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            Thread.onSpinWait();
        }
        assertEquals(number, lasts.get(node));
    }

    /** The node polls by itself. */
    private void awaitAtLeast(final int node, final int count)
    {
        final long beginNs = System.nanoTime();
        while (counts.get(node) < count && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            Thread.onSpinWait();
        }
        assertTrue(counts.get(node) >= count, () -> "counts=" + counts + " expected=" + count);
    }
}
