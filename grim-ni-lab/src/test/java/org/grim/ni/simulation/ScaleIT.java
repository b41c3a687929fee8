// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A thousand boards in one simulation, in a JVM of its own. */
@Tag("process")
@Tag("long")
@Timeout(240)
final class ScaleIT
{
    private static final int BOARD_COUNT = 1024;
    private static final int CHANNEL_COUNT = 4;
    private static final long BYTES_MAX = 4L << 30;

    @Test
    void shouldRunAThousandBoardsInFourGibibytes()
    {
        final SimulationParameters parameters = SimulationParameters.draw(1)
            .with(Setting.NODE_COUNT, BOARD_COUNT).with(Setting.CHANNEL_COUNT, CHANNEL_COUNT)
            .with(Setting.MESSAGE_COUNT, 20_000);

        final SimulationResult result = new ClusterSimulation(parameters, Guards.ALL).run();
        final long heapBytes = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
            .mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        final long directBytes = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getTotalCapacity).sum();

        LoggerFactory.getLogger(ScaleIT.class).warn("{} boards x {} channels: {} messages delivered, peak heap {} MiB" +
            ", boards' and hosts' memory {} MiB", BOARD_COUNT, CHANNEL_COUNT, result.deliveredCount(), heapBytes >> 20,
            directBytes >> 20);
        assertEquals(null, result.violation());
        assertTrue(result.deliveredCount() > BOARD_COUNT, "delivered " + result.deliveredCount());
        assertTrue(heapBytes + directBytes < BYTES_MAX, "heap " + heapBytes + ", direct " + directBytes);
    }
}
