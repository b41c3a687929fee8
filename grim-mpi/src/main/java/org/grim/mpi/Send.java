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

    /**
     * Sets that bytes are sent.
     *
     * @param bytes all of them.
     */
    public void bytes(final byte[] bytes)
    {
        elements(bytes, 0, bytes.length, Layout.BYTES);
    }

    @Override
    public String inWords()
    {
        return "send of " + packedLength() + " bytes to process=" + peer + " tag=" + tag + ' ' +
            Members.inWords(context);
    }

    @Override
    public long progress()
    {
        return position;
    }

    /** Sets to whom it goes. */
    void to(final Members members, final int target, final int newTag, final Mode newMode)
    {
        peer = members.inJob(target);
        envelope(members.context, members.rank, newTag);
        mode = newMode;
    }

    /** Makes one that is not in progress. */
    public Send()
    {
        // Idle.
    }
}
