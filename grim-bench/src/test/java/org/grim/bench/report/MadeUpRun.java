// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;

/** A run of all suites that nobody measured: figures by simple laws, noise by a seed. */
public final class MadeUpRun
{
    private static final int FORKS = 5;
    private static final int ROUNDS = 7;
    private static final double NOISE = 0.02;
    private static final double[] SIZES = {0, 8, 24, 32, 256, 2048, 16384, 65504};
    private static final double[] MEMORY_SIZES = {8, 64, 256, 2048, 16384, 65536, 1 << 20, 16 << 20};
    private static final double[] PERCENTILES = {0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 100};
    private static final String[] PEERS = {"grim-shmem", "grim-myrinet", "grim-null", "copy-flag", "aeron-ipc",
        "aeron-ipc-default", "aeron-udp", "one-to-one", "tcp", "uds", "jctools", "open-mpi"};
    private static final double[] BASES = {95, 840, 41, 80, 170, 420, 5200, 130, 7400, 4900, 62, 310};

    private final Random random;
    private final double costFactor;
    private final List<Point> points = new ArrayList<>();

    private MadeUpRun(final long seed, final double costFactor)
    {
        random = new Random(seed);
        this.costFactor = costFactor;
    }

    /** A run; the cost of the send path is so many times what it was. */
    public static FigureDirectory of(final long seed, final double costFactor)
    {
        return new MadeUpRun(seed, costFactor).run();
    }

    private FigureDirectory run()
    {
        addMessages();
        addMemory();
        for (final double size : new double[]{32, 4096})
        {
            add(new PointKey("board", "latency", "grim-myrinet", "tail-flag", "size", size), "ns", 800 + size / 9);
            add(new PointKey("board", "latency", "grim-myrinet", "queue-pointer", "size", size), "ns", 840 + size / 9);
        }
        for (final double queues : new double[]{1, 2, 4, 8, 16, 32, 64})
        {
            add(new PointKey("poll", "poll", "grim-null", "-", "queues", queues), "ns", 3 + 0.4 * queues);
            add(new PointKey("poll", "poll", "grim-shmem", "-", "queues", queues), "ns", 4 + 0.5 * queues);
            add(new PointKey("poll", "poll", "grim-myrinet", "-", "queues", queues), "ns", 6 + 0.7 * queues);
        }
        for (final double channels : new double[]{1, 2, 4, 8, 16, 32})
        {
            add(new PointKey("channels", "message", "grim-shmem", "-", "channels", channels), "ns", 90 + channels);
            add(new PointKey("channels", "message", "grim-myrinet", "-", "channels", channels), "ns",
                700 + 9 * channels);
        }
        add(new PointKey("cost", "message", "grim-null", "-", "size", 32), "ns", 38 * costFactor);
        add(new PointKey("cost", "message", "grim-shmem", "-", "size", 32), "ns", 52 * costFactor);
        add(new PointKey("cpu", "share", "grim-shmem", "idle", "load", 0), "%", 0.4);
        add(new PointKey("cpu", "share", "grim-myrinet", "idle", "load", 0), "%", 0.9);
        add(new PointKey("cpu", "allocation", "grim-shmem", "loaded", "load", 0), "B/op", 0);
        final Map<String, String> machine = new LinkedHashMap<>();
        machine.put("CPU", "A made-up processor, 3.1 GHz");
        machine.put("kernel", "6.1.0");
        machine.put("memory", "8 GiB");
        final RunInfo info = new RunInfo(FigureDirectory.FORMAT, "0123abcd", "2026-11-21T20:00:00Z", 431, false, FORKS,
            2, 2, machine, Map.of("JVM", "17.0.17", "Aeron", "1.51.0"), Map.of("ucx", "ucx_perftest is not installed"),
            List.of("Figures of this run are made up."));
        return new FigureDirectory(info, points, curves());
    }

    private void addMessages()
    {
        for (int i = 0; i < PEERS.length; i++)
        {
            final double base = BASES[i];
            for (final double size : SIZES)
            {
                add(new PointKey("messages", "latency", PEERS[i], "ignore", "size", size), "ns", base + size * 0.05);
                add(new PointKey("messages", "latency", PEERS[i], "read", "size", size), "ns", base + size * 0.13);
            }
            for (final double size : new double[]{8, 32, 256})
            {
                add(new PointKey("messages", "rate", PEERS[i], "ignore", "size", size), "msg/s",
                    1e9 / (base / 4 + size * 0.05));
            }
            for (final double size : new double[]{2048, 16384, 65504})
            {
                add(new PointKey("messages", "bandwidth", PEERS[i], "ignore", "size", size), "GB/s",
                    size / (base * 1.5 + size * 0.08));
            }
        }
        add(new PointKey("messages", "latency", "raw", "ignore", "size", 8), "ns", 55);
    }

    private void addMemory()
    {
        final String[] peers = {"grim-rm-p", "grim-rm-v", "copy-memory", "ucx"};
        for (int i = 0; i < peers.length; i++)
        {
            for (final double size : MEMORY_SIZES)
            {
                add(new PointKey("memory", "put-bandwidth", peers[i], "-", "size", size), "GB/s",
                    size / (20 * (i + 1) + size * (0.08 + 0.03 * i)));
            }
        }
    }

    private void add(final PointKey key, final String unit, final double value)
    {
        final List<List<Double>> forks = new ArrayList<>();
        final List<List<Double>> yardstick = new ArrayList<>();
        for (int fork = 0; fork < FORKS; fork++)
        {
            final double ofFork = value * Math.exp(NOISE * random.nextGaussian());
            final List<Double> rounds = new ArrayList<>();
            final List<Double> machine = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++)
            {
                final double speed = Math.exp(NOISE * random.nextGaussian());
                rounds.add(ofFork * speed);
                machine.add(50 * speed);
            }
            forks.add(rounds);
            yardstick.add(machine);
        }
        final boolean isSpeed = unit.endsWith("/s");
        points.add(new Point(key, unit, isSpeed ? Direction.HIGHER_IS_BETTER : Direction.LOWER_IS_BETTER, forks,
            isSpeed ? List.of() : yardstick));
    }

    private List<PercentileCurve> curves()
    {
        final List<PercentileCurve> curves = new ArrayList<>();
        final String[] peers = {"grim-shmem", "aeron-ipc", "grim-myrinet"};
        for (final double load : new double[]{0.1, 0.5, 0.9})
        {
            for (int i = 0; i < peers.length; i++)
            {
                final List<PercentileCurve.Value> values = new ArrayList<>();
                for (final double percentile : PERCENTILES)
                {
                    final double nines = -Math.log10(1 - Math.min(percentile, 99.9999) / 100);
                    values.add(new PercentileCurve.Value(percentile,
                        150 * (1 + 4 * i) * Math.pow(1.3 + load, nines * nines * 0.6)));
                }
                final PointKey key = new PointKey("load", "latency", peers[i], "-", "load", load);
                curves.add(new PercentileCurve(key, "ns", values, 1_000_000));
                add(new PointKey("load", "p99", peers[i], "-", "load", load), "ns", values.get(7).value());
            }
        }
        return curves;
    }
}
