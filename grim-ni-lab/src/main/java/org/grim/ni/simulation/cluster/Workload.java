// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.grim.ni.simulation.check.MessageKind;
import org.grim.ni.simulation.scenario.Draws;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Who sends what to whom, and how much is left to send.
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
    private static final int SMALL_LENGTH_MAX = 40;

    private final SimulationParameters parameters;
    private final Draws draws;
    private final int nodeCount;
    private final int channelCount;
    private final int kind;
    private final int payloadLengthMax;
    private final int largePermille;
    private final int segmentsPermille;
    private final int pullPermille;
    private final int writePermille;
    private final int readPermille;
    private final int badAddressPermille;
    private final int unknownNodePermille;
    private final int churnPermille;
    private final ChurnArea[][] churnAreas;
    private long remainingCount;

    Workload(final SimulationParameters parameters, final int payloadLengthMax)
    {
        this.parameters = parameters;
        draws = new Draws(parameters.seed(), "workload");
        nodeCount = parameters.count(Setting.NODE_COUNT);
        channelCount = parameters.count(Setting.CHANNEL_COUNT);
        kind = parameters.count(Setting.WORKLOAD);
        this.payloadLengthMax = Math.min(parameters.count(Setting.PAYLOAD_LENGTH_MAX), payloadLengthMax);
        largePermille = parameters.count(Setting.LARGE_PERMILLE);
        segmentsPermille = parameters.count(Setting.SEGMENTS_PERMILLE);
        pullPermille = parameters.count(Setting.PULL_PERMILLE);
        writePermille = parameters.count(Setting.WRITE_PERMILLE);
        readPermille = parameters.count(Setting.READ_PERMILLE);
        badAddressPermille = parameters.count(Setting.BAD_ADDRESS_PERMILLE);
        unknownNodePermille = parameters.count(Setting.UNKNOWN_NODE_PERMILLE);
        churnPermille = parameters.count(Setting.CHURN_PERMILLE);
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

    MessageKind kind()
    {
        if (draws.chance(unknownNodePermille))
        {
            return MessageKind.LOST;
        }
        final int choice = draws.below(1000);
        if (choice >= writePermille + readPermille)
        {
            return MessageKind.ACTIVE;
        }
        if (draws.chance(badAddressPermille))
        {
            return MessageKind.MISGUIDED;
        }
        if (choice >= writePermille)
        {
            return MessageKind.READ;
        }
        // No draw where nothing is freed: older seeds go as they went.
        return churnPermille != 0 && draws.chance(churnPermille) ? MessageKind.CHURN : MessageKind.WRITE;
    }

    int payloadLength()
    {
        final int most = draws.chance(largePermille) ? payloadLengthMax : Math.min(SMALL_LENGTH_MAX, payloadLengthMax);
        return draws.below(most + 1);
    }

    boolean isInSegments()
    {
        return draws.chance(segmentsPermille);
    }

    /** No draw where nothing is pulled: older seeds go as they went. */
    boolean isPulled()
    {
        return pullPermille != 0 && draws.chance(pullPermille);
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
