// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/** Action of a control program that costs processor time. DMA transfers are charged by the engines. */
public enum Action
{
    /** Find a message that was not there before. */
    DETECT,
    /** Set token and sequence in the header of a message that is about to leave. */
    SET_HEADER,
    /** Enter a message into the scoreboard, while the send engine runs. */
    ENTER_SCOREBOARD,
    /** Read the header of an incoming message, while the rest of it arrives. */
    DECODE_HEADER,
    /** Compare its sequence with the expected one. */
    VERIFY_SEQUENCE,
    /** See whether its destination has room. */
    CHECK_CAPACITY,
    /** Make an ACK or NACK. */
    MAKE_ANSWER,
    /** Advance the pointer of an arrival queue and convert it to a host address. */
    ADVANCE_POINTER,
    /** Look up an address in the translation cache, and find it. */
    TRANSLATE_HIT,
    /** Look up an address in the translation cache in vain. */
    TRANSLATE_MISS,
    /** Act upon an ACK or NACK. */
    SETTLE
}
