// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

/** The counters of a node. */
public enum CounterKind implements CounterType
{
    /** Messages accepted for sending on a channel. */
    MESSAGES_SENT(1000, Scope.CHANNEL, "messages-sent"),
    /** Payload bytes accepted for sending on a channel. */
    BYTES_SENT(1001, Scope.CHANNEL, "bytes-sent"),
    /** Messages handed to handlers on a channel. */
    MESSAGES_RECEIVED(1002, Scope.CHANNEL, "messages-received"),
    /** Payload bytes handed to handlers on a channel. */
    BYTES_RECEIVED(1003, Scope.CHANNEL, "bytes-received"),
    /** Sends on a channel that found no room. */
    BACK_PRESSURED(1004, Scope.CHANNEL, "back-pressured"),
    /** Messages of a channel that stand in the overflow queue now. */
    OVERFLOW_DEPTH(1005, Scope.CHANNEL, "overflow-depth"),
    /** Accepted messages that could not be delivered because the peer went before they left the overflow queue. */
    UNDELIVERED(1006, Scope.CHANNEL, "undelivered"),
    /** Polls of an endpoint; written at housekeeping. Keyed by the endpoint's first channel. */
    POLLS(1007, Scope.CHANNEL, "polls"),
    /** Polls that found nothing. */
    EMPTY_POLLS(1008, Scope.CHANNEL, "empty-polls"),
    /** Queues, slots and frames of a channel that were taken back from senders that are gone. */
    RECLAIMED(1009, Scope.CHANNEL, "reclaimed"),
    /** Bytes that the overflow queues of an endpoint hold now. Keyed by the endpoint's first channel. */
    OVERFLOW_LENGTH(1013, Scope.CHANNEL, "overflow-length"),
    /** Most bytes that they may hold; 0 for a channel that is not an endpoint's first. */
    OVERFLOW_CEILING(1014, Scope.CHANNEL, "overflow-ceiling"),
    /** Messages that handlers of an endpoint kept and have not released. Keyed by the endpoint's first channel. */
    KEPT_MESSAGES(1024, Scope.CHANNEL, "kept-messages"),
    /** Bytes that they take. */
    KEPT_LENGTH(1025, Scope.CHANNEL, "kept-length"),
    /** Most bytes that they may take; 0 before the first one. */
    KEPT_CEILING(1026, Scope.CHANNEL, "kept-ceiling"),
    /** Messages that found no room to be kept. */
    KEPT_REFUSED(1027, Scope.CHANNEL, "kept-refused"),
    /** Whether a device leaves the channel's queues unread: 1 if it does. */
    PAUSED(1028, Scope.CHANNEL, "paused"),
    /** Remote writes accepted on a channel; those of a block of rows count as one. */
    MEMORY_WRITES(1018, Scope.CHANNEL, "memory-writes"),
    /** Bytes of the remote writes accepted on a channel. */
    MEMORY_BYTES_WRITTEN(1019, Scope.CHANNEL, "memory-bytes-written"),
    /** Remote reads accepted on a channel. */
    MEMORY_READS(1020, Scope.CHANNEL, "memory-reads"),
    /** Bytes of the remote reads accepted on a channel. */
    MEMORY_BYTES_READ(1021, Scope.CHANNEL, "memory-bytes-read"),
    /** Atomic operations on remote memory accepted on a channel. */
    MEMORY_ATOMICS(1023, Scope.CHANNEL, "memory-atomics"),
    /** Remote-memory operations of this node that were accepted and not executed; one per reason, keyed by it. */
    MEMORY_REFUSED(1022, Scope.REMOTE_REFUSAL, "memory-refused"),
    /** Handlers that threw. */
    HANDLER_ERRORS(1010, Scope.NODE, "handler-errors"),
    /** Sends that found the peer gone. */
    PEER_GONE(1011, Scope.NODE, "peer-gone"),
    /** Nodes that left or died, as the host endpoint noticed while it polled. */
    NODES_GONE(1045, Scope.NODE, "nodes-gone"),
    /** Messages above the MTU that were accepted for sending; they are among the messages sent. */
    LARGE_MESSAGES_SENT(1040, Scope.NODE, "large-messages-sent"),
    /** Messages above the MTU that were handed to handlers; they are among the messages received. */
    LARGE_MESSAGES_RECEIVED(1041, Scope.NODE, "large-messages-received"),
    /** Bytes that messages hold now which arrive in parts. */
    REASSEMBLY_LENGTH(1042, Scope.NODE, "reassembly-length"),
    /** Bytes that messages hold now which their receivers read in place. */
    OUTBOX_LENGTH(1043, Scope.NODE, "outbox-length"),
    /** Multicasts that were accepted, and of which some member may lack its copy, as a member has left meanwhile. */
    MULTICASTS_LOST(1044, Scope.NODE, "multicasts-lost"),
    /** Bytes from peers that were refused; one counter per reason, keyed by it. */
    REJECTED(1012, Scope.REJECT_REASON, "rejected"),
    /** When a wait of a thread began, in ms of the epoch; keyed by the node that it waits for, or -1. */
    THREAD_WAITS(1050, Scope.WAIT, "thread-waits"),
    /** Regions of registered memory. */
    REGIONS(1015, Scope.NODE, "regions"),
    /** Bytes of their pages. */
    REGISTERED_LENGTH(1016, Scope.NODE, "registered-length"),
    /** Bytes of freed pages that wait for operations of others to end before they are used again. */
    QUARANTINED_LENGTH(1017, Scope.NODE, "quarantined-length");

    private static final CounterKind[] VALUES = values();

    private final int typeId;
    private final Scope scope;
    private final String label;

    /** The object that has one counter of the kind. */
    public enum Scope
    {
        /** One per logical channel. */
        CHANNEL,
        /** One per node. */
        NODE,
        /** One per reason to refuse bytes. */
        REJECT_REASON,
        /** One per reason to refuse a remote-memory operation. */
        REMOTE_REFUSAL,
        /** One per wait of a thread that was reported. */
        WAIT
    }

    CounterKind(final int typeId, final Scope scope, final String label)
    {
        this.typeId = typeId;
        this.scope = scope;
        this.label = label;
    }

    @Override
    public Scope scope()
    {
        return scope;
    }

    @Override
    public String label()
    {
        return label;
    }

    @Override
    public int typeId()
    {
        return typeId;
    }

    /** The kind of a type id. Returns the kind, or null for an unknown id. */
    public static CounterKind ofTypeId(final int typeId)
    {
        for (final CounterKind kind : VALUES)
        {
            if (kind.typeId == typeId)
            {
                return kind;
            }
        }
        return null;
    }
}
