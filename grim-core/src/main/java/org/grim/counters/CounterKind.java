// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

/** What is counted. */
public enum CounterKind
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
    /** Handlers that threw. */
    HANDLER_ERRORS(1010, Scope.NODE, "handler-errors"),
    /** Sends that found the peer gone. */
    PEER_GONE(1011, Scope.NODE, "peer-gone"),
    /** Bytes from peers that were refused; one counter per reason, keyed by it. */
    REJECTED(1012, Scope.REJECT_REASON, "rejected");

    private static final CounterKind[] VALUES = values();

    private final int typeId;
    private final Scope scope;
    private final String label;

    /** What there is one counter of the kind for. */
    public enum Scope
    {
        /** One per logical channel. */
        CHANNEL,
        /** One per node. */
        NODE,
        /** One per reason to refuse bytes. */
        REJECT_REASON
    }

    CounterKind(final int typeId, final Scope scope, final String label)
    {
        this.typeId = typeId;
        this.scope = scope;
        this.label = label;
    }

    /**
     * What there is one counter for.
     *
     * @return the scope.
     */
    public Scope scope()
    {
        return scope;
    }

    /**
     * Name in command output.
     *
     * @return lower case with hyphens.
     */
    public String label()
    {
        return label;
    }

    /**
     * Number of the kind in the counters file.
     *
     * @return 1,000 or more.
     */
    public int typeId()
    {
        return typeId;
    }

    /**
     * The kind of a type id.
     *
     * @param typeId from a counters file.
     * @return the kind, or null for an unknown id.
     */
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
