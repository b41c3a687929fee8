// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.group;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.group.GroupContract;
import org.grim.group.LongMulticastChecks;
import org.grim.group.Members;
import org.grim.group.OutsideChecks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Of three members, and every message goes over a media driver. */
final class AeronGroupTest extends GroupContract
{
    private static final int LENGTH = 10_000;
    private static final int MANY = 2_000;
    private static final int REFUSED_COUNT = 2_000;
    private static final int[] OUTSIDE_LENGTHS = {0, 100, 10_000, 32_768, 32_769, 7, 300_000, 1, 5_000, 65_536, 3};

    @TempDir
    private Path directory;

    @Override
    protected List<GrimConfig> configs()
    {
        return configs("local", "local", "local");
    }

    /** The first member of the other host takes no more for a neighbour that does not poll than a window. */
    @Test
    void shouldBoundWhatAMemberPassesOn()
    {
        try (Members members = new Members(configs("one", "other", "other")))
        {
            final AtomicIntegerArray counts = new AtomicIntegerArray(3);
            final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("passed",
                message -> counts.incrementAndGet(node)));
            members.all(node ->
            {
                members.node(node).start();
                return null;
            });
            members.join("workers");
            final CountDownLatch mayPoll = new CountDownLatch(1);
            // The first of the two to have joined passes on.
            final int relay = members.group(1).rank() < members.group(2).rank() ? 1 : 2;
            final Future<Boolean> slow = members.pause(3 - relay, mayPoll);
            final int accepted = Members.get(members.begin(0, () ->
            {
                int count = 0;
                int refused = 0;
                while (refused < REFUSED_COUNT && count < MANY)
                {
                    members.node(0).endpoint().poll();
                    final boolean isAccepted = members.group(0).multicast(
                        handlers.get(0), 0, 0, 0, 0, new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH).isAccepted();
                    count += isAccepted ? 1 : 0;
                    // One waits here; while the other host lacks more, it may be the link that is full.
                    refused = isAccepted || counts.get(relay) < count - 1 ? 0 : refused + 1;
                }
                return count;
            }));
            mayPoll.countDown();
            assertTrue(accepted < MANY, () -> "accepted=" + accepted);
            assertTrue(Members.get(slow));
            members.all(node ->
            {
                final long beginNs = System.nanoTime();
                while (counts.get(node) < accepted && System.nanoTime() - beginNs < Members.TIMEOUT.toNanos())
                {
                    members.node(node).endpoint().poll();
                }
                assertEquals(accepted, counts.get(node));
                return null;
            });
            LongMulticastChecks.check(members, false, 100_000, 32_768, 1);
        }
    }

    /** The owner is on one host. The first of two members of another one passes on, by an outbox, what it has sent. */
    @Test
    void shouldTakeMulticastsOfSendersThatPassOn()
    {
        try (Members members = new Members(configs("other", "other", "one", "third").stream().map(config ->
            config.toBuilder().set("grim.transports", List.of("shmem", "aeron")).build()).toList()))
        {
            OutsideChecks.checkSenders(members, false, IntStream.range(0, 500).map(i -> i % 90).toArray());
        }
    }

    @Test
    void shouldTakeMulticastsOfSendersOfAnotherHost()
    {
        try (Members members = new Members(configs("other", "other", "one", "other")))
        {
            OutsideChecks.checkSenders(members, false, OUTSIDE_LENGTHS);
        }
    }

    @Test
    void shouldTakeMulticastsOfSendersOfAnotherHostInOneOrder()
    {
        try (Members members = new Members(configs("other", "other", "one", "other")))
        {
            OutsideChecks.checkSenders(members, true, OUTSIDE_LENGTHS);
        }
    }

    /** The last node of three has a receiver: it passes on for its neighbour, or gets its copies from it. */
    @Test
    void shouldHandOverMulticastsOfAnotherHost()
    {
        try (Members members = new Members(configs("one", "other", "other")))
        {
            OutsideChecks.checkReceivers(members, false, OUTSIDE_LENGTHS);
        }
    }

    @Test
    void shouldHoldBackSendersOfAnotherHostWhileADevicePausesItsChannel()
    {
        try (Members members = new Members(configs("one", "one", "other")))
        {
            OutsideChecks.checkPausedDevice(members, true);
        }
    }

    private List<GrimConfig> configs(final String... hosts)
    {
        return IntStream.range(0, hosts.length).mapToObj(i -> GrimConfig.builder().nodeName("member-" + i)
            .set("grim.node.host", hosts[i]).transports("aeron").directory(directory)
            .set("grim.aeron.term-length", "256KiB")
            .set("grim.aeron.linger", "20ms").set("grim.aeron.connect-timeout", "10s")
            .set("grim.handlers.resolve-timeout", "60s").build()).toList();
    }
}
