// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;

/**
 * Options of one device, by name. A process may have several devices of a kind, so they are no keys of the node.
 * <p>Thread: one at a time.
 */
public final class DeviceOptions
{
    private final Map<String, String> values;
    private final TreeSet<String> known = new TreeSet<>();

    /**
     * Makes options.
     *
     * @param values by name.
     */
    public DeviceOptions(final Map<String, String> values)
    {
        this.values = new TreeMap<>(values);
    }

    /**
     * Reads a text.
     *
     * @param name    of the option.
     * @param initial value if it is not set.
     * @return the value.
     */
    public String text(final String name, final String initial)
    {
        known.add(name);
        return values.getOrDefault(name, initial);
    }

    /**
     * Reads a text that must be there.
     *
     * @param name of the option.
     * @return the value.
     * @throws IllegalArgumentException if it is not set.
     */
    public String text(final String name)
    {
        final String value = text(name, null);
        if (value == null)
        {
            throw new IllegalArgumentException("option " + name + " is missing");
        }
        return value;
    }

    /**
     * Reads a switch.
     *
     * @param name    of the option.
     * @param initial value if it is not set.
     * @return the value.
     * @throws IllegalArgumentException if it is neither true nor false.
     */
    public boolean truth(final String name, final boolean initial)
    {
        final String value = text(name, Boolean.toString(initial));
        if (!value.equals("true") && !value.equals("false"))
        {
            throw refusal(name, value, "true or false");
        }
        return value.equals("true");
    }

    /**
     * Reads a number, or a length with a unit such as {@code 64KiB}.
     *
     * @param name    of the option.
     * @param initial value if it is not set.
     * @param min     least value.
     * @param max     greatest value.
     * @return the value.
     * @throws IllegalArgumentException if it is none, or out of range.
     */
    public int number(final String name, final int initial, final int min, final int max)
    {
        final String value = text(name, Integer.toString(initial));
        final String limit = "a number or length from " + min + " to " + max;
        final Config config = ConfigFactory.parseMap(Map.of("value", value));
        try
        {
            final long number = config.getBytes("value");
            if (number >= min && number <= max)
            {
                return (int)number;
            }
        }
        catch (final ConfigException ex)
        {
            throw refusal(name, value, limit);
        }
        throw refusal(name, value, limit);
    }

    /** Refuses options that no call has asked for. */
    void requireKnown()
    {
        for (final String name : values.keySet())
        {
            if (!known.contains(name))
            {
                throw new IllegalArgumentException(
                    "option " + name + " is unknown: the driver knows " + String.join(", ", known));
            }
        }
    }

    private static IllegalArgumentException refusal(final String name, final String value, final String limit)
    {
        return new IllegalArgumentException("option " + name + "=" + value + " is not " + limit);
    }
}
