// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.grim.GrimException;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.PercentileCurve;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;

/** Reads a run and refuses what cannot be drawn or compared. Any thread; no state. */
public final class SoundRun
{
    private static final double PERCENTILE_MAX = 100;

    private SoundRun()
    {
    }

    /**
     * Reads.
     *
     * @param directory that a run wrote.
     * @return the run; each figure is finite, each yardstick above 0, each key there once.
     * @throws IOException   if a file cannot be read.
     * @throws GrimException if a file holds something else; names it.
     */
    public static FigureDirectory read(final Path directory) throws IOException
    {
        final FigureDirectory run = FigureDirectory.read(directory);
        requireInfo(directory.resolve(FigureDirectory.RUN_FILE), run.info());
        final Path points = directory.resolve(FigureDirectory.POINTS_FILE);
        final Set<PointKey> keys = new HashSet<>();
        for (final Point point : run.points())
        {
            require(keys.add(point.key()), points, point.key(), "is there twice");
            require(areFinite(point.forks(), -Double.MAX_VALUE), points, point.key(),
                "has a figure that is not finite");
            require(areFinite(point.yardstick(), Double.MIN_VALUE), points, point.key(),
                "has a yardstick that is not above 0");
        }
        final Path curves = directory.resolve(FigureDirectory.CURVES_FILE);
        for (final PercentileCurve curve : run.curves())
        {
            require(curve.values().stream().allMatch(SoundRun::isSound), curves, curve.key(),
                "has a value that is not finite, or a percentile outside 0 to 100");
        }
        return run;
    }

    private static void requireInfo(final Path file, final RunInfo info)
    {
        final boolean isWhole = info.commit() != null && info.started() != null && info.machine() != null &&
            info.versions() != null && info.absent() != null && info.notes() != null &&
            info.notes().stream().allMatch(Objects::nonNull);
        if (!isWhole)
        {
            throw new GrimException(file + ": commit, started, machine, versions, absent or notes is missing");
        }
    }

    private static boolean isSound(final PercentileCurve.Value value)
    {
        return Double.isFinite(value.value()) && value.percentile() >= 0 && value.percentile() <= PERCENTILE_MAX;
    }

    private static boolean areFinite(final List<List<Double>> figures, final double least)
    {
        return figures.stream().flatMap(List::stream).allMatch(figure -> Double.isFinite(figure) && figure >= least);
    }

    private static void require(final boolean isSo, final Path file, final PointKey key, final String what)
    {
        if (!isSo)
        {
            throw new GrimException(file + ": " + key + " " + what);
        }
    }
}
