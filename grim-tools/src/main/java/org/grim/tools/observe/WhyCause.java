// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;

import org.grim.tools.report.Json;

import com.fasterxml.jackson.annotation.JsonValue;

/** Why a queue does not move: the table of causes, each with its sentence. */
public enum WhyCause
{
    /** The receiver's process is stopped by a signal or a debugger. */
    RECEIVER_STOPPED("the receiver's process",
        "%s is stopped (SIGSTOP or a debugger): kill -CONT lets it go on"),
    /** The receiver's process is alive, but the thread that owns the channel does not poll. */
    RECEIVER_NOT_POLLING("the receiver's process",
        "%s is alive, but the thread that owns the channel does not poll, or is busy in a handler"),
    /** The receiver's process is gone. */
    RECEIVER_DEAD("the receiver's process",
        "%s is dead: nobody holds its liveness byte; senders get PEER_GONE"),
    /** A sender of a shared queue claimed the slot at its head and does not go on. */
    SENDER_STOPPED("a sender of a shared queue",
        "%s claimed the slot at the head and has not published it: it is stopped, or was interrupted"),
    /** A sender of a shared queue claimed the slot at its head and is gone; the slot was not taken back yet. */
    SENDER_DEAD("a sender of a shared queue",
        "%s claimed the slot at the head and is dead: the receiver takes the slot back at its next housekeeping"),
    /** The overflow queues of an endpoint hold nine tenths of what they may, or more. */
    OVERFLOW_CEILING("an endpoint's overflow queues hold nine tenths of what they may, or more",
        "%s: sends of its handlers fail when no more fits"),
    /** The messages that handlers of an endpoint kept take nine tenths of what they may, or more. */
    KEPT_CEILING("messages that an endpoint's handlers keep take nine tenths of what they may, or more",
        "%s: the application must release some (grim.message.kept-length)"),
    /** The receiver stopped the queue after corrupt bytes. */
    QUEUE_CORRUPT("the receiver",
        "%s takes nothing more from the queue after corrupt bytes (./grim stat shows its errors)"),
    /** A sender needs a frame, and all are in use. */
    FRAMES_EXHAUSTED("frames of a shared queue's free list",
        "all %s are in use (grim.queue.frame-count)"),
    /** No endpoint ever polled the channel. */
    CHANNEL_NOT_OPENED("the receiver",
        "%s opened no endpoint on the channel (Grim.openEndpoint), or its owner has not begun"),
    /** A device has paused the channel: its queues are left unread until it resumes. */
    CHANNEL_PAUSED("the receiver's process",
        "a device of %s has paused the channel, and goes on when it can take more (DeviceEndpoint.resume)"),
    /** The process that runs a board on the path is stopped by a signal or a debugger. */
    BOARD_STOPPED("the process",
        "%s, which runs a board on the path, is stopped (SIGSTOP or a debugger): kill -CONT lets it go on"),
    /** The process that runs a board on the path is alive, but does not step it. */
    BOARD_NOT_STEPPED("the process",
        "%s is alive, but its board on the path made no step: the thread that steps it sleeps, or " +
        "is busy in a handler"),
    /** The process that ran a board on the path is gone. */
    BOARD_DEAD("the process",
        "%s, which ran a board on the path, is dead: what stands in the board goes with it"),
    /** A board serves an NI channel no more: what its host wrote cannot be. */
    CHANNEL_STOPPED("a board serves the channel no more, because its host wrote what cannot be",
        "%s"),
    /** A host began a message in its board's memory and does not complete it. */
    MESSAGE_INCOMPLETE("some of its bytes are there",
        "a message was begun in the board's memory and not completed: %s"),
    /** Two boards that both step have not settled a message: it is being repeated, or waits for a translation. */
    NI_WAITING("it is being repeated, or waits for a translation",
        "both boards step, but the message is not settled: %s"),
    /** Bytes of a hop between hosts are missing at the receiver, though later ones have come. */
    GAP_REPAIRED("bytes are missing, later ones have come",
        "a gap is being repaired: %s; the sender is asked for them again"),
    /** Datagrams to another host do not arrive, though both drivers step and both agents hear each other. */
    DATAGRAMS_LOST("nothing of it has come",
        "datagrams do not come through: %s, though both media drivers step and the hosts hear each other: look for a " +
        "firewall, a cable, a wrong grim.aeron.bind"),
    /** The agent of the receiver's host does not answer. */
    HOST_UNREACHABLE("its agent does not answer",
        "the host cannot be reached: %s: the network is cut, or the host stands still"),
    /** A live media driver does not step, or it is gone: its hops stand still, independent of the network. */
    DRIVER_NOT_STEPPED("the media driver does not step",
        "it is not the network: %s (it is stopped, starved, or gone)"),
    /** Nothing waits: Aeron ended a node's client, or its driver was replaced, and the node began again. */
    CLIENT_RENEWED("(not a wait)",
        "Aeron's client of the node was renewed %s: the hops before that were lost"),
    /** Bytes of a connection have come, and the application does not read them. */
    CONNECTION_NOT_READ("the reader's process",
        "the application of %s does not read from the connection"),
    /** A writer of a connection waits until messages are taken from the link between the two nodes. */
    LINK_FULL("the node at the other end",
        "the link to %s has no room for the connection's bytes: why shows the queue or hop that is full"),
    /** An item of a stream waits until the image with its kernel is loaded. */
    IMAGE_NOT_LOADED("a stage of a stream",
        "%s waits for an image of kernels, which is loading, or finds no room"),
    /** An item of a stream waits for its pages. */
    PAGES_NOT_IN_FRAMES("a stage of a stream",
        "%s waits for pages, which are being loaded, or find no frame"),
    /** A kernel has an item of a stream, and has not returned. */
    KERNEL_RUNS("a stage of a stream",
        "%s has not returned from its kernel"),
    /** The stage or sink behind has no room. */
    NEXT_STAGE_FULL("the stage or the sink behind a stage of a stream",
        "%s has no room"),
    /** A stage's items wait behind those of another connection, on the same channel. */
    BEHIND_ANOTHER_STREAM("items of a stream",
        "%s wait behind those of another one, on a channel that both have"),
    /** The device of a stage does not answer, or is gone. */
    STAGE_SILENT("the device of a stage",
        "%s does not answer, has failed, or is gone"),
    /** Items of a stream are under way, and no stage has them. */
    ITEMS_BETWEEN_STAGES("items of a stream",
        "%s are in queues between stages, or in the sink"),
    /** A thread waits, as its node has reported. */
    THREAD_WAITS("the node that a thread of another one waits for",
        "%s has not done what ends the wait, and reports none itself: it computes, or waits elsewhere"),
    /** Receivers, or threads, wait for each other. */
    CYCLE("receivers, or threads, wait for each other",
        "this is a cycle: %s"),
    /** Nothing: messages move. */
    FLOWS("(only in JSON)",
        "messages move %s");

    private final String subject;
    private final String sentence;

    WhyCause(final String subject, final String sentence)
    {
        this.subject = subject;
        this.sentence = sentence;
    }

    /** {@return what it means wherever it is found; a sentence without its end} */
    public String meaning()
    {
        return sentence(subject);
    }

    /** Whether a process does nothing: a receiver's or a board's. */
    boolean isOfProcess()
    {
        return List.of(RECEIVER_STOPPED, RECEIVER_NOT_POLLING, RECEIVER_DEAD, BOARD_STOPPED, BOARD_NOT_STEPPED,
            BOARD_DEAD).contains(this);
    }

    /** Whether it is one of a wait. */
    boolean isWait()
    {
        return this != FLOWS && this != CLIENT_RENEWED;
    }

    /** The cause in words about whom or what it was found for, without the end of the sentence. */
    String sentence(final String about)
    {
        return sentence.replace("%s", about);
    }

    /** {@return name in command output; lower case with hyphens} */
    @JsonValue
    public String label()
    {
        return Json.label(this);
    }
}
