// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import org.grim.ActiveMessage;
import org.grim.KeptMessage;

/**
 * A message that has come before a receive for it was posted: its bytes, or a sender's request to send them.
 * <p>Thread: the engine's owner.
 */
public final class Arrival extends Entry
{
    int sender;                     // Rank in the job.
    int sendId;                     // Of a sender that waits for a receive; 0 for none.
    boolean isRequest;
    KeptMessage kept;               // Null if its bytes are still at the sender, or there was no room to keep it.
    byte[] copy;                    // Then it is copied: its sender did not know yet.
    long length;

    Arrival()
    {
        // Set when a message arrives.
    }

    /** Keeps the payload. */
    void keep(final ActiveMessage message)
    {
        length = message.length();
        kept = message.keep();
        if (kept == null)
        {
            copy = new byte[message.length()];
            message.buffer().getBytes(message.offset(), copy);
        }
    }

    /** Gives the payload's room back. */
    void release()
    {
        if (kept != null)
        {
            kept.release();
        }
        kept = null;
        copy = null;
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
