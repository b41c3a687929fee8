// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

/**
 * Rules that keep the NI's protocol correct. A simulation without any one of them must fail: this tests the simulation
 * itself.
 */
public enum Guard
{
    /** No more messages of one triple are in flight than sequence numbers can tell apart. */
    WINDOW_LIMIT,
    /** A sequence earlier than the expected one is a copy, and is not delivered again. */
    DUPLICATE_CHECK,
    /** A sequence later than the expected one is not delivered before those between. */
    ORDER_CHECK,
    /** Sequences are compared modulo their range. */
    SEQUENCE_WRAP,
    /** A message is acknowledged only when the host has it. */
    ACK_AFTER_COPY,
    /** A refused message is answered with a NACK. */
    NACK_SENT,
    /** A NACK rolls back the triple that it names, and no other. */
    ROLLBACK_TRIPLE,
    /** A rolled-back triple sends again from the refused message on, not from the one after it. */
    ROLLBACK_REFUSED,
    /** A token is reused only when no answer to its last use can come. */
    TOKEN_QUARANTINE,
    /** An answer counts only if the sequence is that of the message which holds the token. */
    ANSWER_SEQUENCE,
    /** An answer counts only if it comes from the NI that the message went to. */
    ANSWER_SOURCE,
    /** A channel's front passes a message only when that and all before it are settled. */
    FRONT_IN_ORDER,
    /** An arrival queue takes no message that it has no room for. */
    ARRIVAL_ROOM,
    /** An announcement with an earlier epoch than the known one is ignored. */
    EPOCH_ORDER,
    /** Data of a peer is taken only after it has shown that it knows this NI's epoch. */
    EPOCH_CONFIRMED,
    /** A peer's new epoch discards what is known of its old one. */
    EPOCH_DISCARD,
    /** Messages in flight when a peer went are reported. */
    LOSS_REPORTED,
    /** An unanswered message is sent again after a time-out. */
    TIMEOUT_RESEND,
    /** A peer that never answers is given up. */
    PEER_GONE,
    /** A channel's doorbell is taken before its back pointer is read. */
    DOORBELL_BEFORE_BACK,
    /** Behind a refusal for good nothing is accepted before the sender knows of it, so that none gets lost. */
    REFUSAL_KEPT,
    /** A remote-memory operation stays inside the memory of its context. */
    ADDRESS_CHECK,
    /** A notification word is written after the data. */
    NOTIFICATION_LAST,
    /** A cached translation counts for the context that asked for it only. */
    TRANSLATION_CONTEXT,
    /** An envelope with a number that is not higher than the last one is a late copy. */
    PACKET_NUMBER,
    /** An envelope whose checksum is wrong is dropped. */
    PACKET_CHECKSUM,
    /** A packet that ends early is not delivered. */
    CUT_PACKET,
    /** A channel with more messages under way than its quota waits, so that others are served. */
    CHANNEL_QUOTA,
    /** A physical address of an operation leads into the registered part of its context's memory only. */
    REGISTERED_PART,
    /** A page is written only by right of writing, and read only by right of reading. */
    RIGHT_CHECK,
    /** Translations of freed memory are dropped before its host is notified. */
    FORGET,
    /** A tree's root gives each message the ticket behind the last one. */
    TICKET_ORDER,
    /** Multicasts flow from an NI to NIs with larger numbers only. */
    TREE_DIRECTION,
    /** A recycled message stays in its channel until each child has it. */
    RECYCLED_KEPT,
    /** Messages after a tree update use the new tree. */
    TREE_FORWARDING
}
