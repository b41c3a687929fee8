// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.concurrent.UnsafeBuffer;

/** A block of an owner's state in a device: in a frame, in host memory, or both. Thread: the runner's. */
final class Page
{
    /** No frame. */
    static final int NONE = -1;

    /** Place of the contents. */
    enum State
    {
        /** Host memory has them; without a copy there they are zeros. */
        ABSENT,
        /** A frame is being filled, or waits for the page that leaves it. */
        LOADING,
        /** A frame has them. */
        PRESENT,
        /** They are being written to host memory, and stay in the frame. */
        CLEANING,
        /** They are being written to host memory, and leave the frame. */
        EVICTING
    }

    final int number;
    /** Log of its space; null if the space has no checkpoints. */
    final PageLog log;
    State state = State.ABSENT;
    int frame = NONE;
    /** Items that hold it in its frame. */
    int useCount;
    /** Kept in its frame by the owner. */
    boolean isPinned;
    /** Used since the clock's hand came by. */
    boolean isReferenced;
    /** Changed since host memory has had it. */
    boolean isDirty;
    /** Has no owner any more. */
    boolean isFreed;
    /** Copy in host memory; null if it was never written there. */
    UnsafeBuffer host;

    Page(final int number)
    {
        this(number, null);
    }

    Page(final int number, final PageLog log)
    {
        this.number = number;
        this.log = log;
    }

    /** Says that it is about to be written or freed. */
    void changing()
    {
        if (log != null)
        {
            log.changing(this);
        }
    }

    @Override
    public String toString()
    {
        return "page " + number + " " + state + " frame=" + frame + " uses=" + useCount + (isDirty ? " dirty" : "") +
            (isPinned ? " pinned" : "") + (isFreed ? " freed" : "");
    }
}
