// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Tells when a remote read is complete. Made once, used for any number of reads, one at a time.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class RemoteRead
{
    RemoteRead()
    {
    }

    /**
     * Looks whether the read has ended. Costs a load.
     *
     * @return true if all bytes are there, or never will be: see {@link #refusal()}.
     */
    public boolean isComplete()
    {
        throw new UnsupportedOperationException("H2 writes this");
    }

    /**
     * Why the read that has ended was not executed.
     *
     * @return the reason; null if all bytes are there.
     */
    public RemoteRefusal refusal()
    {
        throw new UnsupportedOperationException("H2 writes this");
    }
}
