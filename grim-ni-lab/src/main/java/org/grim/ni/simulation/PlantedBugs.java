// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.EnumMap;
import java.util.Map;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * For each guard of the protocol, the settings under which its absence should show soon. A simulation that does not
 * notice that a guard is missing would not notice either that it is wrong.
 * <p>Thread: any; immutable.
 */
public final class PlantedBugs
{
    private static final long MESSAGE_COUNT = 1500;
    private static final long SHORT_NS = 200_000;
    private static final long LOSS_PPM = 50_000;

    private static final Map<Guard, Map<Setting, Long>> RECIPES = new EnumMap<>(Guard.class);

    static
    {
        for (final Guard guard : Guard.values())
        {
            RECIPES.put(guard, new EnumMap<>(Setting.class));
            recipe(guard, Setting.MESSAGE_COUNT, MESSAGE_COUNT);
        }
        drawWindowRecipes();
        drawFlowRecipes();
        drawEpochRecipes();
        drawMemoryRecipes();
    }

    private PlantedBugs()
    {
    }

    /**
     * The settings that make a missing guard likely to show.
     *
     * @param guard that is missing.
     * @param seed  from which everything else is drawn.
     * @return the parameters of the run.
     */
    public static SimulationParameters parameters(final Guard guard, final long seed)
    {
        SimulationParameters parameters = SimulationParameters.draw(seed);
        for (final Map.Entry<Setting, Long> entry : RECIPES.get(guard).entrySet())
        {
            parameters = parameters.with(entry.getKey(), entry.getValue());
        }
        return parameters;
    }

    /**
     * Looks for a seed that shows that a guard is missing.
     *
     * @param guard        that is missing.
     * @param firstSeed    to begin with.
     * @param seedCountMax seeds to try at most.
     * @return the run that showed it, or null if none did; its seed tells how many it took.
     */
    public static SimulationResult search(final Guard guard, final long firstSeed, final int seedCountMax)
    {
        for (long seed = firstSeed; seed < firstSeed + seedCountMax; seed++)
        {
            final SimulationResult result =
                new ClusterSimulation(parameters(guard, seed), Guards.without(guard)).run();
            if (result.isViolated())
            {
                return result;
            }
        }
        return null;
    }

    private static void drawWindowRecipes()
    {
        recipe(Guard.WINDOW_LIMIT, Setting.SEQUENCE_BITS, 2);
        recipe(Guard.WINDOW_LIMIT, Setting.WINDOW, 4);
        recipe(Guard.WINDOW_LIMIT, Setting.TOKEN_COUNT, 64);
        recipe(Guard.WINDOW_LIMIT, Setting.CHANNEL_QUOTA, 32);
        lossy(Guard.WINDOW_LIMIT);
        lossy(Guard.DUPLICATE_CHECK);
        lossy(Guard.ORDER_CHECK);
        recipe(Guard.SEQUENCE_WRAP, Setting.SEQUENCE_BITS, 2);
        recipe(Guard.SEQUENCE_WRAP, Setting.WINDOW, 2);
        lossy(Guard.TIMEOUT_RESEND);
        lossy(Guard.TOKEN_QUARANTINE);
        recipe(Guard.TOKEN_QUARANTINE, Setting.TOKEN_COUNT, 2);
        recipe(Guard.TOKEN_QUARANTINE, Setting.TIME_OUT_NS_MIN, 20_000);
        recipe(Guard.TOKEN_QUARANTINE, Setting.SEQUENCE_BITS, 2);
        recipe(Guard.TOKEN_QUARANTINE, Setting.WINDOW, 2);
        lossy(Guard.ANSWER_SEQUENCE);
        recipe(Guard.ANSWER_SEQUENCE, Setting.TIME_OUT_NS_MIN, 20_000);
        lossy(Guard.ANSWER_SOURCE);
        recipe(Guard.ANSWER_SOURCE, Setting.NODE_COUNT, 5);
        recipe(Guard.ANSWER_SOURCE, Setting.WORKLOAD, 1);
        recipe(Guard.ANSWER_SOURCE, Setting.TOKEN_COUNT, 3);
        recipe(Guard.ANSWER_SOURCE, Setting.SEQUENCE_BITS, 2);
        recipe(Guard.ANSWER_SOURCE, Setting.WINDOW, 2);
        recipe(Guard.ANSWER_SOURCE, Setting.TIME_OUT_NS_MIN, 20_000);
    }

    private static void drawFlowRecipes()
    {
        for (final Guard guard : new Guard[]{Guard.ACK_AFTER_COPY, Guard.NACK_SENT, Guard.ROLLBACK_TRIPLE,
            Guard.ROLLBACK_REFUSED, Guard.ARRIVAL_ROOM, Guard.FRONT_IN_ORDER, Guard.CHANNEL_QUOTA})
        {
            recipe(guard, Setting.FRAME_COUNT, 2);
            recipe(guard, Setting.RECEIVE_DELAY_NS, 20_000);
            recipe(guard, Setting.SEND_GAP_NS, 2_000);
            recipe(guard, Setting.WORKLOAD, 1);
            recipe(guard, Setting.NODE_COUNT, 4);
            recipe(guard, Setting.TOKEN_COUNT, 64);
            recipe(guard, Setting.CHANNEL_QUOTA, 8);
        }
        recipe(Guard.DOORBELL_BEFORE_BACK, Setting.SEND_GAP_NS, 2_000);
        recipe(Guard.DOORBELL_BEFORE_BACK, Setting.BURST_COUNT, 1);
        recipe(Guard.CUT_PACKET, Setting.LOSSY_WIRE, 0);
        recipe(Guard.CUT_PACKET, Setting.NI_RESTART_COUNT, 8);
        recipe(Guard.CUT_PACKET, Setting.SEGMENTS_PERMILLE, 1000);
        recipe(Guard.CUT_PACKET, Setting.LARGE_PERMILLE, 800);
        recipe(Guard.CUT_PACKET, Setting.CUT_THROUGH, 1);
        recipe(Guard.CUT_PACKET, Setting.PAYLOAD_LENGTH_MAX, 4096);
        recipe(Guard.CUT_PACKET, Setting.FRAME_LENGTH, 2048);
        recipe(Guard.CUT_PACKET, Setting.QUEUE_LENGTH, 4096);
        recipe(Guard.CUT_PACKET, Setting.SEND_GAP_NS, 20_000);
    }

    private static void drawEpochRecipes()
    {
        for (final Guard guard : new Guard[]{Guard.EPOCH_ORDER, Guard.EPOCH_CONFIRMED, Guard.EPOCH_DISCARD,
            Guard.LOSS_REPORTED, Guard.PEER_GONE, Guard.PACKET_NUMBER})
        {
            lossy(guard);
            recipe(guard, Setting.NI_RESTART_COUNT, 8);
            recipe(guard, Setting.NODE_COUNT, 3);
            recipe(guard, Setting.DISTURBANCE_NS_MAX, SHORT_NS);
            recipe(guard, Setting.WORKLOAD, 1);
        }
        recipe(Guard.PEER_GONE, Setting.NI_KILL_COUNT, 1);
        recipe(Guard.PACKET_NUMBER, Setting.NI_RESTART_COUNT, 0);
        lossy(Guard.PACKET_CHECKSUM);
        recipe(Guard.PACKET_CHECKSUM, Setting.CORRUPT_PPM, LOSS_PPM);
    }

    private static void drawMemoryRecipes()
    {
        for (final Guard guard : new Guard[]{Guard.REFUSAL_KEPT, Guard.ADDRESS_CHECK, Guard.NOTIFICATION_LAST,
            Guard.TRANSLATION_CONTEXT, Guard.REGISTERED_PART, Guard.RIGHT_CHECK, Guard.FORGET})
        {
            recipe(guard, Setting.LOSSY_WIRE, 0);
            recipe(guard, Setting.CHANNEL_COUNT, 2);
            recipe(guard, Setting.CONTEXT_COUNT, 2);
            recipe(guard, Setting.WRITE_PERMILLE, 700);
            recipe(guard, Setting.READ_PERMILLE, 100);
            recipe(guard, Setting.BAD_ADDRESS_PERMILLE, 0);
        }
        recipe(Guard.REFUSAL_KEPT, Setting.BAD_ADDRESS_PERMILLE, 300);
        recipe(Guard.REFUSAL_KEPT, Setting.WINDOW, 2);
        recipe(Guard.REFUSAL_KEPT, Setting.SEQUENCE_BITS, 8);
        recipe(Guard.REFUSAL_KEPT, Setting.TOKEN_COUNT, 64);
        recipe(Guard.REFUSAL_KEPT, Setting.LINK_BYTES_PER_SECOND, 20_000_000);
        recipe(Guard.ADDRESS_CHECK, Setting.BAD_ADDRESS_PERMILLE, 300);
        recipe(Guard.REGISTERED_PART, Setting.BAD_ADDRESS_PERMILLE, 300);
        recipe(Guard.RIGHT_CHECK, Setting.BAD_ADDRESS_PERMILLE, 300);
        recipe(Guard.FORGET, Setting.CHURN_NS, 20_000);
        recipe(Guard.FORGET, Setting.CHURN_PERMILLE, 900);
    }

    private static void lossy(final Guard guard)
    {
        recipe(guard, Setting.LOSSY_WIRE, 1);
        recipe(guard, Setting.BAD_ADDRESS_PERMILLE, 0);
        recipe(guard, Setting.DROP_PPM, LOSS_PPM);
        recipe(guard, Setting.REPEAT_PPM, LOSS_PPM);
        recipe(guard, Setting.REORDER_PPM, LOSS_PPM);
    }

    private static void recipe(final Guard guard, final Setting setting, final long value)
    {
        RECIPES.get(guard).put(setting, value);
    }
}
