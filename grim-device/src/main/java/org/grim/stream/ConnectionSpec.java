// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.grim.EndpointId;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A connection that {@link Streams#open} opens. Any thread; immutable.
 *
 * @param name          that the sink knows it by; up to {@value #NAME_LENGTH_MAX} bytes of UTF-8.
 * @param sink          {@link Streams#id()} of the node that gets the results.
 * @param stages        from the source to the sink, one or more.
 * @param window        most items under way, 1 or more; each stage reserves room for them.
 * @param itemLengthMax most bytes of an item and of each result.
 * @param isStopping    whether all items behind a failed one fail, too.
 * @param listener      learns what became of items that were not delivered.
 */
public record ConnectionSpec(
    String name, EndpointId sink, List<Stage> stages, int window, int itemLengthMax, boolean isStopping,
    ConnectionListener listener)
{
    /** Longest name, in bytes of UTF-8. */
    public static final int NAME_LENGTH_MAX = 255;

    private static final int WINDOW_DEFAULT = 32;
    private static final int ITEM_LENGTH_DEFAULT = 1 << 16;

    /**
     * Checks a specification.
     *
     * @param name          that the sink knows it by.
     * @param sink          of the results.
     * @param stages        one or more.
     * @param window        most items under way.
     * @param itemLengthMax most bytes of an item.
     * @param isStopping    whether all items behind a failed one fail.
     * @param listener      of failures.
     * @throws IllegalArgumentException if the name is too long, there is no stage, or a number is less than 1.
     */
    public ConnectionSpec
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(listener, "listener");
        stages = List.copyOf(stages);
        if (stages.isEmpty() || window < 1 || itemLengthMax < 1)
        {
            throw new IllegalArgumentException("connection stages=" + stages.size() + " window=" + window +
                " itemLengthMax=" + itemLengthMax + ": each has min=1");
        }
        final int nameLength = name.getBytes(UTF_8).length;
        if (nameLength > NAME_LENGTH_MAX)
        {
            throw new IllegalArgumentException(
                "name of a connection of length=" + nameLength + " exceeds max=" + NAME_LENGTH_MAX);
        }
        requireSpaces(stages);
    }

    /** Refuses stages that have a space together. */
    static void requireSpaces(final List<Stage> stages)
    {
        final Set<Integer> spaces = new HashSet<>();
        for (final Stage stage : stages)
        {
            final int space = stage.operands().space();
            if (space != 0 && !spaces.add(space))
            {
                throw new IllegalArgumentException("space=" + space + " is that of two stages");
            }
        }
    }

    /**
     * Names a connection that skips failed items, with windows of 32 items of up to 64 KiB.
     *
     * @param name   that the sink knows it by.
     * @param sink   of the results.
     * @param stages one or more.
     * @return the specification.
     */
    public static ConnectionSpec of(final String name, final EndpointId sink, final Stage... stages)
    {
        return new ConnectionSpec(name, sink, List.of(stages), WINDOW_DEFAULT, ITEM_LENGTH_DEFAULT, false,
            new ConnectionListener()
            {
            });
    }

    /**
     * Bounds the items.
     *
     * @param newWindow        most items under way.
     * @param newItemLengthMax most bytes of an item and of each result.
     * @return a new specification.
     */
    public ConnectionSpec bounds(final int newWindow, final int newItemLengthMax)
    {
        return new ConnectionSpec(name, sink, stages, newWindow, newItemLengthMax, isStopping, listener);
    }

    /**
     * Has all items behind a failed one fail, too.
     *
     * @return a new specification.
     */
    public ConnectionSpec stopping()
    {
        return new ConnectionSpec(name, sink, stages, window, itemLengthMax, true, listener);
    }

    /**
     * Says who learns what became of items that were not delivered.
     *
     * @param newListener run on the thread that polls.
     * @return a new specification.
     */
    public ConnectionSpec listener(final ConnectionListener newListener)
    {
        return new ConnectionSpec(name, sink, stages, window, itemLengthMax, isStopping, newListener);
    }
}
