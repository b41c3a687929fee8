// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import org.grim.bench.process.BoundedSpin;

/** A side that is measured at fixed times of arrival. Thread: the measuring one. */
public interface LoadedSide extends Side
{
    /**
     * Sends when the offer says so, and takes the echoes. The other process is in {@link #respond} by then.
     *
     * @param offer   what and when.
     * @param control between both processes.
     * @param spin    for the waits.
     * @return what became of it.
     */
    OfferedLoad offer(Offer offer, ControlBlock control, BoundedSpin spin);
}
