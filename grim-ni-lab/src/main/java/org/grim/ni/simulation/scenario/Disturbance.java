// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Something that happens to one NI. It begins when the cluster has sent so many messages, so that it meets traffic.
 *
 * @param kind       what happens.
 * @param ni         it happens to.
 * @param channel    of that NI, for what concerns one channel only.
 * @param sentCount  messages of all hosts after which it begins.
 * @param durationNs how long it lasts.
 */
public record Disturbance(DisturbanceKind kind, int ni, int channel, long sentCount, long durationNs)
{
    /** Draws all disturbances of a run. */
    public static List<Disturbance> draw(final SimulationParameters parameters)
    {
        final Draws draws = new Draws(parameters.seed(), "disturbances");
        final List<Disturbance> list = new ArrayList<>();
        add(list, draws, parameters, Setting.STALL_COUNT, DisturbanceKind.LINK_STALL);
        for (long i = parameters.get(Setting.PARTITION_COUNT); i > 0; i--)
        {
            final DisturbanceKind kind = draws.below(2) == 0 ? DisturbanceKind.PARTITION :
                draws.below(2) == 0 ? DisturbanceKind.PARTITION_INWARD : DisturbanceKind.PARTITION_OUTWARD;
            list.add(one(draws, parameters, kind));
        }
        add(list, draws, parameters, Setting.RECEIVER_STOP_COUNT, DisturbanceKind.RECEIVER_STOP);
        add(list, draws, parameters, Setting.HOST_RESTART_COUNT, DisturbanceKind.HOST_RESTART);
        add(list, draws, parameters, Setting.NI_RESTART_COUNT, DisturbanceKind.NI_RESTART);
        add(list, draws, parameters, Setting.NI_PAUSE_COUNT, DisturbanceKind.NI_PAUSE);
        add(list, draws, parameters, Setting.NI_KILL_COUNT, DisturbanceKind.NI_KILL);
        list.sort(Comparator.comparingLong(Disturbance::sentCount));
        return list;
    }

    private static void add(
        final List<Disturbance> list, final Draws draws, final SimulationParameters parameters, final Setting count,
        final DisturbanceKind kind)
    {
        for (long i = parameters.get(count); i > 0; i--)
        {
            list.add(one(draws, parameters, kind));
        }
    }

    private static Disturbance one(
        final Draws draws, final SimulationParameters parameters, final DisturbanceKind kind)
    {
        return new Disturbance(kind, draws.below(parameters.count(Setting.NODE_COUNT)),
            draws.below(parameters.count(Setting.CHANNEL_COUNT)),
            draws.between(0, parameters.get(Setting.MESSAGE_COUNT)),
            draws.spread(1000, Math.max(1000, parameters.get(Setting.DISTURBANCE_NS_MAX))));
    }
}
