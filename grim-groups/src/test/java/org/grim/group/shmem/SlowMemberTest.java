// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ContractSupport;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.grim.group.Reduction;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Groups with a member that does not poll for a while, or that fills a claim and polls meanwhile. */
@Timeout(120)
final class SlowMemberTest
{
    private static final int OWNER = 0;
    private static final int SENDER = 1;
    private static final int SLOW = 2;
    private static final int MEMBER_COUNT = 3;
    private static final int LENGTH = 10_000;
    private static final int CLAIM_LENGTH = 100;

    @TempDir
    private Path directory;

    private final List<List<Integer>> seen = IntStream.range(0, MEMBER_COUNT)
        .mapToObj(i -> Collections.synchronizedList(new ArrayList<Integer>())).toList();
    private final MutableDirectBuffer payload = new UnsafeBuffer(new byte[LENGTH]);
    private final HopClaim claim = new HopClaim();
    private List<HandlerId> handlers;
    private Members members;

    @AfterEach
    void close()
    {
        members.close();
    }

    @Test
    void shouldKeepOneOrderOfAllThatWasAcceptedWhenAMemberIsSlow() throws Exception
    {
        open(1 << 17);
        final CountDownLatch end = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(SLOW, end);
        final List<Integer> accepted = new ArrayList<>(sendOrdered(SENDER, 0, 300));

        end.countDown();
        assertTrue(Members.get(slow));
        accepted.addAll(sendOrdered(SENDER, 300, 310));

        assertTrue(accepted.size() < 310, "a window is not bounded");
        awaitSo(() -> seen.stream().allMatch(numbers -> numbers.size() >= accepted.size()));
        assertEquals(Collections.nCopies(MEMBER_COUNT, accepted), seen);
        requireNoErrors();
    }

    @Test
    void shouldSendAMulticastWholeWhenAClaimEnds()
    {
        open(0);
        final List<SendStatus> statuses = Members.get(members.begin(OWNER, () ->
        {
            beginClaim(SLOW);
            final List<SendStatus> results = List.of(multicast(OWNER, 0), multicast(OWNER, 1));
            claim.abort();
            return results;
        }));

        awaitSo(() -> seen.stream().allMatch(numbers -> numbers.size() == 1));
        assertEquals(List.of(SendStatus.QUEUED, SendStatus.BACK_PRESSURED), statuses);
        assertEquals(Collections.nCopies(MEMBER_COUNT, List.of(0)), seen);
        requireNoErrors();
    }

    @Test
    void shouldOfferItsOutboxWhenAClaimEnds()
    {
        open(1 << 17);
        Members.get(members.begin(OWNER, () ->
        {
            beginClaim(SENDER);
            assertEquals(SendStatus.QUEUED, multicast(OWNER, 0));
            assertEquals(SendStatus.BACK_PRESSURED, multicast(OWNER, 1));
            claim.abort();
            return null;
        }));
        awaitSo(() -> Members.get(members.begin(OWNER, () -> multicast(OWNER, 2))) == SendStatus.SENT);

        awaitSo(() -> seen.stream().allMatch(numbers -> numbers.size() == 2));
        assertEquals(Collections.nCopies(MEMBER_COUNT, List.of(0, 2)), seen);
        requireNoErrors();
    }

    @Test
    void shouldGiveATicketToAllWhenAClaimEnds() throws Exception
    {
        open(1 << 17);
        Members.get(members.begin(OWNER, () -> beginClaim(SLOW)));
        final List<Integer> accepted = new ArrayList<>(sendOrdered(SENDER, 0, 1));
        awaitSo(() -> !seen.get(SENDER).isEmpty());         // The owner polls, and has begun the fan-out.

        Members.get(members.begin(OWNER, () ->
        {
            claim.abort();
            return null;
        }));
        for (int i = 1; i < 11; i++)
        {
            final int number = i;
            awaitSo(() -> accepted.addAll(sendOrdered(SENDER, number, number + 1)));
        }

        awaitSo(() -> seen.stream().allMatch(numbers -> numbers.size() >= accepted.size()));
        assertEquals(Collections.nCopies(MEMBER_COUNT, IntStream.range(0, 11).boxed().toList()), seen);
        requireNoErrors();
    }

    @Test
    void shouldGoOnWithAnOperationWhenAClaimEnds()
    {
        open(1 << 17);
        final Reduction sum = Reduction.of(Reduction.Type.INT, Reduction.Operation.SUM);
        final List<Status> statuses = members.all(node ->
        {
            final Group.Request request = members.group(node).newRequest();
            if (node == OWNER)
            {
                beginClaim(SENDER);
            }
            members.group(node).allReduce(payload, 0, new UnsafeBuffer(new byte[40]), 0, 10, sum, request);
            if (node == OWNER)
            {
                IntStream.range(0, 100).forEach(i -> members.node(node).endpoint().poll());
                claim.abort();
            }
            return request.await();
        });

        assertEquals(Collections.nCopies(MEMBER_COUNT, Status.DONE), statuses);
        requireNoErrors();
    }

    @Test
    void shouldSendItsBacklogBeforeAMemberLeaves()
    {
        open(0);
        final CountDownLatch end = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(SLOW, end);
        final Future<Integer> sent = members.begin(SENDER, () ->
        {
            final int count = multicastUntilRefused(SENDER);
            end.countDown();
            // This thread does not poll: the slow member has read all but the backlog, for which there is room.
            awaitSo(() -> seen.get(SLOW).size() == count - 1);
            Members.get(members.begin(SLOW, () -> members.node(SLOW).endpoint().poll()));
            members.group(SENDER).close();
            return count;
        });

        assertTrue(Members.get(slow));
        final int count = Members.get(sent);
        awaitSo(() -> seen.get(SLOW).size() == count && seen.get(OWNER).size() == count);
        requireNoErrors();
    }

    @Test
    void shouldCountTheBacklogThatAMemberLeavesBehind()
    {
        open(0);
        final CountDownLatch end = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(SLOW, end);
        final int count = Members.get(members.begin(SENDER, () ->
        {
            final int accepted = multicastUntilRefused(SENDER);
            members.group(SENDER).close();
            return accepted;
        }));

        end.countDown();
        assertTrue(Members.get(slow));
        awaitSo(() -> seen.get(SLOW).size() == count - 1);
        assertEquals(1, ContractSupport.counter(members.node(SENDER), "multicasts-lost"));
        for (final int node : new int[] {OWNER, SLOW})
        {
            awaitSo(() -> Members.get(members.begin(node, members.group(node)::isChanged)));
        }
    }

    @Test
    void shouldCountTheBacklogOfAGroupThatIsOpenWhenItsNodeLeaves()
    {
        open(0);
        final CountDownLatch end = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(SLOW, end);
        final long lostCount = Members.get(members.begin(SENDER, () ->
        {
            multicastUntilRefused(SENDER);
            members.node(SENDER).close();
            final long lost = ContractSupport.counter(members.node(SENDER), "multicasts-lost");
            members.group(SENDER).close();
            assertEquals(lost, ContractSupport.counter(members.node(SENDER), "multicasts-lost"));
            return lost;
        }));

        end.countDown();
        assertTrue(Members.get(slow));
        assertEquals(1, lostCount);
    }

    @Test
    void shouldAnswerClosedToOperationsWhenItsNodeHasLeft()
    {
        open(0);
        final List<Status> statuses = Members.get(members.begin(SENDER, () ->
        {
            final Group group = members.group(SENDER);
            final List<Group.Request> requests = List.of(group.newRequest(), group.newRequest(), group.newRequest());
            group.barrier(requests.get(0));
            members.node(SENDER).close();
            group.barrier(requests.get(1));
            final UnsafeBuffer memory = new UnsafeBuffer(new byte[16]);
            group.allReduce(memory, 0, memory, 8, 1, Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM),
                requests.get(2));
            return requests.stream().map(Group.Request::await).toList();
        }));

        assertEquals(Collections.nCopies(3, Status.CLOSED), statuses);
    }

    @Test
    void shouldCountOrdersThatHaveNoTicketWhenTheirOwnerLeaves()
    {
        open(1 << 17);
        final CountDownLatch end = new CountDownLatch(1);
        final Future<Boolean> slow = members.pause(SLOW, end);
        final List<Integer> accepted = sendOrdered(SENDER, 0, 300);
        Members.get(members.begin(OWNER, () ->
        {
            members.group(OWNER).close();
            return null;
        }));

        end.countDown();
        assertTrue(Members.get(slow));
        awaitSo(() -> Members.get(members.begin(SENDER, members.group(SENDER)::isChanged)));
        final int seenCount = seen.get(SENDER).size();
        final long lostCount = ContractSupport.counter(members.node(SENDER), "multicasts-lost");
        assertTrue(lostCount > 0 && accepted.size() == seenCount + lostCount,
            () -> "accepted=" + accepted.size() + " seen=" + seenCount + " lost=" + lostCount);
        awaitSo(() -> seen.get(SLOW).size() >= seenCount - 1);
        assertEquals(accepted.subList(0, seenCount), seen.get(SENDER));
        final List<Integer> ofSlow = List.copyOf(seen.get(SLOW));           // The last one may still come.
        assertEquals(accepted.subList(0, ofSlow.size()), ofSlow);
    }

    @Test
    void shouldAnswerClosedToMulticastsOfOneThatHasLeft()
    {
        open(1 << 17);
        final List<SendStatus> statuses = Members.get(members.begin(SENDER, () ->
        {
            final List<SendStatus> results = new ArrayList<>();
            members.group(SENDER).close();
            results.add(multicast(SENDER, 0));
            members.node(SENDER).close();
            results.add(multicast(SENDER, 0));
            results.add(members.group(SENDER).multicastInTotalOrder(
                handlers.get(SENDER), 0, 0, 0, 0, payload, 0, 10));
            return results;
        }));
        final SendStatus late = Members.get(members.begin(SLOW, () ->
        {
            members.node(SLOW).close();
            return multicast(SLOW, 0);
        }));

        assertEquals(Collections.nCopies(3, SendStatus.CLOSED), statuses);
        assertEquals(SendStatus.CLOSED, late);
    }

    /** Returns how many were accepted when only the slow member lacks the last one. */
    private int multicastUntilRefused(final int node)
    {
        int count = 0;
        boolean isRefused = false;
        while (!isRefused || seen.get(OWNER).size() < count || seen.get(SENDER).size() < count)
        {
            members.node(node).endpoint().poll();
            isRefused = !members.group(node).multicast(
                handlers.get(node), count, 0, 0, 0, payload, 0, LENGTH).isAccepted();
            count += isRefused ? 0 : 1;
        }
        return count;
    }

    private void open(final int outboxLength)
    {
        members = new Members(IntStream.range(0, MEMBER_COUNT).mapToObj(i -> GrimConfig.builder().nodeName("m" + i)
            .set("grim.transports", List.of("shmem")).set("grim.cluster.directory", directory.toString())
            .set("grim.queue.slot-count", 64).set("grim.queue.ring-length", "128KiB")
            .set("grim.overflow.ceiling", 1_000_000).set("grim.group.outbox-length", outboxLength).build()).toList());
        handlers = members.all(node -> members.node(node).handlers().register("numbers", message ->
            seen.get(node).add(message.argument(0))));
        members.all(node ->
        {
            members.node(node).start();
            return null;
        });
        for (int i = 0; i < MEMBER_COUNT; i++)
        {
            final int node = i;                         // Its rank, too: the slow one is the last to get a ticket.
            Members.get(members.begin(node, () -> Groups.of(members.node(node)).join("workers", Members.TIMEOUT)));
        }
        members.join("workers");
    }

    private boolean beginClaim(final int to)
    {
        final Grim node = members.node(OWNER);
        final SendStatus status = node.endpoint().link(members.node(to).endpoint().id())
            .tryClaim(handlers.get(OWNER), CLAIM_LENGTH, claim);
        assertEquals(SendStatus.SENT, status);
        return true;
    }

    private SendStatus multicast(final int node, final int number)
    {
        return members.group(node).multicast(handlers.get(node), number, 0, 0, 0, payload, 0, 10);
    }

    /** Polls between sends, and has the owner poll; returns what was accepted. */
    private List<Integer> sendOrdered(final int node, final int first, final int end)
    {
        return Members.get(members.begin(node, () ->
        {
            final List<Integer> accepted = new ArrayList<>();
            for (int number = first; number < end; number++)
            {
                if (members.group(node).multicastInTotalOrder(
                    handlers.get(node), number, 0, 0, 0, payload, 0, LENGTH).isAccepted())
                {
                    accepted.add(number);
                }
                for (int i = 0; i < 10; i++)
                {
                    members.node(node).endpoint().poll();
                    Uninterrupted.park(20_000);
                }
                // Otherwise it may be the owner that is slow, and not the member that is meant.
                Members.get(members.begin(OWNER, () -> members.node(OWNER).endpoint().poll()));
            }
            return accepted;
        }));
    }

    private void requireNoErrors()
    {
        for (int node = 0; node < MEMBER_COUNT; node++)
        {
            assertEquals(0, ContractSupport.counter(members.node(node), "handler-errors"));
            assertEquals(0, ContractSupport.counter(members.node(node), "multicasts-lost"));
        }
    }

    private static void awaitSo(final BooleanSupplier isSo)
    {
        final long beginNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - beginNs < Members.TIMEOUT.toNanos(), "not so in time");
            Uninterrupted.park(1_000_000);
        }
    }
}
