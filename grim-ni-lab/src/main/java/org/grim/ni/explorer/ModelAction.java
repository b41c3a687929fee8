// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

/** Next action in a model. The fair schedule chooses from the first five, in this order. */
enum ModelAction
{
    /** The sender takes the oldest answer off the wire. */
    ANSWER,
    /** The receiver takes the oldest packet; if it is the expected one, it has room for it. */
    DELIVER,
    /** The sender gets one message more. */
    APPEND,
    /** The sender sends its next message. */
    SEND,
    /** The sender waited too long for an answer. */
    TIME_OUT,
    /** The receiver takes the oldest packet, which is the expected one, and has no room for it. */
    REFUSE,
    /** The receiver takes the oldest packet, which is the expected one, and refuses it for good. */
    DENY,
    /** The wire loses the oldest packet. */
    DROP_PACKET,
    /** The wire loses the oldest answer. */
    DROP_ANSWER,
    /** The wire repeats the oldest packet in its place. */
    REPEAT_PACKET,
    /** The wire repeats the oldest answer in its place. */
    REPEAT_ANSWER
}
