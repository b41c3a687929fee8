// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.copy;

/** Learns how far the copy is. Called often: once per chunk. Thread: the sender's. */
@FunctionalInterface
public interface Progress
{
    /**
     * More was sent.
     *
     * @param position bytes sent so far.
     */
    void sent(long position);
}
