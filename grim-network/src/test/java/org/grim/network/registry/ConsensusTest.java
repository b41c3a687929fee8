// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.network.registry.ConsensusMessage.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One host's part in the consensus; the test is the store and the network. */
final class ConsensusTest
{
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Decision SNAPSHOT = new Decision("cluster", 0, 5, List.of("a", "b", "c"), List.of(),
        List.of());

    private final List<ConsensusMessage> sent = new ArrayList<>();
    private Decision snapshot = SNAPSHOT;
    private Pledge pledge = Pledge.NONE;
    private boolean isFull;

    @Test
    void shouldKeepHalfWithTheOldestAndRefuseTheOtherHalf()
    {
        final List<String> members = List.of("a", "b", "c", "d");

        assertTrue(Decision.isMajority(members, Set.of("a", "c")));
        assertFalse(Decision.isMajority(members, Set.of("b", "d")));
        assertTrue(Decision.isMajority(members, Set.of("b", "c", "d")));
        assertFalse(Decision.isMajority(members, Set.of("a", "x", "y", "z")));
        assertFalse(Decision.isMajority(List.of(), Set.of()));
        assertTrue(Decision.isMajority(List.of("a"), Set.of("a")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "outsider"})
    void shouldUseNoBallotTwiceWhenAnAgentFollowsAnother(final String host)
    {
        start(host).propose(next(), 0);
        final Ballot first = lastBallot(Verb.PREPARE);

        start(host).propose(next(), 0);

        assertTrue(lastBallot(Verb.PREPARE).compareTo(first) > 0, sent::toString);
    }

    @Test
    void shouldSayNothingThatIsNotStored()
    {
        final Consensus agent = start("b");
        isFull = true;

        agent.propose(next(), 0);
        agent.onMessage("a", ConsensusMessage.of(Verb.PREPARE, "cluster", 6, new Ballot(7, "a")));
        agent.onMessage("a", ConsensusMessage.of(Verb.ACCEPT, 6, new Ballot(7, "a"), next()));

        assertEquals(List.of(), sent);
        assertNotNull(agent.storeFailure());
    }

    @Test
    void shouldProposeWhenTheStoreWorksAgain()
    {
        final Consensus agent = start("a");
        isFull = true;
        agent.propose(next(), 0);
        agent.step(RETRY_NS);
        assertEquals(List.of(), sent);

        isFull = false;
        agent.step(2 * RETRY_NS);

        assertEquals(Verb.PREPARE, sent.get(0).verb());
        assertNull(agent.storeFailure());
    }

    @Test
    void shouldProposeAgainWhenTheStoreFailedOnLearning()
    {
        final Consensus agent = start("a");
        agent.propose(next(), 0);
        final Ballot ballot = lastBallot(Verb.PREPARE);
        List.of("b", "c").forEach(host ->
            agent.onMessage(host, ConsensusMessage.of(Verb.PROMISE, "cluster", 6, ballot)));
        isFull = true;
        List.of("b", "c").forEach(host ->
            agent.onMessage(host, ConsensusMessage.of(Verb.ACCEPTED, "cluster", 6, ballot)));
        assertEquals(6, agent.registry().epoch());
        assertTrue(agent.isIdle());
        assertEquals(5, snapshot.epoch());

        isFull = false;
        agent.step(RETRY_NS);

        assertEquals(6, snapshot.epoch());
        assertNull(agent.storeFailure());
        agent.propose(next(), 2 * RETRY_NS);
        assertEquals(Verb.PREPARE, sent.get(sent.size() - 1).verb());
    }

    /** Its members are members of the former cluster, too, and both go on with the same epochs. */
    @Test
    void shouldNotVoteInTheClusterThatARestartEnded()
    {
        final Consensus agent = start("a");
        agent.restart(List.of("a"));
        final String cluster = agent.registry().cluster();
        sent.clear();

        agent.onMessage("b", ConsensusMessage.of(Verb.PREPARE, "cluster", 7, new Ballot(7, "b")));
        agent.onMessage("b", ConsensusMessage.of(Verb.ACCEPT, 7, new Ballot(7, "b"),
            new Decision("cluster", 6, 7, List.of("b"), List.of(), List.of())));
        agent.onMessage("b", ConsensusMessage.of(Verb.LEARN, 8, Ballot.NONE,
            new Decision("cluster", 0, 8, List.of("b"), List.of(), List.of())));

        assertEquals(List.of(), sent);
        assertEquals(cluster, agent.registry().cluster());
        assertEquals(List.of("a"), agent.registry().members());
        assertEquals(agent.registry().snapshot(), snapshot);
        assertEquals(Pledge.NONE, pledge);
    }

    @Test
    void shouldFollowARestartUnlessItKnowsMoreOfTheFormerCluster()
    {
        start("a").restart(List.of("a", "b"));
        final ConsensusMessage restart = sent.get(0);
        snapshot = SNAPSHOT;
        final Consensus follower = start("b");
        final Consensus other = start("c");
        other.onMessage("d", ConsensusMessage.of(Verb.LEARN, 6, Ballot.NONE, next()));

        follower.onMessage("a", restart);
        other.onMessage("a", ConsensusMessage.of(Verb.LEARN, 9, Ballot.NONE, new Decision(
            restart.decision().cluster(), 0, 9, List.of("a", "b"), List.of(), List.of())));

        assertEquals(restart.decision(), follower.registry().snapshot());
        assertEquals("cluster", other.registry().cluster());
    }

    private Consensus start(final String host)
    {
        final Registry registry = new Registry();
        registry.apply(snapshot);
        return new Consensus(host, registry, pledge, this::save, (to, message) -> sent.add(message));
    }

    private void save(final Decision newSnapshot, final Pledge newPledge)
    {
        if (isFull)
        {
            throw new GrimException(GrimException.Reason.SYSTEM_REFUSED, "no space");
        }
        snapshot = newSnapshot;
        pledge = newPledge;
    }

    private Decision next()
    {
        return new Decision("cluster", snapshot.epoch(), snapshot.epoch() + 1, SNAPSHOT.members(), List.of(),
            List.of());
    }

    private Ballot lastBallot(final Verb verb)
    {
        return sent.stream().filter(message -> message.verb() == verb).reduce((one, two) -> two).orElseThrow().ballot();
    }
}
