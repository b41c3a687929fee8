// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import org.grim.NodeInfo;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/**
 * The events of {@link FlightEvents}, which alone loads this class, and only where the flight recorder exists.
 * <p>Thread: any; no state.
 */
@SuppressWarnings("UnusedVariable")             // The recorder reads the fields.
final class RecordedEvents
{
    private RecordedEvents()
    {
    }

    static void joined(final String cluster, final NodeInfo node)
    {
        final NodeJoined event = new NodeJoined();
        event.cluster = cluster;
        event.node = node.name();
        event.number = node.number();
        event.incarnation = node.incarnation();
        event.transports = String.join(",", node.transports());
        event.commit();
    }

    static void gone(
        final boolean isPath, final int self, final NodeInfo node, final long undelivered, final long unknown)
    {
        final PeerEvent event = isPath ? new PathLost() : new NodeGone(node.goneReason().name());
        event.noticedBy = self;
        event.node = node.name();
        event.number = node.number();
        event.incarnation = node.incarnation();
        event.undelivered = undelivered;
        event.unknown = unknown;
        event.commit();
    }

    static void timedOut(final Object destination, final long waitedNs)
    {
        final RequestTimedOut event = new RequestTimedOut();
        event.destination = destination.toString();
        event.waited = waitedNs;
        event.commit();
    }

    static void failed(final String handler, final Throwable error)
    {
        final HandlerError event = new HandlerError();
        event.handler = handler;
        event.error = error.toString();
        event.commit();
    }

    /** Begins a stall of a channel's sends. Returns the event. */
    static Object beginStall(final int node, final int channel)
    {
        final BackPressure event = new BackPressure();
        event.number = node;
        event.channel = channel;
        event.begin();
        return event;
    }

    /** Ends a stall. It is recorded if it was as long as the recording asks for. */
    static void endStall(final Object stall, final long refusedCount)
    {
        final BackPressure event = (BackPressure)stall;
        event.refused = refusedCount;
        event.commit();
    }

    @Name("grim.NodeJoined")
    @Label("Node Joined")
    @Category("GRIM")
    @Description("This process is a node of a cluster from now on")
    @StackTrace(false)
    private static final class NodeJoined extends Event
    {
        @Label("Cluster")
        private String cluster;
        @Label("Node")
        private String node;
        @Label("Number")
        private int number;
        @Label("Incarnation")
        private int incarnation;
        @Label("Transports")
        private String transports;
    }

    @StackTrace(false)
    @Category("GRIM")
    private abstract static class PeerEvent extends Event
    {
        @Label("Noticed by Node Number")
        int noticedBy;
        @Label("Node")
        String node;
        @Label("Number")
        int number;
        @Label("Incarnation")
        int incarnation;
        @Label("Undelivered Messages")
        long undelivered;
        @Label("Messages of Unknown Outcome")
        long unknown;
    }

    @Name("grim.NodeGone")
    @Label("Node Gone")
    @Description("Another node left or died")
    private static final class NodeGone extends PeerEvent
    {
        @Label("Reason")
        private final String reason;

        NodeGone(final String reason)
        {
            this.reason = reason;
        }
    }

    @Name("grim.PathLost")
    @Label("Path Lost")
    @Description("A hop of the path to another node has gone; the node may be up")
    private static final class PathLost extends PeerEvent
    {
    }

    @Name("grim.RequestTimedOut")
    @Label("Request Timed Out")
    @Category("GRIM")
    @StackTrace(false)
    private static final class RequestTimedOut extends Event
    {
        @Label("Destination")
        private String destination;
        @Label("Waited")
        @Timespan(Timespan.NANOSECONDS)
        private long waited;
    }

    @Name("grim.HandlerError")
    @Label("Handler Error")
    @Category("GRIM")
    private static final class HandlerError extends Event
    {
        @Label("Handler")
        private String handler;
        @Label("Error")
        private String error;
    }

    @Name("grim.BackPressure")
    @Label("Back Pressure")
    @Category("GRIM")
    @Description("Sends of a channel found no room, and none was accepted")
    @Threshold("10 ms")
    @StackTrace(false)
    private static final class BackPressure extends Event
    {
        @Label("Node Number")
        private int number;
        @Label("Channel, -1 for Shared Links")
        private int channel;
        @Label("Refused Sends")
        private long refused;
    }
}
