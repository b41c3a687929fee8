// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.buffer.Buffers;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A tree of network interfaces changes while a member, or the old root, is late. Four nodes with a board each, of which
 * one joins the group late. The messages of each are known to the last one.
 */
@Timeout(180)
final class TreeChangeTest
{
    private static final int COUNT = 4;
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int STEP_COUNT = 50;
    private static final int NUMBER_COUNT = 1_000;

    @TempDir
    private Path directory;
    private Members members;
    /** Per receiver: what came, as index of the sender and number. */
    private final List<List<Integer>> seen = new ArrayList<>();
    private final int[] greetedCounts = new int[COUNT];
    /** Of handlers, and of groups. */
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private List<HandlerId> handlers;
    private List<HandlerId> greetings;
    private List<LateTrees> trees;

    @AfterEach
    void close()
    {
        members.close();
        assertEquals(List.of(), List.copyOf(errors));
    }

    /** Else it would send by the new tree what the old one has brought to all already. */
    @Test
    void shouldNotChangeBeforeAMemberKnowsWhatTheOldRootTook()
    {
        open();
        joinAll(0, 1, 2);
        begin(1, () -> trees.get(1).beLate(true));
        send(1, 0, 5, 100);
        awaitSeen(1_004, 0, 1, 2);

        join(3);
        send(3, 0, 1, 100);
        pollAll(0, 1, 2, 3);
        begin(1, () -> trees.get(1).beLate(false));

        awaitSeen(3_000, 0, 1, 2, 3);
        pollAll(0, 1, 2, 3);
        for (int i = 0; i < 3; i++)
        {
            assertEquals(List.of(1_000, 1_001, 1_002, 1_003, 1_004, 3_000), seen.get(i));
        }
        assertEquals(List.of(3_000), seen.get(3));
    }

    /** The new root would overtake what stands at the old one. */
    @Test
    void shouldNotOpenATreeBeforeTheOldOneIsClosed() throws Exception
    {
        open();
        joinAll(3, 1, 2);                               // The tree's root is the board of node 1.
        final Runnable receiver = stall(2, () -> stepBoard(2));
        send(3, 0, 8, 1_500);
        awaitSeen(3_007, 1, 3);
        join(0);                                        // Its board is the next root, above that of node 2.
        pollAll(0, 1, 3);
        final Runnable oldRoot = stall(1, () -> { });
        receiver.run();
        send(0, 0, 1, 100);
        pollAll(0, 2, 3);
        final int atReceiver = begin(2, () -> seen.get(2).size());

        oldRoot.run();

        awaitSeen(0, 0, 1, 2, 3);
        assertTrue(atReceiver < 8, "nothing stands at the old root");
        for (int i = 1; i < COUNT; i++)
        {
            assertEquals(List.of(3_000, 3_001, 3_002, 3_003, 3_004, 3_005, 3_006, 3_007, 0), seen.get(i));
        }
    }

    /** One of which the old root has taken some fragments goes whole by the next tree, with those behind it. */
    @Test
    void shouldSendByTheNextTreeWhatTheOldRootRefused()
    {
        open();
        joinAll(0, 1, 2);
        begin(1, () -> trees.get(1).refuseAfter(7));
        send(1, 0, 5, 5_000);                           // Three fragments each.
        awaitSeen(1_001, 0, 1, 2);
        pollAll(0, 1, 2);
        final int before = begin(2, () -> seen.get(2).size());

        join(3);
        send(1, 5, 2, 5_000);

        awaitSeen(1_006, 0, 1, 2, 3);
        begin(1, () -> trees.get(1).refuseAfter(5));
        send(1, 7, 3, 5_000);
        pollAll(0, 1, 2, 3);
        begin(3, () -> group(3).close());
        awaitSeen(1_009, 0, 1, 2);
        pollAll(0, 1, 2, 3);
        assertEquals(2, before);
        for (int i = 0; i < 3; i++)
        {
            assertEquals(IntStream.range(1_000, 1_010).boxed().toList(), seen.get(i));
        }
        assertEquals(IntStream.range(1_002, 1_008).boxed().toList(), seen.get(3));
    }

    /** It has handed on the beginning of its tree, which the owner does not know. */
    @Test
    void shouldGoOnByTreesWithoutARootThatDiedBeforeItsTreeWasKnown()
    {
        open();
        joinAll(1, 0, 2);                               // The tree's root is the board of node 0.
        begin(1, () -> trees.get(1).beLateWithTrees(true));
        join(3);
        pollAll(0, 1, 2, 3);
        begin(1, () -> trees.get(1).beLateWithTrees(false));
        begin(0, () -> members.node(0).close());

        send(2, 0, 3, 100);
        awaitSeen(2_002, 1, 2, 3);

        for (int i = 1; i < COUNT; i++)
        {
            assertEquals(List.of(2_000, 2_001, 2_002), seen.get(i));
        }
        assertEquals(3, trees.get(2).passedCount());
    }

    private void open()
    {
        final List<GrimConfig> configs = IntStream.range(0, COUNT).mapToObj(i -> GrimConfig.builder()
            .nodeName("member-" + i).transports(LateTreesProvider.NAME, "myrinet").directory(directory)
            .set("grim.myrinet.firmware", "duty-cycle").set("grim.group.ni-multicast", true)
            .set("grim.myrinet.arrival.frame-length", "2KiB").set("grim.myrinet.arrival.frame-count", 4)
            .set("grim.myrinet.queue-length", "16KiB").set("grim.myrinet.registered-length", 0)
            .set("grim.liveness.interval", "10s").set("grim.myrinet.linger", "20ms")
            .set("grim.myrinet.deadline", "30s").errorHandler(errors::add).build()).toList();
        members = new Members(configs);
        IntStream.range(0, COUNT).forEach(i -> seen.add(new ArrayList<>()));
        final List<Integer> numbers = members.all(node -> members.node(node).node().number());
        trees = members.all(node -> LateTrees.of(members.node(node)));
        handlers = members.all(node -> members.node(node).handlers().register("seen", message ->
        {
            final int number = message.argument(0);
            for (int i = 0; i < message.length(); i++)
            {
                assertEquals((byte)(number + i), message.buffer().getByte(message.offset() + i));
            }
            seen.get(node).add(numbers.indexOf(message.source().node()) * NUMBER_COUNT + number);
        }));
        greetings = members.all(node -> members.node(node).handlers().register("greeting", message ->
            greetedCounts[node]++));
        members.all(node ->
        {
            members.node(node).start();
            members.node(node).awaitNodes(COUNT, Members.TIMEOUT);
            return null;
        });
    }

    private Group group(final int node)
    {
        return Groups.of(members.node(node)).join("workers", Members.TIMEOUT);
    }

    /** It is a member, and so are all who joined before; a tree may be due. */
    private void join(final int node)
    {
        begin(node, () -> group(node));
    }

    /** They are the members, and have a tree by which each has heard of each. */
    private void joinAll(final int... nodes)
    {
        for (final int node : nodes)
        {
            join(node);
        }
        for (final int node : nodes)
        {
            begin(node, () ->
            {
                group(node).awaitSize(nodes.length, Members.TIMEOUT);
                multicast(node, greetings.get(node), 0, Buffers.wrap(new byte[0]));
            });
        }
        for (final int node : nodes)
        {
            begin(node, () ->
            {
                while (greetedCounts[node] < nodes.length)
                {
                    members.node(node).endpoint().poll();
                }
            });
        }
    }

    private void send(final int node, final int first, final int count, final int length)
    {
        begin(node, () ->
        {
            final MutableDirectBuffer payload = Buffers.wrap(new byte[length]);
            for (int number = first; number < first + count; number++)
            {
                for (int i = 0; i < length; i++)
                {
                    payload.putByte(i, (byte)(number + i));
                }
                multicast(node, handlers.get(node), number, payload);
            }
        });
    }

    /** There may be no room while a tree changes, or before its boards have settled what went before. */
    private void multicast(
        final int node, final HandlerId handler, final int number, final MutableDirectBuffer payload)
    {
        while (!group(node).multicast(handler, number, 0, 0, 0, payload, 0, payload.capacity()).isAccepted())
        {
            members.node(node).endpoint().poll();
        }
    }

    private void awaitSeen(final int last, final int... nodes)
    {
        for (final int node : nodes)
        {
            begin(node, () ->
            {
                while (!seen.get(node).contains(last))
                {
                    members.node(node).endpoint().poll();
                }
            });
        }
    }

    /** For much longer than all steps of a change take. One that must not come yet does not, however long. */
    private void pollAll(final int... nodes)
    {
        final List<Future<Object>> polls = IntStream.of(nodes).mapToObj(node -> members.begin(node, () ->
        {
            final long beginNs = System.nanoTime();
            while (System.nanoTime() - beginNs < POLL_NS)
            {
                members.node(node).endpoint().poll();
            }
            return null;
        })).toList();
        polls.forEach(Members::get);
    }

    /** Its board takes what there is room for, and refuses the rest, while the node reads nothing. */
    private void stepBoard(final int node)
    {
        final Link link = members.node(node).endpoint().link(group(node).member(0));
        IntStream.range(0, STEP_COUNT).forEach(i -> link.send(greetings.get(node), 0, 0, 0, 0));
    }

    /** Neither the node nor its board does anything until what is returned is run; then it does something first. */
    private Runnable stall(final int node, final Runnable first) throws InterruptedException
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(1);
        final Future<Object> stalled = members.begin(node, () ->
        {
            begun.countDown();
            over.await();
            first.run();
            return null;
        });
        begun.await();
        return () ->
        {
            over.countDown();
            Members.get(stalled);
        };
    }

    private void begin(final int node, final Runnable task)
    {
        begin(node, () ->
        {
            task.run();
            return null;
        });
    }

    private <T> T begin(final int node, final Callable<T> task)
    {
        final Future<T> result = members.begin(node, task);
        return Members.get(result);
    }
}
