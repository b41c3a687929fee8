// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayDeque;

import org.grim.EndpointId;
import org.grim.Link;
import org.grim.NodeInfo;

/**
 * Another process of the job, or this one: the link to it, and what waits for room there, in order.
 * <p>Thread: the engine's owner.
 */
final class Peer
{
    final int rank;
    final EndpointId endpoint;
    final Link link;
    final ArrayDeque<Send> waiting = new ArrayDeque<>();
    final ArrayDeque<Control> controls = new ArrayDeque<>();
    final int pieceLengthMax;
    boolean isGone;
    NodeInfo cutOff;                // As it was when the path to it was lost; null if it was seen to be gone.
    boolean isHolding;              // It has asked for requests instead of messages.
    boolean isAskedToHold;          // By this process.

    Peer(final int rank, final Link link)
    {
        this.rank = rank;
        this.link = link;
        endpoint = link.destination();
        pieceLengthMax = Math.min(link.payloadLengthMax(), Transfers.PIECE_LENGTH_MAX) & -Long.BYTES;
    }

    boolean hasWaiting()
    {
        return !waiting.isEmpty() || !controls.isEmpty();
    }

    /** A word to the peer's engine that found no room. */
    @SuppressWarnings("ArrayRecordComponent")           // Nobody compares them.
    record Control(Word word, int a0, int a1, long value, int... more)
    {
    }

    /** Words between engines. */
    enum Word
    {
        /** Asks a sender to send so many bytes to a receive. */
        GRANT,
        /** Reports to a sender that a receive has taken the message. */
        MATCHED,
        /** Asks a sender to send requests only, or messages again, too. */
        HOLD,
        /** Reports to a member that the communicator is revoked. */
        REVOKE,
        /** Gives the member that decides a vote, and the decision before. */
        VOTE,
        /** Gives a member the decision. */
        DECISION;

        private static final Word[] ALL = values();

        static Word of(final int code)
        {
            return ALL[code];
        }

        @SuppressWarnings("EnumOrdinal")        // Both sides run the same code.
        int code()
        {
            return ordinal();
        }
    }
}
