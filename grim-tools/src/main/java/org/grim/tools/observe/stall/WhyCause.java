// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.stall;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** Why a queue does not move: the table of causes, each with its sentence. */
public enum WhyCause
{
    /** The receiver's process is stopped by a signal or a debugger. */
    RECEIVER_STOPPED("%s is stopped (SIGSTOP or a debugger): kill -CONT lets it go on"),
    /** The receiver's process lives, but the thread that owns the channel does not poll. */
    RECEIVER_NOT_POLLING("%s lives, but the thread that owns the channel does not poll, or is busy in a handler"),
    /** The receiver's process is gone. */
    RECEIVER_DEAD("%s is dead: nobody holds its liveness byte; senders get PEER_GONE"),
    /** A sender of a shared queue claimed the slot at its head and does not go on. */
    SENDER_STOPPED("%s claimed the slot at the head and has not published it: it is stopped, or was interrupted"),
    /** A sender of a shared queue claimed the slot at its head and is gone; the slot was not taken back yet. */
    SENDER_DEAD("%s claimed the slot at the head and is dead: the receiver takes the slot back " +
        "at its next housekeeping"),
    /** The overflow queues of an endpoint hold nine tenths of what they may, or more. */
    OVERFLOW_CEILING("%s: sends of its handlers fail when no more fits"),
    /** The receiver stopped the queue after corrupt bytes. */
    QUEUE_CORRUPT("%s takes nothing more from the queue after corrupt bytes (./grim stat shows its errors)"),
    /** A sender needs a frame, and all are in use. */
    FRAMES_EXHAUSTED("all %s are in use (grim.queue.frame-count)"),
    /** No endpoint ever polled the channel. */
    CHANNEL_NOT_OPENED("%s opened no endpoint on the channel (Grim.openEndpoint), or its owner has not begun"),
    /** The process that runs a board on the way is stopped by a signal or a debugger. */
    BOARD_STOPPED("%s, which runs a board on the way, is stopped (SIGSTOP or a debugger): kill -CONT lets it go on"),
    /** The process that runs a board on the way lives, but does not step it. */
    BOARD_NOT_STEPPED("%s lives, but its board on the way made no step: the thread that steps it " +
        "sleeps, or is busy in a handler"),
    /** The process that ran a board on the way is gone. */
    BOARD_DEAD("%s, which ran a board on the way, is dead: what stands in the board goes with it"),
    /** A board serves an NI channel no more: what its host wrote cannot be. */
    CHANNEL_STOPPED("%s"),
    /** A host began a message in its board's memory and does not complete it. */
    MESSAGE_INCOMPLETE("a message was begun in the board's memory and not completed: %s"),
    /** Two boards that both step have not settled a message: it is being repeated, or waits for a translation. */
    NI_WAITING("both boards step, but the message is not settled: %s"),
    /** Receivers wait for each other. */
    CYCLE("this is a cycle: %s, and none of them polls"),
    /** Nothing: messages move. */
    FLOWS("messages move%s");

    private final String sentence;

    WhyCause(final String sentence)
    {
        this.sentence = sentence;
    }

    /**
     * The cause in words.
     *
     * @param subject who or what it is about.
     * @return a sentence without its end.
     */
    public String sentence(final String subject)
    {
        return sentence.replace("%s", subject);
    }

    /** {@return name in command output; lower case with hyphens} */
    @JsonValue
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
