// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** Something with a deadline in a {@link DeadlineHeap}. */
abstract class Timed
{
    /** Of something that has no deadline. */
    static final int NOT_QUEUED = -1;

    long deadlineNs;
    int heapIndex = NOT_QUEUED;

    /**
     * The deadline has passed.
     *
     * @param sink to tell.
     */
    abstract void expire(DeadlineSink sink);

    /** Acts when a deadline has passed. */
    interface DeadlineSink
    {
        void onTripleDue(SendTriple triple);

        void onPeerDue(Peer peer);
    }
}
