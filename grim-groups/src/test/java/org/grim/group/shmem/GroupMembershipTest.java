// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Membership of a group when members are slow, leave, or are different. */
@Timeout(180)
final class GroupMembershipTest
{
    private static final Duration GIVING_UP = Duration.ofSeconds(2);
    private static final int TRIAL_COUNT = 10;

    @TempDir
    private Path directory;

    private Members members;

    @AfterEach
    void close()
    {
        if (members != null)
        {
            members.close();
        }
    }

    @Test
    void shouldGoOnWithAllWhenTheOwnerLeavesWhileAQueueIsFull()
    {
        members = new Members(List.of(config("owner", 4096), config("heir", 4096), config("slow", 4096)));
        members.all(node -> members.node(node).handlers().register("ignored", message ->
        {
            // It is there to be sent.
        }));
        members.join("group");
        final List<Integer> ranks = members.all(node -> members.group(node).rank());
        final int owner = ranks.indexOf(0);
        final int heir = ranks.indexOf(1);
        final int slow = ranks.indexOf(2);
        final CountDownLatch isOver = new CountDownLatch(1);
        final Future<Boolean> pause = members.pause(slow, isOver);

        Members.get(members.begin(owner, () ->
        {
            fill(owner, slow);
            members.group(owner).close();
            members.node(owner).close();
            return true;
        }));
        isOver.countDown();
        Members.get(pause);

        final List<Future<Status>> ends = List.of(goOn(heir), goOn(slow));
        ends.forEach(end -> assertEquals(Status.DONE, Members.get(end)));
        assertEquals(epoch(heir), epoch(slow));
    }

    @Test
    void shouldLoseNoMulticastToAMemberThatHasNoReceiveQueueForIt() throws InterruptedException
    {
        final GrimConfig few = config("few", 4096).toBuilder().set("grim.queue.exclusive", 2)
            .set("grim.queue.shared", 0).set("grim.group.outbox-length", 0).build();
        members = new Members(List.of(config("owner", 4096), few,
            config("sender", 4096).toBuilder().set("grim.group.outbox-length", 0).build(), config("taker", 4096)));
        final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("n", message ->
        {
            if (node == 1)
            {
                seen.add(message.argument(0));
            }
        }));
        members.all(node ->
        {
            members.node(node).start();
            members.node(node).awaitNodes(4, Members.TIMEOUT);
            return null;
        });
        // The owner has one of its two queues, or gets it when it lets the member in.
        assertEquals(SendStatus.SENT, Members.get(members.begin(3, () -> members.node(3).endpoint()
            .link(members.node(1).endpoint().id()).send(HandlerId.of(99), 0, 0, 0, 0))));
        Members.get(join(0));
        final Future<Group> other = join(1);
        final Future<SendStatus> sent = members.begin(2, () ->
        {
            final Group group = Groups.of(members.node(2)).join("group", Members.TIMEOUT);
            group.awaitSize(3, Members.TIMEOUT);
            return group.multicast(handlers.get(2), 7, 0, 0, 0, new UnsafeBuffer(0, 0), 0, 0);
        });
        Thread.sleep(GIVING_UP.toMillis());
        Members.get(members.begin(3, () ->
        {
            members.node(3).close();
            return true;
        }));

        Members.get(other);
        assertTrue(Members.get(sent).isAccepted());
        final long beginNs = System.nanoTime();
        while (seen.isEmpty() && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            Uninterrupted.park(1_000_000);
        }
        assertEquals(List.of(7), seen);
    }

    @Test
    void shouldGoOnWithoutANodeThatGaveUpJoining() throws InterruptedException
    {
        members = new Members(List.of(config("owner", 4096), config("late", 4096)));
        final Group group = Members.get(members.begin(0, () ->
        {
            members.node(0).awaitNodes(2, Members.TIMEOUT);
            return Groups.of(members.node(0)).join("group", Members.TIMEOUT);
        }));
        boolean isChanged = false;
        for (int i = 0; i < TRIAL_COUNT && !isChanged; i++)
        {
            giveUpJoining();
            // Not so if the owner was too late to answer: then the other one has not asked to be let in.
            isChanged = Members.get(members.begin(0, () -> hasChanged(group)));
        }
        assertTrue(isChanged, "the owner has not let the other one in");
        assertEquals(Status.DONE, Members.get(members.begin(0, () -> barrier(group, 1))));
    }

    private Future<Group> join(final int node)
    {
        return members.begin(node, () -> Groups.of(members.node(node)).join("group", Members.TIMEOUT));
    }

    /** The owner answers a question of the other one, and nothing after that until the other one has given up. */
    private void giveUpJoining() throws InterruptedException
    {
        final CountDownLatch isListening = new CountDownLatch(1);
        final CountDownLatch hasGivenUp = new CountDownLatch(1);
        final Future<Boolean> pause = members.begin(0, () ->
        {
            final long sent = sentCount(0);
            isListening.countDown();
            while (sentCount(0) == sent)
            {
                members.node(0).endpoint().poll();                 // Until the question of the other one is answered.
            }
            hasGivenUp.await();
            return true;
        });
        isListening.await();

        final GrimException timeout = Members.get(members.begin(1, () -> assertThrows(
            GrimException.class, () -> Groups.of(members.node(1)).join("group", GIVING_UP))));
        hasGivenUp.countDown();
        Members.get(pause);

        assertEquals(GrimException.Reason.TIMED_OUT, timeout.reason());
        assertTrue(timeout.getMessage().contains("nodes=[node=0 name=" + members.node(0).node().name() + "]"),
            timeout.getMessage());
    }

    /** All that has been sent to the owner is there: some polls take it. */
    private boolean hasChanged(final Group group)
    {
        for (int i = 0; i < 1_000 && !group.isChanged(); i++)
        {
            members.node(0).endpoint().poll();
        }
        return group.isChanged();
    }

    @Test
    void shouldJoinAgainWhenNewsOfMembersCameWhileItLeft()
    {
        members = new Members(List.of(
            config("first", 4096), config("second", 4096), config("third", 4096), config("fourth", 4096)));
        members.all(node -> members.node(node).handlers().register("ignored", message ->
        {
            // It is there to be sent.
        }));
        members.join("group");
        final List<Integer> ranks = members.all(node -> members.group(node).rank());
        final int leaver = ranks.indexOf(1);
        final CountDownLatch isOver = new CountDownLatch(1);
        final Future<Boolean> pause = members.pause(ranks.indexOf(2), isOver);

        final Future<Boolean> leave = members.begin(leaver, () ->
        {
            final HandlerId ignored = members.node(leaver).handlers().resolve("ignored");
            final UnsafeBuffer payload = new UnsafeBuffer(new byte[10]);
            while (members.group(leaver).multicast(ignored, 0, 0, 0, 0, payload, 0, 10).isAccepted())
            {
                assertTrue(members.node(leaver).endpoint().poll() >= 0);
            }
            members.group(leaver).close();              // Waits for the slow one.
            return true;
        });
        Members.get(members.begin(ranks.indexOf(3), () ->
        {
            members.group(ranks.indexOf(3)).close();
            return true;
        }));
        Members.get(leave);
        isOver.countDown();
        Members.get(pause);

        final Group again = Members.get(
            members.begin(leaver, () -> Groups.of(members.node(leaver)).join("group", Members.TIMEOUT)));
        assertEquals(again.size() - 1, again.rank());
    }

    @Test
    void shouldRefuseANodeWhoseLongestMessageIsAnother()
    {
        final GrimConfig second = config("second", 4096).toBuilder().set("grim.message.length-max", "1MiB").build();
        members = new Members(List.of(config("first", 4096), second));
        Members.get(members.begin(0, () ->
        {
            members.node(0).awaitNodes(2, Members.TIMEOUT);
            return Groups.of(members.node(0)).join("group", Members.TIMEOUT);
        }));

        final GrimException refusal = Members.get(members.begin(1, () ->
        {
            members.node(1).awaitNodes(2, Members.TIMEOUT);
            return assertThrows(
                GrimException.class, () -> Groups.of(members.node(1)).join("group", Members.TIMEOUT));
        }));

        assertTrue(refusal.getMessage().contains("grim.message.length-max=1048576 at node=1"), refusal::getMessage);
    }

    @Test
    void shouldRefuseANodeWhoseSettingsAreDifferent()
    {
        members = new Members(List.of(config("first", 0), config("second", 4096)));
        final Group group = Members.get(members.begin(0, () ->
        {
            members.node(0).awaitNodes(2, Members.TIMEOUT);
            return Groups.of(members.node(0)).join("group", Members.TIMEOUT);
        }));

        final GrimException refusal = Members.get(members.begin(1, () ->
        {
            members.node(1).awaitNodes(2, Members.TIMEOUT);
            return assertThrows(
                GrimException.class, () -> Groups.of(members.node(1)).join("group", Members.TIMEOUT));
        }));

        assertEquals(GrimException.Reason.UNAVAILABLE, refusal.reason());
        assertTrue(refusal.getMessage().contains("grim.group.eager-length=4096 at node=1"), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("grim.group.eager-length=0 at node=0"), refusal::getMessage);
        assertEquals(Status.DONE, Members.get(members.begin(0, () ->
        {
            final Group.Request request = group.newRequest();
            group.barrier(request);
            return request.await();
        })));
        assertEquals(1, group.size());
    }

    /** Fills the queue from one to the other. */
    private void fill(final int from, final int to)
    {
        final HandlerId ignored = members.node(from).handlers().resolve("ignored");
        final Link link = members.node(from).endpoint().link(members.node(to).endpoint().id());
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[10]);
        int count = 0;
        while (link.send(ignored, payload, 0, 10).isAccepted())
        {
            count++;
        }
        assertTrue(count > 0);
    }

    private Future<Status> goOn(final int node)
    {
        return members.begin(node, () -> barrier(members.group(node), 2));
    }

    /** Goes on until so many members are left, and have met. */
    private static Status barrier(final Group group, final int size)
    {
        final Group.Request request = group.newRequest();
        Status status = Status.GROUP_CHANGED;
        while (status == Status.GROUP_CHANGED || group.size() > size)
        {
            group.renew(Members.TIMEOUT);
            group.barrier(request);
            status = request.await();
        }
        return status;
    }

    private long sentCount(final int node)
    {
        final long[] count = new long[1];
        members.node(node).counters().forEach((value, id, label) ->
            count[0] += label.startsWith("messages-sent") ? value : 0);
        return count[0];
    }

    private long epoch(final int node)
    {
        return Members.get(members.begin(node, () -> members.group(node).epoch()));
    }

    private GrimConfig config(final String name, final int eagerLength)
    {
        return GrimConfig.builder().nodeName(name).set("grim.transports", List.of("shmem"))
            .set("grim.cluster.directory", directory.toString()).set("grim.queue.slot-count", 16)
            .set("grim.group.eager-length", eagerLength).build();
    }
}
