// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

/** Why a message was refused for good. Each reason has a counter in {@link RefuseCounters}. */
public enum RefuseReason
{
    /** The channel's context does not exist or has no memory. */
    NO_CONTEXT,
    /** The channel takes no active messages. */
    NO_ARRIVAL_QUEUE,
    /** The channel was stopped. */
    CHANNEL_STOPPED,
    /** It does not fit even into an empty arrival queue. */
    TOO_LONG,
    /** The payload is shorter than a remote-memory operation's own words. */
    TRUNCATED,
    /** There is nothing to write or read. */
    ZERO_LENGTH,
    /** More bytes are announced than the payload has, or asked for than a reply can carry. */
    COUNT_BEYOND_PAYLOAD,
    /** The range goes on at address 0. */
    WRAP_AROUND,
    /** The address of the notification word is not a multiple of 4. */
    MISALIGNED_NOTIFICATION,
    /** A physical range is not all in the registered part of the context's memory. */
    OUT_OF_RANGE,
    /** The host says that a virtual page is not the board's to reach, or its answer makes no sense. */
    NO_TRANSLATION,
    /** This board makes no replies, or none as large as the one that a read asks for. */
    REPLY_TOO_LARGE,
    /** The board does not have the channel. */
    NO_CHANNEL,
    /** No host has enabled the channel, or it is being taken out of service. */
    CHANNEL_CLOSED,
    /** The message is for another endpoint than the channel's owner. */
    WRONG_OWNER,
    /** The region does not grant the right to write, or to read. */
    NO_RIGHT,
    /** The address of an atomic operation's word is not a multiple of its length, which is not 4 or 8. */
    MISALIGNED_WORD,
    /** This NI has no multicast channel, or knows no such tree. */
    NO_TREE,
    /** The tree's epoch is not the message's, or is closed, or the message did not come by the tree. */
    OTHER_EPOCH,
    /** A message is missing before it in its tree. */
    WRONG_TICKET,
    /** A tree update contradicts itself or this NI's place in it. */
    BAD_UPDATE
}
