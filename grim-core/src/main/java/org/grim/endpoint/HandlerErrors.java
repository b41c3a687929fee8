// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.EndpointId;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.FlightEvents;
import org.grim.counters.NodeCounters;
import org.grim.thread.ErrorReports;
import org.grim.wire.FlowKey;

/**
 * The path of errors of an application's handlers and listeners: each is counted and reported, with the names of the
 * handler and of the message's sender. No call throws.
 * <p>Thread: any.
 */
public final class HandlerErrors
{
    private final ClusterDirectory directory;
    private final HandlerTable handlers;
    private final NodeCounters counters;
    private final ErrorReports reports;

    /** Reports errors of one node. */
    public HandlerErrors(
        final ClusterDirectory directory, final HandlerTable handlers, final NodeCounters counters,
        final ErrorReports reports)
    {
        this.directory = directory;
        this.handlers = handlers;
        this.counters = counters;
        this.reports = reports;
    }

    /**
     * Reports an error of a handler.
     *
     * @param error     that it threw.
     * @param handlerId that the message named.
     * @param flowKey   of the message, as {@link FlowKey}.
     */
    public void onError(final Throwable error, final int handlerId, final long flowKey)
    {
        counters.node(CounterKind.HANDLER_ERRORS).increment();
        FlightEvents.failed(handlers.nameOf(handlerId), error);
        reports.report(error, handlerId, () -> "handler=" + handlers.nameOf(handlerId) + " failed at a message from " +
            nameOf(FlowKey.sourceKey(flowKey)));
    }

    /**
     * Reports an error of a listener.
     *
     * @param error    that it threw.
     * @param listener what it listens to.
     */
    public void onError(final Throwable error, final String listener)
    {
        counters.node(CounterKind.HANDLER_ERRORS).increment();
        FlightEvents.failed(listener, error);
        reports.report(error, listener, () -> "the listener of " + listener + " failed");
    }

    private String nameOf(final int sourceKey)
    {
        final EndpointId source = EndpointId.ofKey(sourceKey);
        return directory.label(source.node()) + " channel=" + source.channel();
    }
}
