// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** A message that is sent. */
public final class Send extends Operation
{
    Mode mode = Mode.STANDARD;
    long position;                  // Bytes that were sent after a grant.
    long limit;                     // Bytes that the receiver has granted.
    int receiveId;                  // To which they go.

    /** When a send is done. */
    public enum Mode
    {
        /** When the elements may be changed. */
        STANDARD,
        /** When a receive has taken the message, too. */
        SYNCHRONOUS
    }

    /** Makes one that is not in progress. */
    public Send()
    {
        // Idle.
    }
}
