// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.transport.TransportContext;

/**
 * Where a board stands: what the firmware is given by the process that runs it.
 * <p>Thread: the firmware's stepper.
 */
public interface FirmwareSite
{
    /**
     * The board's memory, with its header and the epoch of this start. Returns the same memory for as long as the
     * firmware runs.
     */
    AtomicBuffer sram();

    /**
     * The node that the board belongs to: its number is the board's NI number.
     *
     * @return who is in the cluster, where files stand, how doorbells are rung, and the configuration.
     */
    TransportContext node();

    /**
     * Raises the interrupt line: the driver of a context should look at its translation request. Does not block.
     *
     * @param region of the context, as the firmware has mapped it.
     */
    void interrupt(AtomicBuffer region);
}
