// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

/** Why the firmware stopped a channel's arrivals: what stands in the channel's status register. */
public enum StopReason
{
    /** The arrival queue's set-up is impossible, or outside the context's memory. */
    BAD_ARRIVAL_QUEUE(1),
    /** The receiver's front is behind what was released before, or ahead of what was delivered. */
    BAD_ARRIVAL_FRONT(2),
    /** At start, the pointer in host memory does not fit the receiver's front. */
    BAD_ARRIVAL_POINTER(3);

    private final int code;

    StopReason(final int code)
    {
        this.code = code;
    }

    /**
     * The number in the register.
     *
     * @return above 0.
     */
    public int code()
    {
        return code;
    }
}
