// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that a run depends on: a seed, and the settings that were drawn from it or set instead. The same
 * parameters give the same run, event for event. Immutable.
 */
public final class SimulationParameters
{
    private static final String SEED_KEY = "seed";

    private final long seed;
    private final EnumMap<Setting, Long> values;

    SimulationParameters(final long seed, final Map<Setting, Long> values)
    {
        this.seed = seed;
        this.values = new EnumMap<>(values);
    }

    /** Draws all settings. */
    public static SimulationParameters draw(final long seed)
    {
        return new SimulationParameters(seed, new ParameterDraw(seed).values());
    }

    /**
     * Reads what {@link #lines()} printed, so that a run can be repeated although the drawing has changed since.
     *
     * @param lines {@code key=value} each; settings that are not named are drawn from the seed.
     */
    public static SimulationParameters parse(final List<String> lines)
    {
        long seed = 0;
        final Map<Setting, Long> given = new EnumMap<>(Setting.class);
        for (final String line : lines)
        {
            final int separator = line.indexOf('=');
            if (separator < 0)
            {
                throw new IllegalArgumentException("\"" + line + "\" is not key=value");
            }
            final String key = line.substring(0, separator).trim();
            final long value = Long.parseLong(line.substring(separator + 1).trim());
            if (SEED_KEY.equals(key))
            {
                seed = value;
            }
            else
            {
                given.put(setting(key), value);
            }
        }
        SimulationParameters parameters = draw(seed);
        for (final Map.Entry<Setting, Long> entry : given.entrySet())
        {
            parameters = parameters.with(entry.getKey(), entry.getValue());
        }
        return parameters;
    }

    /** The same with one setting set. */
    public SimulationParameters with(final Setting setting, final long value)
    {
        final EnumMap<Setting, Long> changed = new EnumMap<>(values);
        changed.put(setting, setting.checked(value));
        return new SimulationParameters(seed, changed);
    }

    /** A setting. */
    public long get(final Setting setting)
    {
        return values.get(setting);
    }

    /** {@return where all random choices of the run begin} */
    public long seed()
    {
        return seed;
    }

    /** {@return all of it, readable and to be read again; {@code key=value} lines} */
    public List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add(SEED_KEY + "=" + seed);
        values.forEach((setting, value) -> lines.add(setting.key() + "=" + value));
        return lines;
    }

    @Override
    public String toString()
    {
        return String.join(" ", lines());
    }

    /** A setting that fits an {@code int}. */
    public int count(final Setting setting)
    {
        return Math.toIntExact(get(setting));
    }

    /** Whether a setting says yes, or anything at all. False if it is 0. */
    public boolean is(final Setting setting)
    {
        return get(setting) != 0;
    }

    /** Whether NIs may lose sight of each other, so that messages can end otherwise than acknowledged. */
    public boolean canLosePeers()
    {
        return is(Setting.LOSSY_WIRE) || is(Setting.NI_RESTART_COUNT) || is(Setting.NI_KILL_COUNT) ||
            is(Setting.NI_PAUSE_COUNT) || is(Setting.PARTITION_COUNT) || is(Setting.STALL_COUNT);
    }

    private static Setting setting(final String key)
    {
        for (final Setting setting : Setting.values())
        {
            if (setting.key().equals(key))
            {
                return setting;
            }
        }
        throw new IllegalArgumentException("there is no setting \"" + key + "\"");
    }
}
