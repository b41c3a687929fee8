// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.ContractSupport;
import org.grim.DeviceEndpoint;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.collective.SenderReports;
import org.grim.group.Group.Status;

import static org.grim.group.CollectiveChecks.await;
import static org.grim.group.CollectiveChecks.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Multicasts of nodes that are no members, and members whose multicasts another endpoint of their node handles. */
public final class OutsideChecks
{
    private static final int COUNT_MAX = 1_000;
    private static final int RECEIVER_CHANNEL = 1;
    private static final int PAUSED_LENGTH = 10_000;
    private static final int PAUSED_COUNT_MAX = 2_000;
    private static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(1);

    private final Members members;
    private final int[] lengths;
    private final List<Queue<Integer>> seen;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    private OutsideChecks(final Members members, final int... lengths)
    {
        this.members = members;
        this.lengths = lengths;
        seen = IntStream.range(0, members.size()).mapToObj(i -> (Queue<Integer>)new ConcurrentLinkedQueue<Integer>())
            .toList();
    }

    /**
     * The last node is no member, if there are several. It sends as none, and so does the first one, which sends as a
     * member, too. The last member owns the group. All members get each message once, in the order of each sender.
     */
    public static void checkSenders(final Members members, final boolean isTotal, final int... lengths)
    {
        final OutsideChecks checks = new OutsideChecks(members, lengths);
        final int outsider = members.size() - 1;
        final int memberCount = Math.max(1, outsider);
        final List<HandlerId> handlers = checks.register(node -> members.node(node).endpoint().id());
        final List<Integer> paths = outsider > 0 ? List.of(0, 1, outsider * 2 + 1) : List.of(0, 1);
        // The last member owns the group; the first one is the first of its host, and passes on for others there.
        IntStream.concat(IntStream.of(memberCount - 1), IntStream.range(0, memberCount - 1)).forEach(node ->
            Members.get(members.begin(node, () ->
            {
                checks.join(node, 1, members.node(node).endpoint().id());
                return null;
            })));
        members.all(node ->
        {
            if (node < memberCount)
            {
                members.group(node).awaitSize(memberCount, Members.TIMEOUT);
            }
            return null;
        });
        members.all(node ->
        {
            final int expected = lengths.length * paths.size();
            if (node == 0 || node == outsider)
            {
                final Groups groups = Groups.of(members.node(node));
                try (GroupSender sender = groups.openSender("open", Members.TIMEOUT))
                {
                    assertSame(sender, groups.openSender("open", Members.TIMEOUT));
                    assertEquals("open", sender.name());
                    for (int i = 0; i < lengths.length; i++)
                    {
                        checks.send(node, sender, handlers.get(node), isTotal, i);
                        if (node == 0)
                        {
                            checks.send(node, null, handlers.get(node), isTotal, i);
                        }
                    }
                    IntStream.range(0, memberCount).forEach(member -> checks.awaitSeen(node, member, expected));
                    awaitReports(members.node(node), sender);
                }
            }
            IntStream.range(0, memberCount).forEach(member -> checks.awaitSeen(node, member, expected));
            return null;
        });
        checks.requireAll(memberCount, isTotal, paths);
    }

    /** The first node and the last have receivers on a channel of their own; all send. */
    public static void checkReceivers(final Members members, final boolean isTotal, final int... lengths)
    {
        final OutsideChecks checks = new OutsideChecks(members, lengths);
        final int last = members.size() - 1;
        final IntFunction<EndpointId> receiverOf = node -> members.node(node).endpoint().id().onChannel(
            node == 0 || node == last ? RECEIVER_CHANNEL : 0);
        final List<HandlerId> handlers = checks.register(receiverOf);
        try (EndpointThread<Endpoint> first = receiver(members, 0);
            EndpointThread<Endpoint> second = last == 0 ? null : receiver(members, last))
        {
            members.all(node ->
            {
                checks.join(node, members.size(), receiverOf.apply(node));
                return null;
            });
            members.all(node ->
            {
                for (int i = 0; i < lengths.length; i++)
                {
                    checks.send(node, null, handlers.get(node), isTotal, i);
                }
                checks.awaitSeen(node, node, lengths.length * members.size());
                return await(members.group(node), members.group(node)::barrier);
            });
            checks.requireAll(members.size(), isTotal,
                IntStream.range(0, members.size()).map(node -> node * 2).boxed().toList());
            assertEquals(receiverOf.apply(0), first.endpoint().id());
            assertTrue(second == null || second.endpoint().id().equals(receiverOf.apply(last)));
        }
    }

    private static EndpointThread<Endpoint> receiver(final Members members, final int node)
    {
        return new EndpointThread<>(() -> members.node(node).openEndpoint(RECEIVER_CHANNEL));
    }

    /**
     * The device of a member pauses its channel: the sender gets back pressure, and the group's operations go on.
     *
     * @param isApart whether what a channel does not take holds up no other destination of the sender's channel.
     */
    public static void checkPausedDevice(final Members members, final boolean isApart)
    {
        final int sender = members.size() - 1;
        final Queue<Integer> taken = new ConcurrentLinkedQueue<>();
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("paused",
            message -> assertEquals(PAUSED_LENGTH, message.length())));
        try (EndpointThread<DeviceEndpoint> thread = new EndpointThread<>(() ->
            members.node(0).openDevice(DeviceSpec.of(NodeInfo.Device.ACCELERATOR))))
        {
            final DeviceEndpoint device = thread.endpoint();
            final HandlerId ofDevice = thread.run(() ->
            {
                device.state(DeviceInfo.State.UP);
                device.pause(device.id().channel());
                return device.handlers().register("paused", message -> taken.add(message.argument(0)));
            });
            while (!thread.run(ofDevice::isKnown))          // A device without it refuses what comes.
            {
                Thread.onSpinWait();
            }
            members.all(node ->
            {
                members.node(node).start();
                members.node(node).awaitNodes(members.size(), Members.TIMEOUT);
                final Groups groups = Groups.of(members.node(node));
                members.adopt(node, node == 0 ? groups.join("paused", device.id(), Members.TIMEOUT) :
                    groups.join("paused", Members.TIMEOUT));
                members.group(node).awaitSize(members.size(), Members.TIMEOUT);
                return null;
            });
            final int accepted = Members.get(members.begin(sender, () -> fill(members, sender, handlers.get(sender))));
            assertTrue(accepted > 0 && accepted < PAUSED_COUNT_MAX, () -> "accepted=" + accepted);
            assertEquals(0, taken.size());
            if (isApart)
            {
                members.all(node ->
                {
                    assertEquals(Status.DONE, await(members.group(node), members.group(node)::barrier));
                    return null;
                });
            }
            thread.run(() ->
            {
                device.resume(device.id().channel());
                return null;
            });
            awaitSize(taken, accepted);
            assertEquals(IntStream.range(0, accepted).boxed().toList(), List.copyOf(taken));
            members.all(node ->
            {
                members.group(node).close();
                return null;
            });
        }
    }

    private static int fill(final Members members, final int node, final HandlerId handler)
    {
        final MutableDirectBuffer payload = wrap(new byte[PAUSED_LENGTH]);
        int count = 0;
        long acceptedNs = System.nanoTime();
        while (System.nanoTime() - acceptedNs < REFUSED_NS && count < PAUSED_COUNT_MAX)
        {
            if (members.group(node).multicast(handler, count, 0, 0, 0, payload, 0, PAUSED_LENGTH).isAccepted())
            {
                count++;
                acceptedNs = System.nanoTime();
            }
            members.node(node).endpoint().poll();
        }
        return count;
    }

    /** Polls a sender's node until the owner has reported all. Closing waits only 2 s for that, and counts the rest. */
    public static void awaitReports(final Grim node, final GroupSender sender)
    {
        final long beginNs = System.nanoTime();
        while (!SenderReports.areComplete(sender))
        {
            assertTrue(System.nanoTime() - beginNs < Members.TIMEOUT.toNanos(), "the owner does not report");
            node.endpoint().poll();
        }
    }

    private static void awaitSize(final Queue<?> queue, final int size)
    {
        final long beginNs = System.nanoTime();
        while (queue.size() < size && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            Thread.onSpinWait();
        }
        assertEquals(size, queue.size());
    }

    /** At all nodes, which start; messages are expected at the endpoint that is given for a node. */
    private List<HandlerId> register(final IntFunction<EndpointId> endpointOf)
    {
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("outside",
            message -> take(node, message, endpointOf.apply(node))));
        members.all(node ->
        {
            members.node(node).start();
            return members.node(node).awaitNodes(members.size(), Members.TIMEOUT);
        });
        return handlers;
    }

    private void join(final int node, final int count, final EndpointId receiver)
    {
        members.adopt(node, Groups.of(members.node(node)).join("open", receiver, Members.TIMEOUT));
        members.group(node).awaitSize(count, Members.TIMEOUT);
    }

    /** Sends the message of a number, by the sender or, without one, by the group; polls until there is room. */
    private void send(
        final int node, final GroupSender sender, final HandlerId handler, final boolean isTotal, final int number)
    {
        final int self = members.node(node).node().number();
        final int path = sender == null ? 0 : 1;
        final MutableDirectBuffer payload = wrap(new byte[lengths[number] + 3]);
        for (int at = 0; at < lengths[number]; at++)
        {
            payload.putByte(3 + at, expected(self, path, number, at));
        }
        SendStatus status = SendStatus.BACK_PRESSURED;
        while (status == SendStatus.BACK_PRESSURED)
        {
            if (sender == null)
            {
                final Group group = members.group(node);
                status = isTotal ?
                    group.multicastInTotalOrder(handler, number, node, path, self, payload, 3, lengths[number]) :
                    group.multicast(handler, number, node, path, self, payload, 3, lengths[number]);
            }
            else
            {
                status = isTotal ?
                    sender.multicastInTotalOrder(handler, number, node, path, self, payload, 3, lengths[number]) :
                    sender.multicast(handler, number, node, path, self, payload, 3, lengths[number]);
            }
            members.node(node).endpoint().poll();
        }
        assertTrue(status.isAccepted(), status::toString);
    }

    private void take(final int node, final ActiveMessage message, final EndpointId receiver)
    {
        final int origin = message.argument(3);
        final int path = message.argument(2);
        final int number = message.argument(0);
        if (message.source().node() != origin || !message.destination().equals(receiver) ||
            message.length() != lengths[number])
        {
            faults.add(message.source() + " to " + message.destination() + " length=" + message.length());
        }
        for (int at = 0; at < message.length(); at++)
        {
            if (message.buffer().getByte(message.offset() + at) != expected(origin, path, number, at))
            {
                faults.add("wrong byte at " + at + " of length=" + message.length());
                break;
            }
        }
        seen.get(node).add((message.argument(1) * 2 + path) * COUNT_MAX + number);
    }

    /** Polls a node until a member has seen so many. */
    private void awaitSeen(final int node, final int member, final int count)
    {
        final long beginNs = System.nanoTime();
        while (seen.get(member).size() < count && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
        {
            members.node(node).endpoint().poll();
        }
        assertEquals(count, seen.get(member).size(), () -> "node=" + member + " seen=" + seen.get(member) + faults);
    }

    /** Each member has seen all messages of the paths, once, in order; nothing was counted as lost. */
    private void requireAll(final int memberCount, final boolean isTotal, final List<Integer> paths)
    {
        assertEquals(List.of(), List.copyOf(faults));
        final List<Integer> numbers = IntStream.range(0, lengths.length).boxed().toList();
        final List<List<Integer>> orders = new ArrayList<>();
        for (int node = 0; node < memberCount; node++)
        {
            final List<Integer> order = List.copyOf(seen.get(node));
            for (final int path : paths)
            {
                assertEquals(numbers, order.stream().filter(each -> each / COUNT_MAX == path)
                    .map(each -> each % COUNT_MAX).toList(), () -> "path=" + path + " of " + order);
            }
            assertEquals(numbers.size() * paths.size(), order.size());
            orders.add(order);
        }
        assertTrue(!isTotal || new HashSet<>(orders).size() == 1, orders::toString);
        for (int node = 0; node < members.size(); node++)
        {
            final int number = node;
            assertEquals(0, ContractSupport.counter(members.node(node), "multicasts-lost"), () -> "node=" + number);
        }
    }

    private static byte expected(final int origin, final int path, final int number, final int at)
    {
        return (byte)(origin * 7 + path * 101 + number * 31 + at + (at >> 8) * 13 + (at >> 16) * 5);
    }
}
