// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;
import java.util.Objects;

import org.agrona.concurrent.status.AtomicCounter;
import org.grim.GrimException;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.memory.MemorySettings;
import org.grim.memory.NodeMemory;
import org.grim.transport.PinnedArena;
import org.grim.transport.Transport;

/** Makes a node's registered memory. Any thread; no state. */
final class MemorySetup
{
    private MemorySetup()
    {
    }

    /**
     * In the arena that a transport gives, if one does; else in arenas of its own.
     *
     * @param files of the cluster, or null if it has none.
     * @throws GrimException if there is too little space; nothing is left behind.
     */
    static NodeMemory open(
        final NodeConfig config, final ClusterDirectory directory, final ClusterFiles files,
        final List<Transport> transports, final NodeCounters counters)
    {
        final MemorySettings settings = config.keys().memory();
        final PinnedArena pinned = transports.stream().map(Transport::pinnedArena).filter(Objects::nonNull)
            .findFirst().orElse(null);
        final AtomicCounter regionCounter = counters.node(CounterKind.REGIONS);
        final AtomicCounter registered = counters.node(CounterKind.REGISTERED_LENGTH);
        final AtomicCounter quarantined = counters.node(CounterKind.QUARANTINED_LENGTH);
        final NodeMemory.Gauges gauges = (regionCount, registeredLength, quarantinedLength) ->
        {
            regionCounter.setRelease(regionCount);
            registered.setRelease(registeredLength);
            quarantined.setRelease(quarantinedLength);
        };
        return files == null ? NodeMemory.inPrivateMemory(settings, directory, pinned, gauges) :
            NodeMemory.inFiles(settings, directory, files::ofNode, pinned, gauges);
    }
}
