// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.List;
import java.util.function.Function;

/**
 * The hops of one host at one look. Positions count bytes of a hop, as its sender and its receiver do; times are ages,
 * for clocks of hosts differ.
 *
 * @param drivers  that move the bytes.
 * @param outgoing the senders' ends.
 * @param incoming the receivers' ends.
 * @param renewals of nodes that lost all their hops at once, and go on.
 * @param missing  what could not be read, in words.
 */
public record HopReport(
    List<Driver> drivers, List<Outgoing> outgoing, List<Incoming> incoming, List<Renewal> renewals,
    List<String> missing)
{
    /** The report of a host that has no hops. */
    public static final HopReport NONE = new HopReport(List.of(), List.of(), List.of(), List.of(), List.of());

    /**
     * A media driver.
     *
     * @param processId  of its process.
     * @param silentMs   since it last stepped, as far as it says so: it does once a second.
     * @param nodes      that use it.
     */
    public record Driver(long processId, long silentMs, List<Integer> nodes)
    {
    }

    /**
     * The sender's end of a hop.
     *
     * @param flow              that both ends know it by.
     * @param node              that sends.
     * @param peer              that receives.
     * @param channel           of the receiver.
     * @param publishedPosition up to which the sender wrote.
     * @param publishedLimit    up to which it may.
     * @param sentPosition      up to which the driver sent, at least once.
     */
    public record Outgoing(
        long flow, int node, int peer, int channel, long publishedPosition, long publishedLimit, long sentPosition)
    {
    }

    /**
     * The receiver's end of a hop.
     *
     * @param flow             that both ends know it by.
     * @param node             that receives.
     * @param channel          of it.
     * @param highestPosition  up to which something has come.
     * @param completePosition up to which all has.
     * @param consumedPosition up to which the receiver read.
     * @param gapMs            since what is missing below the highest position was found missing; 0 if nothing is.
     */
    public record Incoming(
        long flow, int node, int channel, long highestPosition, long completePosition, long consumedPosition,
        long gapMs)
    {
    }

    /**
     * A node that had to begin again.
     *
     * @param node  that did.
     * @param agoMs when.
     * @param why   in words.
     */
    public record Renewal(int node, long agoMs, String why)
    {
    }

    /**
     * Makes one report of several.
     *
     * @param reports of one host.
     * @return all together.
     */
    public static HopReport merge(final List<HopReport> reports)
    {
        return new HopReport(all(reports, HopReport::drivers), all(reports, HopReport::outgoing),
            all(reports, HopReport::incoming), all(reports, HopReport::renewals), all(reports, HopReport::missing));
    }

    private static <T> List<T> all(final List<HopReport> reports, final Function<HopReport, List<T>> part)
    {
        return reports.stream().flatMap(report -> part.apply(report).stream()).toList();
    }
}
