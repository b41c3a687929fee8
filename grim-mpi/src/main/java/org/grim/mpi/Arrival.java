// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/**
 * A message that has come before a receive for it was posted: its bytes, or a sender's request to send them.
 * <p>Thread: the engine's owner.
 */
public final class Arrival extends Entry
{
    int sender;                     // Rank in the world.
    int sendId;                     // Of a sender that waits for a receive; 0 for none.
    boolean isRequest;
    byte[] bytes;                   // Of a pool; those of a request are still at the sender.
    long length;

    Arrival()
    {
        // Set when a message arrives.
    }

    /** {@return the sender's rank in the communicator} */
    public int source()
    {
        return source;
    }

    /** {@return the message's tag} */
    public int tag()
    {
        return tag;
    }

    /** {@return bytes of the message} */
    public long length()
    {
        return length;
    }
}
