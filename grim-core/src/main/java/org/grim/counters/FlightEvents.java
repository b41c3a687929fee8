// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import org.grim.NodeInfo;

import jdk.jfr.FlightRecorder;

/**
 * Events of nodes for the JVM's flight recorder: what happens seldom, and needs a time. Without the module
 * {@code jdk.jfr}, or before a first recording begins, each call is a look at a flag; no class of that module is named
 * here except in calls that are not reached then.
 * <p>Thread: any; no state.
 */
public final class FlightEvents
{
    private static final boolean IS_PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents()
    {
    }

    /** {@return whether a recording may want events} */
    public static boolean isOn()
    {
        return IS_PRESENT && FlightRecorder.isInitialized();
    }

    /**
     * Records that this process joined.
     *
     * @param cluster that it joined.
     * @param node    as which.
     */
    public static void joined(final String cluster, final NodeInfo node)
    {
        if (isOn())
        {
            RecordedEvents.joined(cluster, node);
        }
    }

    /**
     * Records that another node is gone, or that a path to it is.
     *
     * @param isPath      whether the node may still be up.
     * @param self        number of the node that noticed it.
     * @param node        that it noticed.
     * @param undelivered messages that were not handled.
     * @param unknown     messages that may have been handled.
     */
    public static void gone(
        final boolean isPath, final int self, final NodeInfo node, final long undelivered, final long unknown)
    {
        if (isOn())
        {
            RecordedEvents.gone(isPath, self, node, undelivered, unknown);
        }
    }

    /**
     * Records that no answer came in time.
     *
     * @param destination of the request.
     * @param waitedNs    since the request.
     */
    public static void timedOut(final Object destination, final long waitedNs)
    {
        if (isOn())
        {
            RecordedEvents.timedOut(destination, waitedNs);
        }
    }

    /**
     * Records that a handler threw.
     *
     * @param handler in words.
     * @param error   that it threw.
     */
    public static void failed(final String handler, final Throwable error)
    {
        if (isOn())
        {
            RecordedEvents.failed(handler, error);
        }
    }
}
