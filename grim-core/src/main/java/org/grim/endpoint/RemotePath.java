// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

/**
 * Remote memory's half of a link, which ends with it.
 * <p>Thread: the endpoint's owner.
 */
public interface RemotePath
{
    /** The peer is gone for good: ends the reads that are under way. */
    void settle();

    /** Gives up the hop. */
    void close();
}
