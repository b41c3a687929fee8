// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** Something with a deadline in a {@link DeadlineHeap}. Thread: the board's stepper. */
class Timed
{
    /** Of something that has no deadline. */
    static final int NOT_QUEUED = -1;

    long deadlineNs;
    int heapIndex = NOT_QUEUED;
}
