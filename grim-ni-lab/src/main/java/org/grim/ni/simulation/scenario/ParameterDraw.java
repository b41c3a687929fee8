// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

import java.util.EnumMap;
import java.util.Map;

/**
 * Draws the settings of a run. The first draws choose which kinds of fault exist in it at all (swarm testing: a run
 * with everything in it at once hides what only some together show).
 * <p>Thread: any; used once.
 */
final class ParameterDraw
{
    private static final int HALF = 500;
    private static final int FEW = 250;
    private static final int RARE = 100;
    private static final long MICROSECOND = 1000;
    private static final long MILLISECOND = 1000 * MICROSECOND;

    private final EnumMap<Setting, Long> values = new EnumMap<>(Setting.class);
    private final Draws topology;
    private final Draws network;
    private final Draws faults;
    private final Draws workload;
    private final Draws schedule;
    private final Draws later;

    ParameterDraw(final long seed)
    {
        topology = new Draws(seed, "parameters of topology");
        network = new Draws(seed, "parameters of network");
        faults = new Draws(seed, "parameters of faults");
        workload = new Draws(seed, "parameters of workload");
        schedule = new Draws(seed, "parameters of schedule");
        later = new Draws(seed, "later parameters");
        drawTopology();
        drawBoard();
        drawProtocol();
        drawSchedule();
        drawWorkload();
        drawFaults();
        drawLater();
        drawMulticasts(seed);
    }

    Map<Setting, Long> values()
    {
        return values;
    }

    private void put(final Setting setting, final long value)
    {
        values.put(setting, setting.checked(value));
    }

    private void drawTopology()
    {
        final long nodes = topology.chance(RARE) ? topology.between(1, 16) : topology.between(2, 5);
        put(Setting.NODE_COUNT, nodes);
        final long channels = topology.chance(RARE) ? topology.between(1, 8) : topology.between(1, 3);
        put(Setting.CHANNEL_COUNT, channels);
        put(Setting.CONTEXT_COUNT, Math.min(channels, topology.between(1, 2)));
        put(Setting.LEAF_PORT_COUNT, nodes > 4 && topology.chance(HALF) ? topology.between(2, 4) : 0);
        put(Setting.LINK_PACKET_COUNT, topology.pick(1, 1, 2, 4, 16));
        put(Setting.LINK_LATENCY_NS, topology.spread(50, 20 * MICROSECOND));
        put(Setting.LINK_BYTES_PER_SECOND, topology.pick(20_000_000, 132_000_000, 149_000_000, 1_000_000_000));
        put(Setting.LOSSY_WIRE, topology.below(2));
    }

    private void drawBoard()
    {
        put(Setting.QUEUE_LENGTH, network.pick(1024, 1024, 2048, 4096, 16_384, 32_768));
        put(Setting.ARRIVAL_MODE, network.between(1, 3));
        put(Setting.FRAME_LENGTH, network.pick(128, 256, 512, 2048));
        put(Setting.FRAME_COUNT, network.pick(1, 2, 2, 4, 8, 64));
        put(Setting.TRANSLATION_PAGE_COUNT, network.pick(4, 8, 16, 1024));
    }

    private void drawProtocol()
    {
        final long bits = network.chance(HALF) ? network.between(2, 4) : network.between(2, 8);
        put(Setting.SEQUENCE_BITS, bits);
        final long windowMax = Math.min(127, ((1L << bits) + 1) / 2);
        put(Setting.WINDOW, network.chance(HALF) ? windowMax : network.between(1, windowMax));
        put(Setting.TOKEN_COUNT, network.chance(HALF) ? network.between(1, 8) : network.pick(16, 64, 256));
        put(Setting.CHANNEL_QUOTA, network.pick(1, 2, 4, 8, 32, 128));
        put(Setting.QUANTUM_LENGTH, network.pick(64, 512, 4096, 16_384));
        put(Setting.CUT_THROUGH, network.below(2));
        put(Setting.RETRY_NS_MIN, network.spread(MICROSECOND, 20 * MICROSECOND));
        put(Setting.RETRY_NS_MAX, network.spread(50 * MICROSECOND, MILLISECOND));
        put(Setting.TIME_OUT_NS_MIN, network.spread(20 * MICROSECOND, 500 * MICROSECOND));
        put(Setting.TIME_OUT_NS_MAX, network.spread(MILLISECOND, 5 * MILLISECOND));
        put(Setting.TIME_OUT_COUNT_MAX, network.chance(FEW) ? network.between(2, 4) : network.between(8, 16));
        put(Setting.GONE_NS, network.spread(100 * MICROSECOND, 10 * MILLISECOND));
    }

    private void drawSchedule()
    {
        put(Setting.TIMING, schedule.pick(0, 0, 4, 9));
        put(Setting.DOORBELL_DETECTION, schedule.below(2));
        put(Setting.ACTION_NS, schedule.spread(10, MICROSECOND));
        put(Setting.PHASE_NS, 200 * MILLISECOND);
        put(Setting.LIVENESS_NS, 20_000 * MILLISECOND);
        put(Setting.CHECK_STEP_COUNT, schedule.spread(256, 4096));
        put(Setting.CANARY, 0);
    }

    private void drawWorkload()
    {
        put(Setting.WORKLOAD, workload.between(0, 5));
        put(Setting.MESSAGE_COUNT, workload.spread(500, 6000));
        put(Setting.SEND_GAP_NS, workload.spread(MICROSECOND, 100 * MICROSECOND));
        put(Setting.BURST_COUNT, workload.pick(1, 1, 4, 32));
        put(Setting.PAYLOAD_LENGTH_MAX, workload.pick(0, 64, 512, 4096));
        put(Setting.LARGE_PERMILLE, workload.pick(0, 20, 200));
        put(Setting.SEGMENTS_PERMILLE, workload.pick(0, 100, 500));
        final boolean hasRemoteMemory = workload.chance(HALF);
        put(Setting.WRITE_PERMILLE, hasRemoteMemory ? workload.pick(50, 300) : 0);
        put(Setting.READ_PERMILLE, hasRemoteMemory ? workload.pick(0, 50, 200) : 0);
        put(Setting.BAD_ADDRESS_PERMILLE, workload.pick(0, 50, 300));
        put(Setting.UNKNOWN_NODE_PERMILLE, workload.pick(0, 0, 10));
        put(Setting.RECEIVE_DELAY_NS, workload.spread(100, 50 * MICROSECOND));
        put(Setting.SLOW_RECEIVER_PERMILLE, workload.pick(0, 0, 200));
    }

    private void drawFaults()
    {
        final boolean isLossy = values.get(Setting.LOSSY_WIRE) != 0;
        put(Setting.DROP_PPM, rate(isLossy));
        put(Setting.REPEAT_PPM, rate(isLossy));
        put(Setting.REORDER_PPM, rate(isLossy));
        put(Setting.CORRUPT_PPM, rate(isLossy));
        put(Setting.TRUNCATE_PPM, rate(isLossy));
        put(Setting.DELAY_PPM, rate(isLossy));
        put(Setting.STALL_COUNT, few(true));
        put(Setting.PARTITION_COUNT, few(isLossy));
        put(Setting.RECEIVER_STOP_COUNT, few(true));
        put(Setting.HOST_RESTART_COUNT, few(true));
        put(Setting.NI_RESTART_COUNT, few(true));
        put(Setting.NI_PAUSE_COUNT, few(true));
        put(Setting.NI_KILL_COUNT, faults.chance(RARE) && isLossy ? 1 : 0);
        put(Setting.DISTURBANCE_NS_MAX, faults.spread(100 * MICROSECOND, 50 * MILLISECOND));
    }

    /** Settings that came later draw from a stream of their own: older seeds keep their meaning otherwise. */
    private void drawLater()
    {
        final boolean isCutting = later.chance(FEW);
        final long injectionNs = later.spread(MICROSECOND, 100 * MICROSECOND);
        put(Setting.INJECTION_TIME_OUT_NS, isCutting ? injectionNs : values.get(Setting.LIVENESS_NS));
        put(Setting.PULL_PERMILLE, later.pick(0, 0, 100, 500));
        final boolean isChurning = later.chance(HALF) && values.get(Setting.WRITE_PERMILLE) != 0;
        final long churnNs = later.spread(5 * MICROSECOND, 500 * MICROSECOND);
        final long churnPermille = later.pick(100, 500, 900);
        put(Setting.CHURN_NS, isChurning ? churnNs : 0);
        put(Setting.CHURN_PERMILLE, isChurning ? churnPermille : 0);
    }

    private void drawMulticasts(final long seed)
    {
        final Draws draws = new Draws(seed, "parameters of multicasts");
        put(Setting.TREE_COUNT, draws.chance(HALF) ? draws.pick(1, 2, 2, 4) : 0);
        put(Setting.MULTICAST_PERMILLE, draws.pick(100, 500, 900));
        put(Setting.TREE_CHANGE_NS, draws.spread(50 * MICROSECOND, 20 * MILLISECOND));
        put(Setting.SUBSCRIBER_PERMILLE, draws.pick(300, 600, 900));
        put(Setting.TREE_TIME_OUT_NS, draws.spread(500 * MICROSECOND, 50 * MILLISECOND));
    }

    private long rate(final boolean isPossible)
    {
        final boolean exists = faults.chance(HALF);
        final long ppm = faults.pick(1000, 10_000, 50_000);
        return exists && isPossible ? ppm : 0;
    }

    private long few(final boolean isPossible)
    {
        final boolean exists = faults.chance(FEW);
        final long count = faults.spread(1, 8);
        return exists && isPossible ? count : 0;
    }
}
