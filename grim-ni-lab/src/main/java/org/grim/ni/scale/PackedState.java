// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

/**
 * State that an NI must keep, in the bytes that it would take in a board's SRAM: the fields of the firmware's classes
 * in the widths that they need, without objects around them, times as 32-bit ticks. The Java heap takes several times
 * as much. No state.
 */
public final class PackedState
{
    /** NI number, state, flags, calls (4), two epochs (16), round trip, transmissions (16), probes, held back (20). */
    private static final int PEER_FIELDS = 56;
    /** Heads of two lists of triples (8), quarantine (4), place in the control queue (8), deadline and place (8). */
    private static final int PEER_LINKS = 28;
    /** Peer (4), channels, flags, time-outs (4), base, next, high and end (16), skipped (4), retry delay (4). */
    private static final int SEND_FIELDS = 32;
    /** Head, tail and cursor of its messages (8), two lists of triples (8), deadline and its place (8). */
    private static final int SEND_LINKS = 24;
    /** Peer (4), channels, expected, flags (4), pending answer: type, token, sequence, address (8). */
    private static final int RECEIVE_FIELDS = 16;
    /** List of the peer's triples (4), place in the control queue (8). */
    private static final int RECEIVE_LINKS = 12;
    /** A word in a hash table that is half full. */
    private static final int TABLE_SLOT = 8;
    /** A word in the heap of deadlines. */
    private static final int HEAP_SLOT = 4;
    /** Token: message (2), free list and quarantine (2), last transmission (4). */
    private static final int TOKEN = 8;
    /** Place and length (12), triple, following (6), token, sequence (2), transmissions and time (16), outcome (4). */
    private static final int MESSAGE = 40;

    /** Bytes for an NI with which this one has had to do. */
    public static final int PEER_LENGTH = PEER_FIELDS + PEER_LINKS + TABLE_SLOT + HEAP_SLOT;
    /** Bytes for a triple that sends. */
    public static final int SEND_LENGTH = SEND_FIELDS + SEND_LINKS + TABLE_SLOT + HEAP_SLOT;
    /** Bytes for a triple that receives. */
    public static final int RECEIVE_LENGTH = RECEIVE_FIELDS + RECEIVE_LINKS + TABLE_SLOT;

    private PackedState()
    {
    }

    /** Bytes that grow with those whom an NI talks to. */
    public static long tableLength(final long peerCount, final long sendCount, final long receiveCount)
    {
        return peerCount * PEER_LENGTH + sendCount * SEND_LENGTH + receiveCount * RECEIVE_LENGTH;
    }

    /** Bytes that do not: tokens, and the messages of each channel. */
    public static long fixedLength(final int tokenCount, final int channelCount, final int quota)
    {
        return (long)tokenCount * TOKEN + (long)channelCount * quota * MESSAGE;
    }

    /**
     * Returns the number of peers for which some memory is enough, if each channel of theirs talks to each of this NI.
     *
     * @param memoryLength bytes that queues and {@link #fixedLength} have left.
     * @param channelCount channels of each NI.
     */
    public static long peerCountMax(final long memoryLength, final int channelCount)
    {
        final long tripleCount = (long)channelCount * channelCount;
        return memoryLength / tableLength(1, tripleCount, tripleCount);
    }
}
