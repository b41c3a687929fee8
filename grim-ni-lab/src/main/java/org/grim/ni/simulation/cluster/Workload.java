// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.Arrays;

import org.grim.ni.simulation.check.MessageKind;
import org.grim.ni.simulation.scenario.Draws;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Planned messages of each sender to each receiver, and the number that is left.
 * <p>Thread: the simulation's.
 */
final class Workload
{
    private static final int PAIRS = 0;
    private static final int ALL_TO_ALL = 1;
    private static final int HOT_SPOT = 2;
    private static final int RING = 3;
    private static final int SELF = 4;
    private static final int HOT_PERMILLE = 800;
    private static final int FRAGMENTED_PERMILLE = 50;
    private static final int FRAGMENT_COUNT_MAX = 3;
    private static final int SMALL_LENGTH_MAX = 40;

    private final SimulationParameters parameters;
    private final Draws draws;
    private final int nodeCount;
    private final int channelCount;
    private final int kind;
    private final int payloadLengthMax;
    private final ChurnArea[][] churnAreas;
    private final Draws treeDraws;
    private final KnownTree[] trees;
    private long remainingCount;

    Workload(final SimulationParameters parameters, final int payloadLengthMax)
    {
        this.parameters = parameters;
        draws = new Draws(parameters.seed(), "workload");
        treeDraws = new Draws(parameters.seed(), "workload of groups");
        trees = new KnownTree[parameters.count(Setting.TREE_COUNT)];
        Arrays.setAll(trees, i -> new KnownTree(i + 1));
        nodeCount = parameters.count(Setting.NODE_COUNT);
        channelCount = parameters.count(Setting.CHANNEL_COUNT);
        kind = parameters.count(Setting.WORKLOAD);
        this.payloadLengthMax = Math.min(parameters.count(Setting.PAYLOAD_LENGTH_MAX), payloadLengthMax);
        churnAreas = new ChurnArea[nodeCount][parameters.count(Setting.CONTEXT_COUNT)];
        remainingCount = parameters.get(Setting.MESSAGE_COUNT);
    }

    boolean hasMore()
    {
        return remainingCount > 0;
    }

    /** Memory of a context that comes and goes; all senders know where it is, and was. */
    ChurnArea churnArea(final int ni, final int context)
    {
        return churnAreas[ni][context];
    }

    void churnArea(final int ni, final int context, final ChurnArea area)
    {
        churnAreas[ni][context] = area;
    }

    void take()
    {
        remainingCount--;
    }

    /** No more from now on. */
    void end()
    {
        remainingCount = 0;
    }

    Draws draws()
    {
        return draws;
    }

    int destinationNi(final int ni)
    {
        return switch (kind)
        {
            case PAIRS -> (ni ^ 1) < nodeCount ? ni ^ 1 : ni;
            case ALL_TO_ALL -> nodeCount == 1 ? ni : (ni + 1 + draws.below(nodeCount - 1)) % nodeCount;
            case HOT_SPOT -> draws.chance(HOT_PERMILLE) ? 0 : draws.below(nodeCount);
            case RING -> (ni + 1) % nodeCount;
            case SELF -> draws.chance(HOT_PERMILLE) ? ni : draws.below(nodeCount);
            default -> draws.below(nodeCount);
        };
    }

    int destinationChannel(final int channel)
    {
        return draws.below(2) == 0 ? channel : draws.below(channelCount);
    }

    /** The tree by which the next message goes; null if it is no multicast, or the tree is closed. */
    KnownTree openTree()
    {
        if (trees.length == 0 || !treeDraws.chance(parameters.get(Setting.MULTICAST_PERMILLE)))
        {
            return null;
        }
        final KnownTree tree = trees[treeDraws.below(trees.length)];
        return tree.isOpen ? tree : null;
    }

    KnownTree tree(final int number)
    {
        return trees[number - 1];
    }

    MessageKind kind()
    {
        if (draws.chance(parameters.get(Setting.UNKNOWN_NODE_PERMILLE)))
        {
            return MessageKind.LOST;
        }
        final int choice = draws.below(1000);
        if (choice >= parameters.get(Setting.WRITE_PERMILLE) + parameters.get(Setting.READ_PERMILLE))
        {
            return MessageKind.ACTIVE;
        }
        if (draws.chance(parameters.get(Setting.BAD_ADDRESS_PERMILLE)))
        {
            return MessageKind.MISGUIDED;
        }
        if (choice >= parameters.get(Setting.WRITE_PERMILLE))
        {
            return MessageKind.READ;
        }
        return draws.chance(parameters.get(Setting.CHURN_PERMILLE)) ? MessageKind.CHURN : MessageKind.WRITE;
    }

    int payloadLength()
    {
        final int most = draws.chance(parameters.get(Setting.LARGE_PERMILLE)) ? payloadLengthMax :
            Math.min(SMALL_LENGTH_MAX, payloadLengthMax);
        return draws.below(most + 1);
    }

    /** Bytes of a multicast: now and then more than one message can carry. */
    int multicastLength(final int fragmentLengthMax)
    {
        final int length = Math.min(payloadLength(), fragmentLengthMax);
        return treeDraws.chance(FRAGMENTED_PERMILLE) ?
            fragmentLengthMax + treeDraws.below(FRAGMENT_COUNT_MAX * fragmentLengthMax) : length;
    }

    boolean isInSegments()
    {
        return draws.chance(parameters.get(Setting.SEGMENTS_PERMILLE));
    }

    boolean isPulled()
    {
        return draws.chance(parameters.get(Setting.PULL_PERMILLE));
    }

    int burstCount()
    {
        return 1 + draws.below(parameters.count(Setting.BURST_COUNT));
    }

    long gapNs()
    {
        return draws.between(1, 2 * parameters.get(Setting.SEND_GAP_NS));
    }
}
