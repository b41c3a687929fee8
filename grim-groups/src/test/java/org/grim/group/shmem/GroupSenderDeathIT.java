// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ContractSupport;
import org.grim.HandlerId;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.group.Group;
import org.grim.group.GroupSender;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.grim.group.OutsideChecks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The owner of a group is killed while a node that is no member sends by it. */
@Tag("process")
final class GroupSenderDeathIT
{
    private static final int LENGTH = 3_000;

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(240)
    void shouldGoOnByTheNextOwnerAndCountWhatIsUnknown(@TempDir final Path logs) throws Exception
    {
        try (PeerJvm owner = new PeerJvm(logs.resolve("owner.log"), GroupOwnerMain.class, directory.toString()))
        {
            assertEquals(GroupOwnerMain.OWNS, owner.process().inputReader().readLine());
            try (Members members = new Members(ShmemGroupTest.configs(directory, 2)))
            {
                checkKill(members, owner);
            }
        }
    }

    private static void checkKill(final Members members, final PeerJvm owner)
    {
        final ConcurrentLinkedQueue<Integer> seen = new ConcurrentLinkedQueue<>();
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("numbers",
            message -> seen.add(message.argument(0))));
        members.all(node ->
        {
            members.node(node).start();                 // Gives the handler its number.
            return members.node(node).awaitNodes(3, Members.TIMEOUT);
        });
        Members.get(members.begin(0, () ->
        {
            final Group group = Groups.of(members.node(0)).join("workers", Members.TIMEOUT);
            group.awaitSize(2, Members.TIMEOUT);
            return group;
        }));
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicInteger acceptedCount = new AtomicInteger(-1);      // The owner has not been found.
        final Future<Integer> sending = members.begin(1, () ->
        {
            try (GroupSender sender = Groups.of(members.node(1)).openSender("workers", Members.TIMEOUT))
            {
                acceptedCount.set(0);
                while (!isOver.get())
                {
                    acceptedCount.addAndGet(sender.multicast(handlers.get(1), acceptedCount.get(), 0, 0, 0,
                        new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH).isAccepted() ? 1 : 0);
                    members.node(1).endpoint().poll();
                }
                OutsideChecks.awaitReports(members.node(1), sender);
            }
            return acceptedCount.get();
        });
        awaitMore(seen, 1_000, sending, acceptedCount);
        owner.kill();
        awaitMore(seen, 1_000, sending, acceptedCount);         // By this member, which owns the group now.
        isOver.set(true);
        final int accepted = Members.get(sending);
        final long lost = ContractSupport.counter(members.node(1), "multicasts-lost");
        awaitNumber(seen, accepted - 1);

        final List<Integer> numbers = List.copyOf(seen);
        assertEquals(numbers.stream().sorted().toList(), numbers);
        assertEquals(numbers.size(), new HashSet<>(numbers).size());
        assertEquals(accepted - 1, numbers.get(numbers.size() - 1));
        assertTrue(numbers.size() + lost >= accepted, () ->
            "accepted=" + accepted + " delivered=" + numbers.size() + " lost=" + lost);
    }

    private static void awaitNumber(final ConcurrentLinkedQueue<Integer> seen, final int number)
    {
        final long beginNs = System.nanoTime();
        while (!seen.contains(number) && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitMore(
        final ConcurrentLinkedQueue<Integer> seen, final int count, final Future<Integer> sending,
        final AtomicInteger acceptedCount)
    {
        final int before = seen.size();
        final long beginNs = System.nanoTime();
        while (seen.size() < before + count && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            if (sending.isDone())
            {
                Members.get(sending);               // Throws what has ended it.
            }
            LockSupport.parkNanos(100_000);         // Three loops poll beside this one.
        }
        assertTrue(seen.size() >= before + count, () ->
            "seen=" + seen.size() + " before=" + before + " accepted=" + acceptedCount);
    }
}
