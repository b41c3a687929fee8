// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

import org.agrona.collections.IntArrayList;

/**
 * Walks through every state that a model of the delivery protocol can reach, breadth first, so that the first violation
 * has a shortest path to it.
 * <p>Safety holds in every state: messages are delivered, or refused for good (<em>denied</em>), as 0, 1, 2, ..., the
 * sender believes nothing accepted that was not delivered, and nothing denied that was not denied, no more is in flight
 * than the window, and the windows are sound. Liveness: from every state one fair schedule leads to a goal (everything
 * delivered or denied, and settled, the wire empty) in {@link ExplorerConfig#restStepCountMax()} actions: the wire
 * loses and repeats nothing more, the receiver has room and denies nothing, and the sender times out only when the wire
 * is empty. So there is no state that nothing leads out of.
 * <p>Bounds: the wire of a model holds few packets; a sender that finds it full waits, and so does a receiver that must
 * answer. Allocates as it goes: a tool of tests.
 */
public final class Explorer
{
    private static final int GOAL_REACHED = 0;
    private static final int UNKNOWN = -1;
    private static final int NONE = -1;
    private static final int STUCK = Integer.MAX_VALUE;

    private static final ModelAction[] ACTIONS = ModelAction.values();
    private static final ModelAction[] FAIR_ACTIONS =
    {
        ModelAction.ANSWER, ModelAction.DELIVER, ModelAction.APPEND, ModelAction.SEND, ModelAction.TIME_OUT
    };

    private final ExplorerConfig config;
    private final Model model;
    private final LongNumbers states = new LongNumbers();
    private final IntArrayList parents = new IntArrayList();
    private final List<Violation> violations = new ArrayList<>();
    private int depth;
    private long transitionCount;
    private int goalCount;
    private int restStepCount;

    private Explorer(final ExplorerConfig config)
    {
        this.config = config;
        model = new Model(config);
    }

    /** Searches a model. */
    public static ExplorerReport explore(final ExplorerConfig config)
    {
        return new Explorer(config).run();
    }

    private ExplorerReport run()
    {
        indexOf(Model.INITIAL, NONE);
        int levelEnd = 1;
        int index = 0;
        while (index < states.count() && violations.isEmpty())
        {
            if (index == levelEnd)
            {
                depth++;
                levelEnd = states.count();
            }
            expand(index++);
        }
        if (violations.isEmpty())
        {
            checkSchedule();
        }
        return new ExplorerReport(config, states.count(), transitionCount, depth, goalCount, restStepCount,
            List.copyOf(violations));
    }

    /** Number of a state; a new one if it was not met before, with the state that led there. */
    private int indexOf(final long state, final int parent)
    {
        final int index = states.of(state);
        if (index == parents.size())
        {
            parents.addInt(parent);
        }
        return index;
    }

    private void expand(final int index)
    {
        final long state = states.value(index);
        for (final ModelAction action : ACTIONS)
        {
            if (model.tryStep(state, action))
            {
                if (model.fault() != null)
                {
                    final String fault = model.fault();
                    final String lastStep = model.describeStep();
                    final List<String> steps = stepsTo(index);
                    steps.add(lastStep);
                    violations.add(new Violation(Violation.Kind.SAFETY, fault, List.copyOf(steps)));
                    return;
                }
                indexOf(model.result(), index);
                transitionCount++;
            }
        }
    }

    private void checkSchedule()
    {
        final int[] restSteps = new int[states.count()];
        Arrays.fill(restSteps, UNKNOWN);
        final Deque<Integer> path = new ArrayDeque<>();
        for (int i = 0; i < restSteps.length; i++)
        {
            followSchedule(i, restSteps, path);
            if (restSteps[i] > config.restStepCountMax())
            {
                violations.add(new Violation(Violation.Kind.SCHEDULE, "the fair schedule takes from here " +
                    (restSteps[i] == STUCK ? "for ever" : restSteps[i] + " actions"), stepsTo(i)));
                return;
            }
            restStepCount = Math.max(restStepCount, restSteps[i]);
            goalCount += model.isGoal(states.value(i)) ? 1 : 0;
        }
    }

    /** Goes on from a state until it meets a goal, a state whose rest is known, or (stuck) one that it has passed. */
    private void followSchedule(final int start, final int[] restSteps, final Deque<Integer> path)
    {
        int index = start;
        while (restSteps[index] == UNKNOWN && !model.isGoal(states.value(index)))
        {
            restSteps[index] = STUCK;
            path.push(index);
            index = fairSuccessor(index);
        }
        int rest = restSteps[index] == UNKNOWN ? GOAL_REACHED : restSteps[index];
        restSteps[index] = rest;
        while (!path.isEmpty())
        {
            rest = rest == STUCK ? STUCK : rest + 1;
            restSteps[path.pop()] = rest;
        }
    }

    private int fairSuccessor(final int index)
    {
        final long state = states.value(index);
        final boolean isWireEmpty = model.isWireEmpty(state);
        for (final ModelAction action : FAIR_ACTIONS)
        {
            if ((action != ModelAction.TIME_OUT || isWireEmpty) && model.tryStep(state, action))
            {
                return indexOf(model.result(), index);
            }
        }
        return index;
    }

    private List<String> stepsTo(final int index)
    {
        final Deque<Integer> path = new ArrayDeque<>();
        for (int i = index; i != NONE; i = parents.getInt(i))
        {
            path.push(i);
        }
        final List<String> steps = new ArrayList<>();
        int from = path.pop();
        while (!path.isEmpty())
        {
            final int to = path.pop();
            steps.add(describePath(states.value(from), states.value(to)));
            from = to;
        }
        return steps;
    }

    private String describePath(final long from, final long to)
    {
        for (final ModelAction action : ACTIONS)
        {
            if (model.tryStep(from, action) && model.result() == to)
            {
                return model.describeStep();
            }
        }
        throw new IllegalStateException("no action leads from state " + from + " to state " + to);
    }
}
