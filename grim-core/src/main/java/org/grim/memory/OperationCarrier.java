// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.DirectBuffer;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageType;

/**
 * The differences between transports under a {@link MessageMemoryHop}: how a message of theirs is claimed and filled,
 * and how its outcome comes into the log that both are given.
 * <p>Thread: the link's owner, inside: between {@link #tryEnter()} and {@link #leave()}, but for {@link #isPeerGone},
 * {@link #hasLost} and {@link #close}. Outcomes may come by other threads that are inside.
 */
public interface OperationCarrier
{
    /** {@return whether the path leads nowhere any more, and no read writes} */
    boolean isPeerGone();

    /** Keeps other threads out of the log and the path. Returns false if one is inside. */
    default boolean tryEnter()
    {
        return true;
    }

    /** Lets other threads in. */
    default void leave()
    {
        // A carrier of one thread lets nobody in.
    }

    /** {@return whether messages say where a read stores what it brings; else answers name operations by number} */
    default boolean isTargetSent()
    {
        return false;
    }

    /** Refuses an operation before it is sent. Returns null if the target has to judge. */
    default RemoteRefusal judge(
        final MessageType type, final long remoteAddress, final int length, final long targetAddress,
        final long notificationAddress)
    {
        return null;
    }

    /**
     * Claims room for a message. The last bytes of its payload are data from a source, which {@link #tryFill} brings.
     *
     * @return {@link SendStatus#SENT}; or why there is no room.
     */
    SendStatus tryClaim(int payloadLength, HopClaim room, DirectBuffer source, int offset, int length);

    /** Brings a write's data behind the words before it. Returns false if that ended the claim: nothing is sent. */
    default boolean tryFill(final HopClaim room, final DirectBuffer source, final int offset, final int length)
    {
        room.buffer().putBytes(room.offset() + room.length() - length, source, offset, length);
        return true;
    }

    /** Has the log know all outcomes that are known by now. */
    void settle();

    /** {@return whether results may be lost of operations that the log has no longer; a load if there are none} */
    default boolean hasLost()
    {
        return false;
    }

    /** Hands over those whose results are lost. Returns how many. */
    default int drainLost(final MemoryHop.RefusalSink sink)
    {
        return 0;
    }

    /** The path was given up: no read writes any more. */
    default void close()
    {
        // A carrier whose reads nobody can call back.
    }
}
