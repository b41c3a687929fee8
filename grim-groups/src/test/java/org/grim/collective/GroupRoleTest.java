// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.grim.collective.GroupRole.State;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Single steps of what {@link RosterSimulationTest} does at random. */
final class GroupRoleTest
{
    private static final RosterWorld.Parts REAL = new RosterWorld.Parts()
    {
    };

    private RosterWorld world = world(3, 1, REAL);

    @Test
    void shouldForgetANodeThatGaveUpJoining()
    {
        join(0);
        world.node(1).role().join(world.nowNs(), false);
        while (world.node(1).role().state() != State.JOINING)
        {
            exchange(0, 1);
        }
        world.step(world.node(1));                      // It has sent its wish; the owner is slow.

        world.node(1).role().leave(world.nowNs());
        world.settle();

        assertEquals(State.OUTSIDE, world.node(1).role().state());
        assertArrayEquals(new int[] {0}, nodes(0));
    }

    @Test
    void shouldAnswerARosterThatNamesANodeWhichHasGivenUp()
    {
        final int[] sentCount = new int[1];
        world = world(3, 1, new RosterWorld.Parts()
        {
            @Override
            public RosterSink sink(final RosterSink sink)
            {
                return (to, message) -> (message.kind() == RosterMessage.Kind.LEAVE && sentCount[0]++ == 0) ||
                    sink.trySend(to, message);
            }
        });
        join(0);
        world.node(1).role().join(world.nowNs(), false);
        while (world.node(1).role().state() != State.JOINING)
        {
            exchange(0, 1);
        }
        world.step(world.node(1));

        world.node(1).role().leave(world.nowNs());
        world.settle();

        assertEquals(2, sentCount[0]);
        assertArrayEquals(new int[] {0}, nodes(0));
    }

    @Test
    void shouldAskTheLowestNodeAloneWhileItAnswers()
    {
        final List<Integer> asked = new ArrayList<>();
        world = world(5, 1, asking(asked));
        join(0);
        asked.clear();

        join(4);

        assertEquals(List.of(0), asked);
        assertArrayEquals(new int[] {0, 4}, nodes(4));
    }

    @Test
    void shouldAskAllWhenTheLowestNodeStandsStill()
    {
        final List<Integer> asked = new ArrayList<>();
        world = world(4, 1, asking(asked));
        join(1);
        asked.clear();
        world.node(0).stop(true);
        world.node(3).role().join(world.nowNs(), false);
        world.step(world.node(3));
        assertEquals(List.of(0), asked);

        world.pass(GroupRole.REPEAT_NS_MIN);
        while (world.node(3).role().state() != State.MEMBER)
        {
            exchange(1, 3);
        }

        assertArrayEquals(new int[] {1, 3}, nodes(3));
    }

    private static RosterWorld.Parts asking(final List<Integer> asked)
    {
        return new RosterWorld.Parts()
        {
            @Override
            public RosterSink sink(final RosterSink sink)
            {
                return (to, message) ->
                {
                    if (message.kind() == RosterMessage.Kind.ASK)
                    {
                        asked.add(to);
                    }
                    return sink.trySend(to, message);
                };
            }
        };
    }

    @Test
    void shouldSpreadTheRosterOfAnOwnerThatIsGone()
    {
        join(0);
        join(1);
        join(2);
        final int epoch = world.node(2).role().roster().epoch();
        world.node(2).stop(true);
        world.node(0).role().leave(world.nowNs());
        exchange(0, 1);
        world.kill(0);

        world.settle();

        assertArrayEquals(new int[] {1, 2}, nodes(2));
        assertTrue(world.node(2).role().roster().epoch() > epoch);
    }

    @Test
    void shouldMakeOneGroupOfTwo()
    {
        world = world(2, 2, REAL);
        world.node(0).role().join(world.nowNs(), false);
        world.node(1).role().join(world.nowNs(), false);
        world.step(world.node(0));
        world.step(world.node(1));
        assertEquals(1, world.node(0).role().roster().size());
        assertEquals(1, world.node(1).role().roster().size());

        world.settle();

        assertArrayEquals(new int[] {0, 1}, nodes(1));
        assertEquals(0, world.owner());
    }

    @Test
    void shouldGiveNoNumberToEpochsOfTwoNodes()
    {
        final EpochNumbers one = new MakerEpochNumbers(1, 64);
        final EpochNumbers other = new MakerEpochNumbers(2, 64);

        assertEquals(64 + 1, one.next(0));
        assertTrue(one.next(70) > 70);
        assertNotEquals(one.next(70), other.next(70));
        assertTrue(one.isOf(one.next(70), 1));
        assertEquals(2, one.maker(other.next(70)));
    }

    @Test
    void shouldNameKeyAndBothValuesOfWhatIsDifferent()
    {
        final Agreement ours = new Agreement(Map.of("length", 1));

        assertNull(ours.refusal(5, new Agreement(Map.of("length", 1)).text(), 3));
        assertEquals("length=2 at node=5, but length=1 at node=3, which owns the group",
            ours.refusal(5, new Agreement(Map.of("length", 2)).text(), 3));
    }

    private static RosterWorld world(final int nodeCount, final int hostCount, final RosterWorld.Parts parts)
    {
        return new RosterWorld(new Random(1), parts, nodeCount, hostCount, 8);
    }

    private void join(final int number)
    {
        world.node(number).role().join(world.nowNs(), false);
        world.settle();
    }

    private void exchange(final int one, final int other)
    {
        world.step(world.node(one));
        world.step(world.node(other));
        world.deliver(one, other);
        world.deliver(other, one);
    }

    private int[] nodes(final int number)
    {
        return world.node(number).role().roster().nodes();
    }
}
