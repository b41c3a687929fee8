// SPDX-License-Identifier: Apache-2.0
package org.grim.board.counters;

import org.grim.counters.CounterType;

/** The counters of a network interface. */
public enum NiCounterKind implements CounterType
{
    /** Tokens in use that are not answered: messages in flight. */
    IN_FLIGHT(1100, Scope.NI, "in-flight"),
    /** Messages that an NI put on the wire, repeated ones not included. */
    TRANSMITTED(1101, Scope.NI, "transmitted"),
    /** Messages that it put on the wire again. */
    REPEATED(1102, Scope.NI, "repeated"),
    /** Messages that it handed to hosts. */
    DELIVERED(1103, Scope.NI, "delivered"),
    /** Messages that came and were refused for good. */
    REFUSED(1104, Scope.NI, "refused"),
    /** NIs that it is synchronised with. */
    PEERS(1105, Scope.NI, "peers"),
    /** Steps of its control program. */
    STEPS(1106, Scope.NI, "steps"),
    /** Contexts that are attached. */
    CONTEXTS(1107, Scope.NI, "contexts"),
    /** Packets that it dropped; one counter per reason, keyed by it. */
    DROPPED(1108, Scope.DROP_REASON, "dropped"),
    /** Look-ups of virtual addresses that its translation cache answered, static entries included. */
    TRANSLATION_HITS(1109, Scope.NI, "translation-hits"),
    /** Look-ups that it did not; an operation that comes again looks again. */
    TRANSLATION_MISSES(1110, Scope.NI, "translation-misses"),
    /** Pages that left the cache because others needed their places. */
    TRANSLATION_EVICTIONS(1111, Scope.NI, "translation-evictions"),
    /** Translations that it asked hosts for. */
    TRANSLATION_REQUESTS(1112, Scope.NI, "translation-requests"),
    /** Translations that hosts denied. */
    TRANSLATION_DENIED(1113, Scope.NI, "translation-denied"),
    /** Losses of a context's translations, because memory was freed. */
    TRANSLATION_FORGOTTEN(1114, Scope.NI, "translation-forgotten"),
    /** Tickets that it gave to multicasts, as a tree's root. */
    MULTICAST_TICKETS(1150, Scope.NI, "multicast-tickets"),
    /** Multicasts that it handed to a local subscriber. */
    MULTICAST_DELIVERED(1151, Scope.NI, "multicast-delivered"),
    /** Multicasts that a local subscriber did not get, because its channel is closed or cannot hold them. */
    MULTICAST_UNDELIVERED(1152, Scope.NI, "multicast-undelivered"),
    /** Multicasts that it put into its multicast channel. */
    MULTICAST_RECYCLED(1153, Scope.NI, "multicast-recycled"),
    /** Steps of multicasts to its children. */
    MULTICAST_FORWARDED(1154, Scope.NI, "multicast-forwarded"),
    /** Multicast forwards that a child has acknowledged. */
    MULTICAST_ACKNOWLEDGED(1155, Scope.NI, "multicast-acknowledged"),
    /** Multicast forwards that a child did not acknowledge, or that were not begun because it was cut out. */
    MULTICAST_LOST(1156, Scope.NI, "multicast-lost"),
    /** Children that it cut out. */
    MULTICAST_CUT(1157, Scope.NI, "multicast-cut"),
    /** Multicasts of an epoch that was over for it: dropped. */
    MULTICAST_LATE(1158, Scope.NI, "multicast-late"),
    /** Node that has an NI channel; -1 for nobody. */
    CHANNEL_OWNER(1120, Scope.CHANNEL, "owner"),
    /** Bytes between front and back of its queue. */
    CHANNEL_QUEUED(1121, Scope.CHANNEL, "queued"),
    /** Position of the oldest message without an outcome. */
    CHANNEL_FRONT(1122, Scope.CHANNEL, "front"),
    /** Position of the next message to be taken. */
    CHANNEL_NEXT(1123, Scope.CHANNEL, "next"),
    /** 0 for a channel that runs, otherwise the code of why it was stopped. */
    CHANNEL_STATUS(1124, Scope.CHANNEL, "status"),
    /** Messages that arrived for it. */
    CHANNEL_DELIVERED(1125, Scope.CHANNEL, "delivered"),
    /** Messages of it that certainly did not arrive. */
    CHANNEL_UNDELIVERED(1126, Scope.CHANNEL, "undelivered"),
    /** Messages of it of which nobody knows whether they arrived. */
    CHANNEL_UNKNOWN(1127, Scope.CHANNEL, "unknown"),
    /** Messages of it that were refused for good. */
    CHANNEL_REFUSED(1128, Scope.CHANNEL, "refused"),
    /** Answers that a destination had no room. */
    TRIPLE_NACKS(1140, Scope.TRIPLE, "nacks"),
    /** Returns of a triple to an earlier message. */
    TRIPLE_ROLLBACKS(1141, Scope.TRIPLE, "rollbacks"),
    /** Messages of it that were sent again. */
    TRIPLE_REPEATS(1142, Scope.TRIPLE, "repeats");

    private final int typeId;
    private final Scope scope;
    private final String label;

    /** The object that has one counter of the kind. */
    public enum Scope
    {
        /** One per network interface; in the file of its board's node. */
        NI,
        /** One per reason to drop a packet. */
        DROP_REASON,
        /** One per channel of a network interface. */
        CHANNEL,
        /** One per triple of source channel, NI and destination channel that had trouble. */
        TRIPLE
    }

    NiCounterKind(final int typeId, final Scope scope, final String label)
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
}
