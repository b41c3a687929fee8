// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe.stall;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** Why a queue does not move. */
public enum WhyCause
{
    /** The receiver's process is stopped by a signal or a debugger. */
    RECEIVER_STOPPED,
    /** The receiver's process lives, but the thread that owns the channel does not poll. */
    RECEIVER_NOT_POLLING,
    /** The receiver's process is gone. */
    RECEIVER_DEAD,
    /** A sender of a shared queue claimed the slot at its head and does not go on. */
    SENDER_STOPPED,
    /** A sender of a shared queue claimed the slot at its head and is gone; the slot was not taken back yet. */
    SENDER_DEAD,
    /** The overflow queues of an endpoint hold nine tenths of what they may, or more. */
    OVERFLOW_CEILING,
    /** The receiver stopped the queue after corrupt bytes. */
    QUEUE_CORRUPT,
    /** A sender needs a frame, and all are in use. */
    FRAMES_EXHAUSTED,
    /** No endpoint ever polled the channel. */
    CHANNEL_NOT_OPENED,
    /** The process that runs a board on the way is stopped by a signal or a debugger. */
    BOARD_STOPPED,
    /** The process that runs a board on the way lives, but does not step it. */
    BOARD_NOT_STEPPED,
    /** The process that ran a board on the way is gone. */
    BOARD_DEAD,
    /** A board serves an NI channel no more: what its host wrote cannot be. */
    CHANNEL_STOPPED,
    /** A host began a message in its board's memory and does not complete it. */
    MESSAGE_INCOMPLETE,
    /** Two boards that both step have not settled a message: it is being repeated, or waits for a translation. */
    NI_WAITING,
    /** Receivers wait for each other. */
    CYCLE,
    /** Nothing: messages move. */
    FLOWS;

    /**
     * Name in command output.
     *
     * @return lower case with hyphens.
     */
    @JsonValue
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
