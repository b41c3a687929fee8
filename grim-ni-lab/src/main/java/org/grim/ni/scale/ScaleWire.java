// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import java.util.Locale;

import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;
import org.grim.ni.timing.LanaiTiming;
import org.grim.ni.timing.VirtualHostEngine;
import org.grim.ni.timing.VirtualProcessor;

/**
 * A wire, with the switches, boards and hosts of its time. The latency is that from NI to NI through one switch, half
 * of it on each link; each further level of switches adds as much again.
 */
public enum ScaleWire
{
    /**
     * Links of 149 MB/s as SAN-1280 was seen to carry, 500 ns, switches of 16 ports; LANai 9 in 64 bit PCI, with
     * doorbells. A host takes 1 us for a message and reads 1 GB/s.
     */
    MYRINET(LanaiTiming.lanai9().linkBytesPerSecond(), 500, 16, 1, 1_000, 1_000_000_000L),

    /**
     * Links of 100 Gb/s, 1 us, switches of 64 ports. A processor that takes 20 ns for each action of the control
     * program (50 cycles at 2.5 GHz; a LANai 9 takes 65 to 200 at 133 MHz), and a host engine with 20 ns for each
     * transfer and 25 GB/s, what 16 lanes of PCIe 4 leave of 31.5: writes are posted, so that nobody waits for the
     * bus's latency. A host takes 50 ns for a message and reads 20 GB/s.
     */
    MODERN(12_500_000_000L, 1_000, 64, 20, 50, 20_000_000_000L);

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MODERN_STARTUP_NS = 20;
    private static final long MODERN_BUS_BYTES_PER_SECOND = 25_000_000_000L;
    private static final int PCI_BITS = 64;
    private static final int SLACK_PACKETS = 2;

    private final long bytesPerSecond;
    private final long latencyNs;
    private final int portCount;
    private final long turnNs;
    private final long takeNs;
    private final long readBytesPerSecond;

    ScaleWire(
        final long bytesPerSecond, final long latencyNs, final int portCount, final long turnNs, final long takeNs,
        final long readBytesPerSecond)
    {
        this.bytesPerSecond = bytesPerSecond;
        this.latencyNs = latencyNs;
        this.portCount = portCount;
        this.turnNs = turnNs;
        this.takeNs = takeNs;
        this.readBytesPerSecond = readBytesPerSecond;
    }

    /** {@return what a link carries; bytes per second} */
    public long bytesPerSecond()
    {
        return bytesPerSecond;
    }

    /** Switches for so many NIs. */
    Topology topology(final int niCount)
    {
        return Topology.foldedClos(niCount, portCount);
    }

    /**
     * Links whose far ends hold twice what keeps them busy: what is under way, a packet that comes and one that goes.
     */
    LinkTiming linkTiming(final int packetLength)
    {
        final long linkNs = latencyNs / 2;
        final long packetNs = packetLength * SECOND_NS / bytesPerSecond + 1;
        final int inFlightCount = (int)((linkNs + packetNs - 1) / packetNs);
        return new LinkTiming(linkNs, bytesPerSecond, 2 * (inFlightCount + SLACK_PACKETS));
    }

    VirtualProcessor processor()
    {
        return this == MYRINET ? VirtualProcessor.of(lanai(), 1) : VirtualProcessor.uniform(turnNs);
    }

    VirtualHostEngine engine(
        final HostMemory memory, final VirtualClock clock, final VirtualProcessor processor, final Runnable wakeUp)
    {
        return this == MYRINET ? VirtualHostEngine.of(memory, clock, processor, lanai(), wakeUp) :
            VirtualHostEngine.linear(
                memory, clock, processor, MODERN_STARTUP_NS, MODERN_BUS_BYTES_PER_SECOND, wakeUp);
    }

    /** The least time between two steps of the control program that do something. */
    long turnNs()
    {
        return turnNs;
    }

    /** Returns a host's time for a message of this length. */
    long drainNs(final int messageLength)
    {
        return takeNs + messageLength * SECOND_NS / readBytesPerSecond;
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    private static LanaiTiming lanai()
    {
        return LanaiTiming.lanai9().withPciBits(PCI_BITS).withDetection(LanaiTiming.Detection.DOORBELL);
    }
}
