// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.grim.GrimException;
import org.grim.counters.CounterType;
import org.grim.counters.CountersView;
import org.grim.text.SafeText;

/** A counters file at one look. */
public record Counters(List<CountersView.Reading> readings, List<CountersView.DistinctError> errors)
{
    private static final int ERROR_LENGTH_MAX = 400;

    /** Of a file that is not there, or cannot be read. */
    public static final Counters NONE = new Counters(List.of(), List.of());

    /**
     * Reads the file of a node, or of its NI.
     *
     * @param file    that is read.
     * @param what    it is, in words.
     * @param missing gets a sentence if it cannot be read.
     * @param kinds   of counters that it may have.
     * @return what it says.
     */
    public static Counters of(
        final Path file, final String what, final List<String> missing, final CounterType... kinds)
    {
        if (!Files.exists(file))
        {
            missing.add("no " + what + ": it left, or has grim.counters.file=false");
            return NONE;
        }
        try (CountersView view = new CountersView(file, kinds))
        {
            return new Counters(view.readings(), view.errors());
        }
        catch (final GrimException ex)
        {
            missing.add(what + " cannot be read: " + ex.getMessage());
            return NONE;
        }
    }

    /**
     * Counters of a whole node or NI.
     *
     * @param scope of them.
     * @return by name.
     */
    public Map<String, Long> ofScope(final Enum<?> scope)
    {
        return collect(scope, reading -> reading.kind().label());
    }

    /**
     * Counters that have a reason: those that are not zero.
     *
     * @param scope of them.
     * @return by reason.
     */
    public Map<String, Long> reasons(final Enum<?> scope)
    {
        final Map<String, Long> reasons =
            collect(scope, reading -> reading.label().replace(reading.kind().label(), "").trim());
        reasons.values().removeIf(value -> value == 0);
        return reasons;
    }

    /**
     * Counters of channels or triples.
     *
     * @param scope of them.
     * @return by key and name.
     */
    public Map<Integer, Map<String, Long>> byKey(final Enum<?> scope)
    {
        final Map<Integer, Map<String, Long>> values = new TreeMap<>();
        readings.stream().filter(reading -> reading.kind().scope() == scope).forEach(reading -> values
            .computeIfAbsent(reading.key(), key -> new LinkedHashMap<>()).put(reading.kind().label(), reading.value()));
        return values;
    }

    /**
     * One counter of all channels.
     *
     * @param kind of counter.
     * @return by channel.
     */
    public Map<Integer, Long> values(final CounterType kind)
    {
        final Map<Integer, Long> values = new TreeMap<>();
        readings.stream().filter(reading -> reading.kind() == kind)
            .forEach(reading -> values.put(reading.key(), reading.value()));
        return values;
    }

    /** Values for people. Returns a line for each that is not zero. */
    public static String text(final String what, final Map<String, Long> values)
    {
        return values.entrySet().stream().filter(entry -> entry.getValue() != 0)
            .map(entry -> what + " " + entry.getKey() + " " + entry.getValue() + "\n").collect(Collectors.joining());
    }

    /** The errors for people, without stack traces. Returns a line each. */
    public String errorText(final String what)
    {
        return errors.stream().map(error -> what + " seen " + error.observationCount() + " times: " +
            SafeText.shorten(error.text().lines().findFirst().orElse(""), ERROR_LENGTH_MAX) + "\n")
            .collect(Collectors.joining());
    }

    private Map<String, Long> collect(final Enum<?> scope, final Function<CountersView.Reading, String> name)
    {
        final Map<String, Long> values = new LinkedHashMap<>();
        readings.stream().filter(reading -> reading.kind().scope() == scope)
            .forEach(reading -> values.put(name.apply(reading), reading.value()));
        return values;
    }
}
