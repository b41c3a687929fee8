// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The first item of a channel, and what it waits for. The answer of {@value #NAME} has a line for each channel with
 * items: {@code wait}, and the fields in this order, with tabs between; then lines {@code behind}, channel, owner and
 * connection, for those whose items wait behind it. Any thread; immutable.
 *
 * @param channel  of the device, from 0.
 * @param owner    key of the endpoint that owns the connection; 0 if the item has no entry any more.
 * @param stream   number of the connection at its owner.
 * @param sequence of the item.
 * @param kernel   that it waits for, or that has run.
 * @param count    items of the channel, with those of other connections.
 * @param kind     of the wait.
 * @param next     key of the endpoint that has no room; 0 for other kinds.
 * @param sinceMs  how long this has been so; -1 if nobody knows.
 * @param detail   a sentence without its end.
 */
public record ItemWait(
    int channel, int owner, int stream, int sequence, String kernel, int count, Kind kind, int next, long sinceMs,
    String detail)
{
    /** Name of the handler. */
    public static final String NAME = "accelerator.waits";

    private static final String WAIT = "wait";
    private static final String BEHIND = "behind";
    private static final int WAIT_FIELDS = 11;
    private static final int BEHIND_FIELDS = 4;

    /** Kind of a wait. */
    public enum Kind
    {
        /** Its image is not loaded. */
        IMAGE,
        /** Its pages are not in frames. */
        PAGE,
        /** The worker has its kernel. */
        KERNEL,
        /** The next stage, or the sink, has no room. */
        NEXT,
        /** Nothing: it runs soon. */
        TURN
    }

    /**
     * A connection whose items wait behind others.
     *
     * @param channel of the device.
     * @param owner   key of the endpoint that owns the connection.
     * @param stream  number of the connection at its owner.
     */
    public record Behind(int channel, int owner, int stream)
    {
    }

    /** Composes an answer. */
    static String text(final List<ItemWait> waits, final List<Behind> others)
    {
        return Stream.concat(
            waits.stream().map(wait -> line(WAIT, wait.channel, wait.owner, wait.stream, wait.sequence, wait.kernel,
                wait.count, wait.kind, wait.next, wait.sinceMs, wait.detail)),
            others.stream().map(behind -> line(BEHIND, behind.channel, behind.owner, behind.stream)))
            .collect(Collectors.joining());
    }

    private static String line(final Object... fields)
    {
        return Stream.of(fields).map(field -> field.toString().replaceAll("\\p{Cntrl}", " "))
            .collect(Collectors.joining("\t", "", "\n"));
    }

    /**
     * Reads the waits of an answer.
     *
     * @param text of the answer.
     * @return one for each channel that has items.
     * @throws IllegalArgumentException if a line is none of these.
     */
    public static List<ItemWait> parse(final String text)
    {
        return text.lines().map(line -> line.split("\t", -1)).filter(fields -> isLine(fields, WAIT, WAIT_FIELDS))
            .map(fields -> new ItemWait(Integer.parseInt(fields[1]), Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]), Integer.parseInt(fields[4]), fields[5], Integer.parseInt(fields[6]),
                Kind.valueOf(fields[7]), Integer.parseInt(fields[8]), Long.parseLong(fields[9]), fields[10])).toList();
    }

    /**
     * Reads the connections of an answer whose items wait behind others.
     *
     * @param text of the answer.
     * @return each once for a channel.
     * @throws IllegalArgumentException if a line is none of these.
     */
    public static List<Behind> parseBehind(final String text)
    {
        return text.lines().map(line -> line.split("\t", -1)).filter(fields -> isLine(fields, BEHIND, BEHIND_FIELDS))
            .map(fields -> new Behind(
                Integer.parseInt(fields[1]), Integer.parseInt(fields[2]), Integer.parseInt(fields[3]))).toList();
    }

    private static boolean isLine(final String[] fields, final String name, final int count)
    {
        final boolean isKnown = (fields[0].equals(WAIT) && fields.length == WAIT_FIELDS) ||
            (fields[0].equals(BEHIND) && fields.length == BEHIND_FIELDS);
        if (!isKnown)
        {
            throw new IllegalArgumentException("line of " + fields.length + " fields: " + fields[0]);
        }
        return fields[0].equals(name) && fields.length == count;
    }
}
