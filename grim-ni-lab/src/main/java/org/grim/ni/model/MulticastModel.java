// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;

/**
 * A message for several hosts, each with a board of its own: down a binary tree of boards, or as repeated unicasts.
 * Counts from the start of the injection until the last other host has it, from rest; nothing else is under way.
 * <p>Boards with children scan a channel more, recycle each fragment into it when all of it has arrived, and send it on
 * from there; leaves are as for unicasts.
 * <p>Thread: any; nothing is kept between questions.
 */
public final class MulticastModel
{
    /** The fewest hosts, the sender's among them. */
    public static final int HOST_COUNT_MIN = 2;
    /** The most hosts that are asked for. */
    public static final int HOST_COUNT_MAX = 64;

    private static final int CHILD_COUNT_MAX = 2;
    private static final double NS_PER_US = 1_000;

    private final ModelParameters parameters;
    private final Assumptions assumptions;

    /** A path of a message to several hosts. */
    public enum Path
    {
        /** Down a tree of all hosts' boards; the sender's is its root. */
        MEMBER("multicast, sender at the root"),
        /** To the root of a tree of the other hosts' boards: the sender is no member. */
        OUTSIDER("multicast, sender outside"),
        /** A message for each other host, one after the other. */
        UNICASTS("repeated unicasts");

        private final String label;

        Path(final String label)
        {
            this.label = label;
        }

        /** Its name for people. */
        public String label()
        {
            return label;
        }
    }

    /** A model with what can best be argued for. */
    public MulticastModel(final ModelParameters parameters)
    {
        this(parameters, Assumptions.central(parameters));
    }

    /** A model of active messages with other assumptions. */
    public MulticastModel(final ModelParameters parameters, final Assumptions assumptions)
    {
        if (parameters.mode() != Mode.AM)
        {
            throw new IllegalArgumentException(
                "mode=" + parameters.mode().label() + ": multicasts are active messages");
        }
        this.parameters = parameters;
        this.assumptions = assumptions;
    }

    /**
     * Time until the last host has a message.
     *
     * @param path      of it.
     * @param size      payload in bytes, 4 to 2 MiB.
     * @param hostCount the sender's and all others, 2 to 64.
     * @return microseconds.
     */
    public double lastUs(final Path path, final int size, final int hostCount)
    {
        if (hostCount < HOST_COUNT_MIN || hostCount > HOST_COUNT_MAX)
        {
            throw new IllegalArgumentException(
                "host count=" + hostCount + " is outside " + HOST_COUNT_MIN + " to " + HOST_COUNT_MAX);
        }
        EndToEndModel.requireSize(size);
        return new Run(path, hostCount).lastNs(size) / NS_PER_US;
    }

    /** {@link #lastUs} with its uncertainty. */
    public static Range lastUs(
        final ModelParameters parameters, final Path path, final int size, final int hostCount)
    {
        return Range.of(
            parameters, assumptions -> new MulticastModel(parameters, assumptions).lastUs(path, size, hostCount));
    }

    /** Returns by which factor a multicast is faster than repeated unicasts, with its uncertainty. */
    public static Range gain(
        final ModelParameters parameters, final Path path, final int size, final int hostCount)
    {
        return Range.of(parameters, assumptions ->
        {
            final MulticastModel model = new MulticastModel(parameters, assumptions);
            return model.lastUs(Path.UNICASTS, size, hostCount) / model.lastUs(path, size, hostCount);
        });
    }

    /** One message, from rest. */
    private final class Run
    {
        private final VirtualClock clock = new VirtualClock();
        private final Side side = new Side(clock);
        private final StageCosts costs = costs(parameters);
        private final Path path;
        private final int otherCount;
        private int seenCount;
        private long lastNs;

        Run(final Path path, final int hostCount)
        {
            this.path = path;
            otherCount = hostCount - 1;
        }

        long lastNs(final int size)
        {
            switch (path)
            {
                case MEMBER -> injectAtRoot(size);
                case OUTSIDER -> injection().send(size, node(0, otherCount));
                case UNICASTS ->
                {
                    final Injection injection = injection();
                    for (int i = 0; i < otherCount; i++)
                    {
                        injection.send(size, target(new Side(clock), parameters, null));
                    }
                }
            }
            clock.runAll();
            assert seenCount == otherCount : seenCount + " of " + otherCount;
            return lastNs;
        }

        private Injection injection()
        {
            return new Injection(parameters, costs, side, new Transmission(parameters, costs, side)::onVisible);
        }

        /** The root's board finds a fragment in its host's channel when all of it is there. */
        private void injectAtRoot(final int size)
        {
            final ModelParameters root = withMulticastChannel();
            final StageCosts rootCosts = costs(root);
            final FanOut fanOut = fanOut(0, otherCount + 1, side, root, rootCosts);
            final Injection[] injection = new Injection[1];
            final Consumer<Fragment> board = fragment ->
            {
                final long endNs = fragment.segmentNs[fragment.segmentNs.length - 1];
                final long arrivalNs = endNs - fragment.segmentNs[0];
                clock.at(endNs, () -> side.processor.use(rootCosts.detectNs(), () ->
                    fanOut.take(fragment, arrivalNs, () -> injection[0].onAnswered(fragment))));
            };
            injection[0] = new Injection(root, rootCosts, side, board);
            injection[0].send(size, null);
        }

        /** A board of a tree, with all below it. */
        private NextHop node(final int index, final int nodeCount)
        {
            final Side nodeSide = new Side(clock);
            if (child(index, 0) >= nodeCount)
            {
                return target(nodeSide, parameters, null);
            }
            final ModelParameters inner = withMulticastChannel();
            return target(nodeSide, inner, fanOut(index, nodeCount, nodeSide, inner, costs(inner)));
        }

        private FanOut fanOut(final int index, final int nodeCount, final Side nodeSide, final ModelParameters inner,
            final StageCosts innerCosts)
        {
            final List<NextHop> children = new ArrayList<>();
            for (int which = 0; which < CHILD_COUNT_MAX && child(index, which) < nodeCount; which++)
            {
                children.add(node(child(index, which), nodeCount));
            }
            return new FanOut(innerCosts, nodeSide, new Transmission(inner, innerCosts, nodeSide), children);
        }

        private NextHop target(final Side farSide, final ModelParameters system, final FanOut fanOut)
        {
            return new Reception(system, assumptions, costs(system), farSide, fanOut, fragment ->
            {
                if (fragment.isLast)
                {
                    seenCount++;
                    lastNs = clock.nowNs();
                }
            });
        }

        private ModelParameters withMulticastChannel()
        {
            return parameters.withChannelCount(parameters.channelCount() + 1);
        }

        private StageCosts costs(final ModelParameters system)
        {
            return new StageCosts(system, assumptions);
        }

        /** Boards stand in the tree as in a binary heap. */
        private int child(final int index, final int which)
        {
            return CHILD_COUNT_MAX * index + 1 + which;
        }
    }
}
