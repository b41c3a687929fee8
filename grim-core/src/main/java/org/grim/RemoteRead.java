// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Tells when a remote read is complete. Made once by {@link RemoteMemory#newRead()}, used for any number of reads of
 * its endpoint, one at a time. Poll the endpoint meanwhile: refusals and deaths are noticed there, and reads that are
 * longer than the transport moves at once end there.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
public interface RemoteRead
{
    /**
     * Looks whether the read has ended. Costs a load.
     *
     * @return true if all bytes are there, or never will be: see {@link #refusal()}; also if there is no read yet.
     */
    boolean isComplete();

    /** {@return why the read that has ended was not executed: the reason; null if all bytes are there} */
    RemoteRefusal refusal();
}
