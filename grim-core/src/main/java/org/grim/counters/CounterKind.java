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
    /** Regions of registered memory. */
    REGIONS(1015, Scope.NODE, "regions"),
    /** Bytes of their pages. */
    REGISTERED_LENGTH(1016, Scope.NODE, "registered-length"),
    /** Bytes of freed pages that wait for operations of others to end before they are used again. */
    QUARANTINED_LENGTH(1017, Scope.NODE, "quarantined-length"),

    /** Tokens given out and not answered: messages in flight. */
    NI_IN_FLIGHT(1100, Scope.NI, "in-flight"),
    /** Messages that an NI put on the wire, repeated ones not included. */
    NI_TRANSMITTED(1101, Scope.NI, "transmitted"),
    /** Messages that it put on the wire again. */
    NI_REPEATED(1102, Scope.NI, "repeated"),
    /** Messages that it handed to hosts. */
    NI_DELIVERED(1103, Scope.NI, "delivered"),
    /** Messages that came and were refused for good. */
    NI_REFUSED(1104, Scope.NI, "refused"),
    /** NIs that it is synchronised with. */
    NI_PEERS(1105, Scope.NI, "peers"),
    /** Steps of its control program. */
    NI_STEPS(1106, Scope.NI, "steps"),
    /** Contexts that are attached. */
    NI_CONTEXTS(1107, Scope.NI, "contexts"),
    /** Packets that it dropped; one counter per reason, keyed by it. */
    NI_DROPPED(1108, Scope.NI_DROP_REASON, "dropped"),
    /** Look-ups of virtual addresses that its translation cache answered, static entries included. */
    NI_TRANSLATION_HITS(1109, Scope.NI, "translation-hits"),
    /** Look-ups that it did not; an operation that comes again looks again. */
    NI_TRANSLATION_MISSES(1110, Scope.NI, "translation-misses"),
    /** Pages that left the cache because others needed their places. */
    NI_TRANSLATION_EVICTIONS(1111, Scope.NI, "translation-evictions"),
    /** Translations that it asked hosts for. */
    NI_TRANSLATION_REQUESTS(1112, Scope.NI, "translation-requests"),
    /** Of those, the ones that hosts denied. */
    NI_TRANSLATION_DENIED(1113, Scope.NI, "translation-denied"),
    /** How often it forgot a context's translations, because memory was freed. */
    NI_TRANSLATION_FORGOTTEN(1114, Scope.NI, "translation-forgotten"),
    /** Tickets that it gave to multicasts, as a tree's root. */
    NI_MULTICAST_TICKETS(1150, Scope.NI, "multicast-tickets"),
    /** Multicasts that it handed to a local subscriber. */
    NI_MULTICAST_DELIVERED(1151, Scope.NI, "multicast-delivered"),
    /** Multicasts that a local subscriber did not get, because its channel is closed or cannot hold them. */
    NI_MULTICAST_UNDELIVERED(1152, Scope.NI, "multicast-undelivered"),
    /** Multicasts that it put into its multicast channel. */
    NI_MULTICAST_RECYCLED(1153, Scope.NI, "multicast-recycled"),
    /** Steps of multicasts to its children. */
    NI_MULTICAST_FORWARDED(1154, Scope.NI, "multicast-forwarded"),
    /** Of those, the ones that a child has acknowledged. */
    NI_MULTICAST_ACKNOWLEDGED(1155, Scope.NI, "multicast-acknowledged"),
    /** Of those, the ones that a child did not acknowledge, or that were not begun because it was cut out. */
    NI_MULTICAST_LOST(1156, Scope.NI, "multicast-lost"),
    /** Children that it cut out. */
    NI_MULTICAST_CUT(1157, Scope.NI, "multicast-cut"),
    /** Multicasts of an epoch that was over for it: dropped. */
    NI_MULTICAST_LATE(1158, Scope.NI, "multicast-late"),
    /** Node that has an NI channel; -1 for nobody. */
    NI_CHANNEL_OWNER(1120, Scope.NI_CHANNEL, "owner"),
    /** Bytes between front and back of its queue. */
    NI_CHANNEL_QUEUED(1121, Scope.NI_CHANNEL, "queued"),
    /** Position of the oldest message without an outcome. */
    NI_CHANNEL_FRONT(1122, Scope.NI_CHANNEL, "front"),
    /** Position of the next message to be taken. */
    NI_CHANNEL_NEXT(1123, Scope.NI_CHANNEL, "next"),
    /** 0 for a channel that runs, otherwise the code of why it was stopped. */
    NI_CHANNEL_STATUS(1124, Scope.NI_CHANNEL, "status"),
    /** Messages that arrived for it. */
    NI_CHANNEL_DELIVERED(1125, Scope.NI_CHANNEL, "delivered"),
    /** Messages of it that certainly did not arrive. */
    NI_CHANNEL_UNDELIVERED(1126, Scope.NI_CHANNEL, "undelivered"),
    /** Messages of it of which nobody knows whether they arrived. */
    NI_CHANNEL_UNKNOWN(1127, Scope.NI_CHANNEL, "unknown"),
    /** Messages of it that were refused for good. */
    NI_CHANNEL_REFUSED(1128, Scope.NI_CHANNEL, "refused"),
    /** Answers that a destination had no room. */
    NI_TRIPLE_NACKS(1140, Scope.NI_TRIPLE, "nacks"),
    /** How often a triple went back to an earlier message. */
    NI_TRIPLE_ROLLBACKS(1141, Scope.NI_TRIPLE, "rollbacks"),
    /** Messages of it that were sent again. */
    NI_TRIPLE_REPEATS(1142, Scope.NI_TRIPLE, "repeats");

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
        REJECT_REASON,
        /** One per reason to refuse a remote-memory operation. */
        REMOTE_REFUSAL,
        /** One per network interface; in the file of its board's node. */
        NI,
        /** One per reason to drop packets. */
        NI_DROP_REASON,
        /** One per channel of a network interface. */
        NI_CHANNEL,
        /** One per triple of source channel, NI and destination channel that had trouble. */
        NI_TRIPLE
    }

    CounterKind(final int typeId, final Scope scope, final String label)
    {
        this.typeId = typeId;
        this.scope = scope;
        this.label = label;
    }

    /** {@return what there is one counter for} */
    public Scope scope()
    {
        return scope;
    }

    /** {@return name in command output; lower case with hyphens} */
    public String label()
    {
        return label;
    }

    /** {@return number of the kind in the counters file; 1,000 or more} */
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
