// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.Allocation;
import org.grim.EndpointId;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.group.Group.Status;
import org.grim.group.Reduction.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.grim.group.CollectiveChecks.await;
import static org.grim.group.CollectiveChecks.bytes;
import static org.grim.group.CollectiveChecks.checkEndOfPoll;
import static org.grim.group.CollectiveChecks.checkGathers;
import static org.grim.group.CollectiveChecks.checkLocations;
import static org.grim.group.CollectiveChecks.checkOrder;
import static org.grim.group.CollectiveChecks.checkReductions;
import static org.grim.group.CollectiveChecks.wrap;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Contract of groups, over any transport, with as many members as the transport can have. */
@Timeout(180)
public abstract class GroupContract
{
    /** None, one, odd, one message, several messages, more than rings begin with. */
    private static final int[] COUNTS = {0, 1, 3, 500, 4097, 70_001};
    /** Short ones, those next to what goes without fragments, and longer than a window. */
    private static final int[] OUTSIDE_LENGTHS =
        IntStream.range(0, 120).map(i -> i % 10 == 9 ? 32_766 + i % 4 : i == 60 ? 400_000 : i * 37 % 1_500).toArray();
    private static final Reduction SUM = Reduction.of(Reduction.Type.LONG, Operation.SUM);

    private Members members;

    /** Settings of nodes that reach each other; as many as the transport can have. */
    protected abstract List<GrimConfig> configs();

    /**
     * Whether messages that are open, or that one endpoint does not take, hold up nothing from the same channel to
     * others.
     */
    protected boolean areDestinationsApart()
    {
        return true;
    }

    @AfterEach
    void close()
    {
        if (members != null)
        {
            members.close();
        }
    }

    @Test
    void shouldAgreeOnMembersThatJoinAtATime()
    {
        open();

        final List<Integer> ranks = members.all(node -> members.group(node).rank());
        assertEquals(size(), new HashSet<>(ranks).size(), ranks::toString);
        final List<List<Integer>> rosters = members.all(node -> IntStream.range(0, size()).mapToObj(rank ->
            members.group(node).member(rank).node()).toList());
        assertEquals(1, new HashSet<>(rosters).size(), rosters::toString);
        assertEquals(1, new HashSet<>(members.all(node -> members.group(node).epoch())).size());
        assertEquals(List.of("workers"), members.all(node -> members.group(node).name()).stream().distinct().toList());
        members.all(node ->
        {
            assertEquals(members.node(node).node().number(), members.group(node).member(members.group(node).rank())
                .node());
            assertEquals(members.group(node), Groups.of(members.node(node)).join("workers", Members.TIMEOUT));
            return null;
        });
    }

    /** In any order of questions and answers there is one owner, and no member waits for ever. */
    @Test
    void shouldFindOneOwnerEachTime()
    {
        members = new Members(configs());
        for (int i = 0; i < 30; i++)
        {
            members.join("group-" + i);
            assertEquals(1, members.all(node -> members.group(node).member(0)).stream().distinct().count());
        }
    }

    @Test
    void shouldBroadcast()
    {
        open();
        for (final int count : COUNTS)
        {
            for (int root = 0; root < Math.min(size(), 3); root++)
            {
                final int rootRank = root;
                final byte[] expected = bytes(count, root);
                members.all(node ->
                {
                    final Group group = members.group(node);
                    final byte[] memory = group.rank() == rootRank ? expected.clone() : new byte[count];
                    assertEquals(Status.DONE, await(group, request ->
                        group.broadcast(rootRank, wrap(memory), 0, count, request)));
                    assertArrayEquals(expected, memory);
                    return null;
                });
            }
        }
    }

    @Test
    void shouldReturnFromThePollThatEndsAnOperation()
    {
        final List<GrimConfig> configs = configs();
        assumeTrue(configs.size() > 1, "nothing arrives at a member that is alone");
        members = new Members(configs.subList(0, 2));
        members.join("pair");
        checkEndOfPoll(members);
    }

    @Test
    void shouldReduceEveryTypeByEveryOperation()
    {
        open();
        for (final Reduction.Type type : Reduction.Type.values())
        {
            for (final Operation operation : Operation.values())
            {
                if (!operation.isFor(type))
                {
                    assertThrows(IllegalArgumentException.class, () -> Reduction.of(type, operation));
                    continue;
                }
                members.all(node -> checkReductions(members.group(node), type, operation, 7));
            }
        }
    }

    @Test
    void shouldReduceAnyCount()
    {
        open();
        for (final int count : COUNTS)
        {
            members.all(node -> checkReductions(members.group(node), Reduction.Type.LONG, Operation.SUM, count));
            members.all(node -> checkReductions(members.group(node), Reduction.Type.FLOAT, Operation.MAX, count));
        }
    }

    /** Elements of which not one fits into a short queue's message, too. */
    @Test
    void shouldCombineInTheOrderOfRanksWhatIsNotCommutative()
    {
        open();
        for (final int count : COUNTS)
        {
            members.all(node -> checkOrder(members.group(node), new AffineMaps(AffineMaps.LENGTH), count));
        }
        for (final int count : new int[] {1, 20})
        {
            members.all(node ->
                checkOrder(members.group(node), new AffineMaps(Reduction.ELEMENT_LENGTH_MAX), count));
        }
    }

    @Test
    void shouldFindTheFirstPlaceOfTheSmallestAndLargestValue()
    {
        open();
        for (final Reduction.Type type : Reduction.Type.values())
        {
            if (type == Reduction.Type.BOOLEAN)
            {
                assertThrows(IllegalArgumentException.class, () -> Reduction.minimumLocation(type, type));
                continue;
            }
            members.all(node -> checkLocations(members.group(node), type, Reduction.Type.INT));
            members.all(node -> checkLocations(members.group(node), type, type));
        }
    }

    /** Chunks that links do not take at once: what is passed on must not overtake what is sent first. */
    @Test
    void shouldReduceChunksLongerThanQueues()
    {
        open();
        final int count = size() * 200_000 + 1;
        final List<Integer> wrong = members.all(node ->
        {
            final Group group = members.group(node);
            final MutableDirectBuffer source = wrap(new byte[count * Long.BYTES]);
            final MutableDirectBuffer target = wrap(new byte[source.capacity()]);
            for (int i = 0; i < count; i++)
            {
                source.putLong(i * Long.BYTES, i * (group.rank() + 1L), LITTLE_ENDIAN);
            }
            int differences = 0;
            for (int i = 0; i < 4; i++)
            {
                assertEquals(Status.DONE, await(group, request ->
                    group.allReduce(source, 0, target, 0, count, SUM, request)));
                for (int k = 0; k < count; k++)
                {
                    final long expected = (long)k * size() * (size() + 1) / 2;
                    differences += target.getLong(k * Long.BYTES, LITTLE_ENDIAN) == expected ? 0 : 1;
                }
            }
            return differences;
        });
        assertEquals(Collections.nCopies(size(), 0), wrong);
    }

    @Test
    void shouldReduceElementsOfOnesOwn()
    {
        open();
        final Reduction longest = new LongestWord();
        for (final int count : new int[] {1, 5, 9_000})
        {
            members.all(node ->
            {
                final Group group = members.group(node);
                final byte[] source = new byte[count * longest.elementLength()];
                for (int i = 0; i < count; i++)
                {
                    source[i * longest.elementLength()] = (byte)((group.rank() + i) % group.size() + 1);
                }
                final byte[] target = new byte[source.length];
                assertEquals(Status.DONE, await(group, request ->
                    group.allReduce(wrap(source), 0, wrap(target), 0, count, longest, request)));
                for (int i = 0; i < count; i++)
                {
                    assertEquals(group.size(), target[i * longest.elementLength()], "element " + i);
                }
                return null;
            });
        }
    }

    @Test
    void shouldGatherAndScatter()
    {
        open();
        for (final int length : new int[] {0, 1, 3, 1000, 20_001, 100_000})
        {
            members.all(node -> checkGathers(members.group(node), length));
        }
    }

    @Test
    void shouldScan()
    {
        open();
        for (final int count : COUNTS)
        {
            members.all(node -> PartChecks.checkScans(
                members.group(node), new AffineMaps(AffineMaps.LENGTH), count));
            members.all(node -> PartChecks.checkScansOfNumbers(members.group(node), count));
        }
        members.all(node -> PartChecks.checkScans(
            members.group(node), new AffineMaps(Reduction.ELEMENT_LENGTH_MAX), 20));
    }

    @Test
    void shouldReduceAndScatter()
    {
        open();
        for (final int count : COUNTS)
        {
            members.all(node -> PartChecks.checkReduceScatter(members.group(node), count));
        }
    }

    /** More operations than come between two meetings of all members. */
    @Test
    void shouldPassPartsOfDifferentLengths()
    {
        open();
        for (int i = 0; i < 40; i++)
        {
            final int seed = i;
            members.all(node -> PartChecks.checkParts(members.group(node), seed));
        }
    }

    @Test
    void shouldEndOperationsOfDifferentLengths()
    {
        open();
        assumeTrue(size() > 1, "lengths differ between two members");
        PartChecks.checkWrongLengths(members);
        PartChecks.checkWrongCounts(members);
    }

    @Test
    void shouldHaveSeveralOperationsInProgress()
    {
        open();
        final int count = 20;
        final List<List<Long>> sums = members.all(node ->
        {
            final Group group = members.group(node);
            final List<Group.Request> requests = new ArrayList<>();
            final List<MutableDirectBuffer> targets = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                final Group.Request request = group.newRequest();
                final MutableDirectBuffer target = wrap(new byte[i % 2 == 0 ? 8 : 80_000]);
                final MutableDirectBuffer source = wrap(new byte[target.capacity()]);
                source.putLong(0, group.rank() + i);
                group.allReduce(source, 0, target, 0, target.capacity() / 8, SUM, request);
                requests.add(request);
                targets.add(target);
            }
            for (int i = count - 1; i >= 0; i--)
            {
                assertEquals(Status.DONE, requests.get(i).await());
            }
            return targets.stream().map(target -> target.getLong(0)).toList();
        });
        final long ranks = (long)size() * (size() - 1) / 2;
        for (final List<Long> each : sums)
        {
            assertEquals(IntStream.range(0, count).mapToObj(i -> ranks + (long)size() * i).toList(), each);
        }
    }

    @Test
    void shouldWaitAtABarrierForEverybody() throws Exception
    {
        open();
        final List<Future<Status>> early = new ArrayList<>();
        for (int i = 1; i < size(); i++)
        {
            final Group group = members.group(i);
            early.add(members.begin(i, () -> await(group, group::barrier)));
        }
        Thread.sleep(20);
        assertTrue(early.stream().noneMatch(Future::isDone));

        assertEquals(Status.DONE, Members.get(members.begin(0, () -> await(members.group(0),
            members.group(0)::barrier))));
        early.forEach(each -> assertEquals(Status.DONE, Members.get(each)));
    }

    /** Thousands of small ones, by members that do not wait for each other. */
    @Test
    void shouldNotLetTheRootRunAwayFromTheOthers()
    {
        open();
        final int count = 3_000;
        members.all(node ->
        {
            final Group group = members.group(node);
            final MutableDirectBuffer memory = wrap(new byte[64]);
            final Group.Request request = group.newRequest();
            for (int i = 0; i < count; i++)
            {
                if (group.rank() == 0)
                {
                    memory.putInt(8, i);
                }
                group.broadcast(0, memory, 0, 64, request);
                assertEquals(Status.DONE, request.await());
                assertEquals(i, memory.getInt(8));
            }
            return null;
        });
    }

    @Test
    void shouldEndOperationsThatDoNotFit()
    {
        open();
        if (size() == 1)
        {
            return;
        }
        final List<Status> ends = members.all(node ->
        {
            final Group group = members.group(node);
            final Group.Request request = group.newRequest();
            if (group.rank() == 0)
            {
                group.barrier(request);
            }
            else
            {
                group.allReduce(wrap(new byte[8]), 0, wrap(new byte[8]), 0, 1, SUM, request);
            }
            return request.await();
        });
        assertEquals(List.of(Status.MISMATCHED), ends.stream().distinct().toList());
        members.all(node ->
        {
            assertEquals(Status.DONE, await(members.group(node), members.group(node)::barrier));
            return null;
        });
    }

    /** Both short and long, and also where all wait for each other and nothing is sent. */
    @Test
    void shouldEndOperationsThatDifferInOneThing()
    {
        open();
        if (size() > 1)
        {
            FailureChecks.checkDifferences(members);
        }
    }

    @Test
    void shouldEndOperationsThatDifferAlsoWithoutRoomToSaySo()
    {
        final List<GrimConfig> configs = configs();
        assumeTrue(configs.size() > 1, "nothing is sent by a member that is alone");
        members = new Members(configs.subList(0, 2));
        members.join("pair");
        FailureChecks.checkDifferenceWithoutRoom(members);
    }

    @Test
    void shouldEndOperationsWhoseReductionThrows()
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        members = new Members(configs().stream().map(config ->
            config.toBuilder().errorHandler(errors::add).build()).toList());
        assumeTrue(size() > 1, "nothing is combined by a member that is alone");
        members.join("workers");
        FailureChecks.checkThrowingReduction(members, errors);
    }

    /** On a ring: rank 0 waits for the last one, which knows already that rank 2 has failed. */
    @Test
    void shouldSayHowAnOperationFailedAlsoByAMemberThatHeardOfIt()
    {
        members = new Members(configs());
        assumeTrue(size() > 3, "the last one is the one that throws");
        assumeTrue(areDestinationsApart(), "a message that is open to rank 0 holds up the word to the last one");
        members.join("workers");
        FailureChecks.checkFailureHeardFromAnother(members);
    }

    @Test
    void shouldReduceTheLongestElements()
    {
        open();
        FailureChecks.checkLongElements(members);
    }

    @Test
    void shouldEndOperationsWhenAMemberLeaves()
    {
        open();
        if (size() == 1)
        {
            return;
        }
        final int leaver = size() - 1;
        final List<Future<Status>> waiting = new ArrayList<>();
        for (int i = 0; i < leaver; i++)
        {
            final Group group = members.group(i);
            waiting.add(members.begin(i, () -> await(group, group::barrier)));
        }
        Members.get(members.begin(leaver, () ->
        {
            members.group(leaver).close();
            return null;
        }));

        waiting.forEach(each -> assertEquals(Status.GROUP_CHANGED, Members.get(each)));
        final List<Future<Integer>> renewed = new ArrayList<>();
        for (int i = 0; i < leaver; i++)
        {
            final Group group = members.group(i);
            renewed.add(members.begin(i, () ->
            {
                assertTrue(group.isChanged());
                final long epoch = group.epoch();
                assertEquals(Status.GROUP_CHANGED, await(group, group::barrier));
                group.renew(Members.TIMEOUT);
                assertTrue(group.epoch() > epoch);
                assertFalse(group.isChanged());
                assertEquals(Status.DONE, await(group, group::barrier));
                return group.size();
            }));
        }
        renewed.forEach(each -> assertEquals(leaver, Members.get(each)));
        Members.get(members.begin(leaver, () -> assertThrows(IllegalStateException.class, () ->
            members.group(leaver).renew(Duration.ZERO))));
    }

    /** The next one in order asks the others for their epoch, and owns the group. */
    @Test
    void shouldGoOnWithoutTheOwnerWhoseNodeIsGone()
    {
        open();
        if (size() == 1)
        {
            return;
        }
        final int owner = members.all(node -> members.group(node).rank()).indexOf(0);
        final List<Future<Status>> waiting = new ArrayList<>();
        for (int i = 0; i < size(); i++)
        {
            final Group group = members.group(i);
            waiting.add(members.begin(i, i == owner ? () -> Status.GROUP_CHANGED : () -> await(group, group::barrier)));
        }
        Members.get(members.begin(owner, () ->
        {
            members.node(owner).close();
            return null;
        }));

        for (int i = 0; i < size(); i++)
        {
            assertEquals(Status.GROUP_CHANGED, Members.get(waiting.get(i)));
        }
        final List<Future<Integer>> renewed = new ArrayList<>();
        for (int i = 0; i < size(); i++)
        {
            final Group group = members.group(i);
            renewed.add(members.begin(i, i == owner ? () -> size() - 1 : () ->
            {
                group.renew(Members.TIMEOUT);
                assertEquals(Status.DONE, await(group, group::barrier));
                return group.size();
            }));
        }
        renewed.forEach(each -> assertEquals(size() - 1, Members.get(each)));
    }

    @Test
    void shouldMakeGroupsByColors()
    {
        open();
        members.all(node -> SplitChecks.checkColors(members.group(node)));
        members.all(node -> SplitChecks.checkManySplits(members.group(node)));
    }

    @Test
    void shouldMakeGroupsOfRanks()
    {
        open();
        members.all(node -> SplitChecks.checkSubgroups(members.group(node)));
        members.all(node -> SplitChecks.checkAgreedSubgroups(members.group(node)));
    }

    @Test
    void shouldSplitAgainAfterAnotherOperation()
    {
        open();
        assumeTrue(size() > 1, "a member that is alone calls nothing else");
        SplitChecks.checkOtherOperation(members);
    }

    @Test
    void shouldGoOnInAGroupOfAGroupWithoutAMemberThatLeft()
    {
        open();
        assumeTrue(size() > 1, "nobody is left");
        SplitChecks.checkGoneMember(members, false);
    }

    @Test
    void shouldGoOnInAGroupOfAGroupWithoutAMemberWhoseNodeIsGone()
    {
        open();
        assumeTrue(size() > 1, "nobody is left");
        SplitChecks.checkGoneMember(members, true);
    }

    @Test
    void shouldEndAGroupOfAGroupThatAMemberHasClosed()
    {
        open();
        assumeTrue(size() > 1, "nobody is left");
        SplitChecks.checkClosedByOne(members);
    }

    @Test
    void shouldGoOnInAGroupOfAGroupWhenOthersJoin()
    {
        members = new Members(configs());
        assumeTrue(size() > 1, "nobody joins");
        SplitChecks.checkJoining(members);
    }

    @Test
    void shouldMulticastInTheOrderOfEachSender()
    {
        checkMulticasts(false);
    }

    @Test
    void shouldMulticastInOneOrderOfAllSenders()
    {
        checkMulticasts(true);
    }

    @Test
    void shouldDeliverMulticastsLongerThanAMessage()
    {
        checkLongMulticasts(false);
    }

    @Test
    void shouldDeliverMulticastsLongerThanAMessageInOneOrder()
    {
        checkLongMulticasts(true);
    }

    @Test
    void shouldTakeMulticastsOfSendersThatAreNoMembers()
    {
        checkSenders(false);
    }

    @Test
    void shouldTakeMulticastsOfSendersThatAreNoMembersInOneOrder()
    {
        checkSenders(true);
    }

    @Test
    void shouldHandOverMulticastsToAnotherEndpoint()
    {
        members = new Members(configs());
        OutsideChecks.checkReceivers(members, false, OUTSIDE_LENGTHS);
    }

    @Test
    void shouldHandOverMulticastsToAnotherEndpointInOneOrder()
    {
        members = new Members(configs());
        OutsideChecks.checkReceivers(members, true, OUTSIDE_LENGTHS);
    }

    @Test
    void shouldHoldBackSendersWhileADevicePausesItsChannel()
    {
        members = new Members(configs());
        OutsideChecks.checkPausedDevice(members, areDestinationsApart());
    }

    @Test
    void shouldHandOverNothingToAMemberThatCloses()
    {
        members = new Members(configs());
        final int[] ownCounts = new int[size()];
        final List<HandlerId> handlers = register("own", node -> message ->
            ownCounts[node] += message.source().node() == members.node(node).node().number() ? 1 : 0);
        members.join("workers");
        final List<Integer> seen = members.all(node ->
        {
            final Group group = members.group(node);
            assertTrue(group.multicast(handlers.get(node), 0, 0, 0, 0, wrap(new byte[8]), 0, 8).isAccepted());
            group.close();
            return ownCounts[node];
        });
        assertEquals(Collections.nCopies(size(), 0), seen);
    }

    @Test
    void shouldRefuseWhatIsOutOfRange()
    {
        open();
        Members.get(members.begin(0, () ->
        {
            final Group group = members.group(0);
            final Group.Request request = group.newRequest();
            final MutableDirectBuffer memory = wrap(new byte[16]);
            assertThrows(IllegalArgumentException.class, () -> group.broadcast(size(), memory, 0, 1, request));
            assertThrows(IllegalArgumentException.class, () -> group.member(-1));
            assertThrows(IndexOutOfBoundsException.class, () -> group.broadcast(0, memory, 8, 9, request));
            assertThrows(IndexOutOfBoundsException.class, () -> group.broadcast(0, memory, 0, -1, request));
            assertThrows(IllegalArgumentException.class, () -> group.gather(0, memory, 0, -1, memory, 0, request));
            assertThrows(IllegalArgumentException.class, () ->
                group.allReduce(memory, 0, memory, 0, Integer.MAX_VALUE, SUM, request));
            assertThrows(IllegalArgumentException.class, () -> group.barrier(null));
            assertThrows(IllegalArgumentException.class, () ->
                group.multicast(HandlerId.of(99), 0, 0, 0, 0, memory, 0, group.multicastLengthMax() + 1));
            assertThrows(IllegalArgumentException.class, () ->
                Groups.of(members.node(0)).join("", Members.TIMEOUT));
            assertTrue(request.isComplete());
            PartChecks.checkRefusals(group);
            return null;
        }));
        members.all(node ->
        {
            assertEquals(Status.DONE, await(members.group(node), members.group(node)::barrier));
            return null;
        });
    }

    @Test
    void shouldAllocateNothingWhenWarm()
    {
        // Looking whether nodes of one JVM live allocates, as nodes of several do not.
        members = new Members(configs().stream().map(config ->
            config.toBuilder().set("grim.liveness.interval", "1m").build()).toList());
        final List<HandlerId> handlers = register("nothing", node -> message ->
        {
        });
        members.join("workers");
        final int runCount = 30;
        final List<Long> taken = members.all(node ->
        {
            final Group group = members.group(node);
            final Group.Request request = group.newRequest();
            final MutableDirectBuffer source = wrap(new byte[80_000]);
            final MutableDirectBuffer target = wrap(new byte[80_000]);
            final int[] lengths = new int[size()];
            final int[] displacements = new int[size()];
            Arrays.fill(lengths, 5_000);
            Arrays.setAll(displacements, i -> i * 5_000);
            long least = Long.MAX_VALUE;
            for (int run = 0; run < runCount; run++)
            {
                final long before = Allocation.ofThisThread();
                for (int i = 0; i < 20; i++)
                {
                    group.barrier(request);
                    request.await();
                    assertTrue(group.multicast(handlers.get(node), 1, 2, 3, 4, source, 0, 100).isAccepted());
                    group.allReduce(source, 0, target, 0, 1, SUM, request);
                    request.await();
                    group.allReduce(source, 0, target, 0, 10_000, SUM, request);
                    request.await();
                    group.broadcast(0, target, 0, 80_000, request);
                    request.await();
                    group.scan(source, 0, target, 0, 10_000, SUM, request);
                    request.await();
                    group.reduceScatter(source, 0, target, 0, 1_000, SUM, request);
                    request.await();
                    group.allToAllV(source, 0, lengths, displacements, target, 0, lengths, displacements, request);
                    request.await();
                }
                least = Math.min(least, Allocation.ofThisThread() - before);
            }
            return least;
        });
        assertEquals(List.of(0L), taken.stream().distinct().toList());
    }

    /** At all nodes, which then know each other's. */
    private List<HandlerId> register(final String name, final IntFunction<ActiveMessage.Handler> handlerOf)
    {
        final List<HandlerId> ids =
            members.all(node -> members.node(node).handlers().register(name, handlerOf.apply(node)));
        members.all(node ->
        {
            members.node(node).start();
            return null;
        });
        return ids;
    }

    private void checkMulticasts(final boolean isTotal)
    {
        final int count = 400;
        members = new Members(configs());
        final List<List<Integer>> seen = IntStream.range(0, size()).mapToObj(i -> (List<Integer>)
            new ArrayList<Integer>()).toList();
        final List<HandlerId> handlers = register("seen", node -> message ->
        {
            assertEquals(message.argument(0), message.buffer().getInt(message.offset()));
            assertEquals(message.source().node(), message.argument(3));
            seen.get(node).add(message.argument(3) * count + message.argument(0));
        });
        members.join("workers");
        members.all(node ->
        {
            final Group group = members.group(node);
            final MutableDirectBuffer payload = wrap(new byte[100]);
            final int self = members.node(node).node().number();
            for (int i = 0; i < count; i++)
            {
                payload.putInt(3, i);
                while (!send(group, handlers.get(node), isTotal, i, self, payload).isAccepted())
                {
                    members.node(node).endpoint().poll();
                }
            }
            while (seen.get(node).size() < count * size())
            {
                members.node(node).endpoint().poll();
            }
            return await(group, group::barrier);
        });

        for (final List<Integer> each : seen)
        {
            final int[] next = new int[64];
            each.forEach(number -> assertEquals(next[number / count]++, number % count));
        }
        if (isTotal)
        {
            assertEquals(1, new HashSet<>(seen).size());
        }
    }

    private void checkSenders(final boolean isTotal)
    {
        members = new Members(configs());
        OutsideChecks.checkSenders(members, isTotal, OUTSIDE_LENGTHS);
    }

    private void checkLongMulticasts(final boolean isTotal)
    {
        members = new Members(configs());
        final int last = size() - 1;
        final int mtu = Members.get(members.begin(0, () ->
        {
            members.node(0).awaitNodes(size(), Members.TIMEOUT);
            return members.node(0).endpoint().link(
                EndpointId.of(members.node(last).node().number(), 0, 0)).payloadLengthMax();
        }));
        LongMulticastChecks.check(members, isTotal, LongMulticastChecks.lengths(mtu));
    }

    private static SendStatus send(
        final Group group, final HandlerId handler, final boolean isTotal, final int number, final int self,
        final MutableDirectBuffer payload)
    {
        return isTotal ? group.multicastInTotalOrder(handler, number, 0, 0, self, payload, 3, 90) :
            group.multicast(handler, number, 0, 0, self, payload, 3, 90);
    }

    private void open()
    {
        members = new Members(configs());
        members.join("workers");
    }

    private int size()
    {
        return members.size();
    }
}
