// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

import org.agrona.collections.Int2IntHashMap;
import org.grim.transport.Membership;

/**
 * Questions who owns a group. This node creates the group when all nodes that it sees have let it go on, and have done
 * so again without having been a member in between: so there was a moment at which there was no group. Of two nodes
 * that ask at a time the one with the earlier first question goes on, and answers the other when it has an owner:
 * Ricart and Agrawala's mutual exclusion (1981), with a logical clock and the node's number, so no circle can wait.
 * The lowest node is asked alone at first: mostly it knows the owner, and then nobody else needs a link to this node.
 * <p>Thread: the host endpoint's owner.
 */
final class OwnerSearch
{
    private static final int MISSING = -1;

    private final Membership membership;
    private final IntPredicate hasJoined;
    private final NodeSessions sessions;
    private final Int2IntHashMap asked = new Int2IntHashMap(0);             // Incarnations, by node.
    private final Int2IntHashMap letGoOn = new Int2IntHashMap(0);           // Incarnations, by node.
    private final Int2IntHashMap counts = new Int2IntHashMap(MISSING);      // Of the last answers, by node.
    private int firstTime;
    private int time;
    private boolean isRepeatable;
    private boolean isLowestAlone;

    OwnerSearch(final Membership membership, final IntPredicate hasJoined, final NodeSessions sessions)
    {
        this.membership = membership;
        this.hasJoined = hasJoined;
        this.sessions = sessions;
    }

    /** Begins to ask: earlier answers do not count. */
    void begin()
    {
        beginRound();
        firstTime = time;
        isRepeatable = false;
        isLowestAlone = true;
        counts.clear();
    }

    /** Time of the first question, which decides who goes first. */
    int firstTime()
    {
        return firstTime;
    }

    /** Time of the latest question, by which answers are known. */
    int time()
    {
        return time;
    }

    /** All nodes that have not answered are asked another time, and not the lowest alone any more. */
    void repeat()
    {
        isLowestAlone = false;
        asked.clear();
    }

    /** A node has answered that it neither is a member nor has asked before; it has been a member so many times. */
    void onGoOn(final int from, final int ofTime, final int membershipCount)
    {
        if (ofTime == time && membershipCount >= 0)
        {
            letGoOn.put(from, incarnation(from));
            isLowestAlone = false;
            isRepeatable &= counts.get(from) == membershipCount;
            counts.put(from, membershipCount);
        }
    }

    /** Whether this node goes first, of two that ask. */
    boolean isBefore(final int othersTime, final int other)
    {
        return firstTime < othersTime || (firstTime == othersTime && membership.self() < other);
    }

    /** Asks nodes that were not asked yet; returns whether all have let this node go on twice. */
    boolean step(final IntConsumer question)
    {
        boolean isComplete = stepRound(question);
        while (isComplete && !isRepeatable)
        {
            beginRound();
            isRepeatable = true;
            isComplete = stepRound(question);
        }
        return isComplete;
    }

    private void beginRound()
    {
        time = sessions.nextTime();
        asked.clear();
        letGoOn.clear();
    }

    private boolean stepRound(final IntConsumer question)
    {
        boolean isMissing = false;
        for (int node = 0; node < membership.nodeCountMax() && !(isMissing && isLowestAlone); node++)
        {
            if (isToBeAsked(node) && !isOfNow(letGoOn, node))
            {
                isMissing = true;
                if (!isOfNow(asked, node))
                {
                    asked.put(node, incarnation(node));
                    question.accept(node);
                }
            }
        }
        return !isMissing;
    }

    /** Says which incarnations have let this node go on. */
    void copyAnswers(final Int2IntHashMap target)
    {
        letGoOn.forEachInt(target::put);
    }

    /** Nodes that were asked, and whose answers are missing, for texts. */
    List<Integer> silent()
    {
        final List<Integer> nodes = new ArrayList<>();
        for (int node = 0; node < membership.nodeCountMax() && !(isLowestAlone && !nodes.isEmpty()); node++)
        {
            if (isToBeAsked(node) && !isOfNow(letGoOn, node))
            {
                nodes.add(node);
            }
        }
        return nodes;
    }

    private boolean isToBeAsked(final int node)
    {
        return node != membership.self() && membership.isUp(node) && hasJoined.test(node);
    }

    private boolean isOfNow(final Int2IntHashMap incarnations, final int node)
    {
        return incarnations.get(node) == incarnation(node);
    }

    private int incarnation(final int node)
    {
        return membership.incarnationOf(membership.status(node));
    }
}
