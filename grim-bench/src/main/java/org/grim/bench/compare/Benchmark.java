// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.util.List;
import java.util.Locale;

/** What is measured. */
public enum Benchmark
{
    /** Ping-pong: half of the median round trip. */
    LATENCY("ns"),

    /** One-way stream of small messages. */
    RATE("msg/s"),

    /** One-way stream of large messages, counted in bytes of payload. */
    BANDWIDTH("GB/s"),

    /** One look at silent queues, per queue; sizes are counts of queues. */
    POLL("ns");

    private final String unit;

    Benchmark(final String unit)
    {
        this.unit = unit;
    }

    /**
     * Unit of its figures.
     *
     * @return for reports.
     */
    public String unit()
    {
        return unit;
    }

    /**
     * Payload sizes that it is measured at.
     *
     * @return bytes; for {@link #POLL} counts of queues.
     */
    public List<Integer> sizes()
    {
        return switch (this)
        {
            case LATENCY -> List.of(0, 8, 24, 32, 256, 2048, 16384, 65504);
            case RATE -> List.of(8, 32, 256);
            case BANDWIDTH -> List.of(2048, 16384, 65504);
            case POLL -> List.of(1, 8, 64);
        };
    }

    /**
     * Name in options and reports.
     *
     * @return lower case.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
