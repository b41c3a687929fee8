// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.GrimException;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NOT_FOUND;

/**
 * A run of all benchmarks in files: {@value #RUN_FILE}, {@value #POINTS_FILE}, {@value #CURVES_FILE}. Records become
 * objects, their components members. Immutable.
 */
public record FigureDirectory(RunInfo info, List<Point> points, List<PercentileCurve> curves)
{
    /** Of the files; a reader takes no other. */
    public static final int FORMAT = 1;

    /** The circumstances. */
    public static final String RUN_FILE = "run.json";

    /** The figures. */
    public static final String POINTS_FILE = "points.json";

    /** The distributions. */
    public static final String CURVES_FILE = "percentiles.json";

    // Fields only: what records compute is not written.
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
        .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
        .setVisibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.ANY);

    /** Takes copies and checks: each key is there once. */
    public FigureDirectory
    {
        points = List.copyOf(points);
        curves = List.copyOf(curves);
        final Set<PointKey> keys = new HashSet<>();
        for (final Point point : points)
        {
            if (!keys.add(point.key()))
            {
                throw new IllegalArgumentException(point.key() + " is there twice");
            }
        }
    }

    /** Writes the files, over older ones of these names. */
    public void write(final Path directory) throws IOException
    {
        Files.createDirectories(directory);
        MAPPER.writeValue(directory.resolve(RUN_FILE).toFile(), info);
        MAPPER.writeValue(directory.resolve(POINTS_FILE).toFile(), points);
        MAPPER.writeValue(directory.resolve(CURVES_FILE).toFile(), curves);
    }

    /** Reads the files. */
    public static FigureDirectory read(final Path directory) throws IOException
    {
        final RunInfo info = read(directory.resolve(RUN_FILE), RunInfo.class);
        if (info.format() != FORMAT)
        {
            throw new GrimException(BAD_DATA,
                directory.resolve(RUN_FILE) + ": format=" + info.format() + ", this reads " +
                FORMAT);
        }
        final List<Point> points = List.of(read(directory.resolve(POINTS_FILE), Point[].class));
        final List<PercentileCurve> curves = List.of(read(directory.resolve(CURVES_FILE), PercentileCurve[].class));
        try
        {
            return new FigureDirectory(info, points, curves);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new GrimException(BAD_DATA, directory.resolve(POINTS_FILE) + ": " + ex.getMessage(), ex);
        }
    }

    private static <T> T read(final Path file, final Class<T> type) throws IOException
    {
        if (!Files.isRegularFile(file))
        {
            throw new GrimException(NOT_FOUND, file + " is missing: is this a directory that bench all wrote?");
        }
        try
        {
            final T value = MAPPER.readValue(file.toFile(), type);
            if (value == null)
            {
                throw new GrimException(BAD_DATA, file + " holds null");
            }
            return value;
        }
        catch (final JsonProcessingException ex)
        {
            throw new GrimException(BAD_DATA, file + ": " + ex.getOriginalMessage(), ex);
        }
    }
}
