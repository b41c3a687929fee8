// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;

/**
 * A board: its memory and all that its processor can reach. The SRAM's header was written before (by who made the
 * board), and the epoch of the start that is to come.
 * <p>Thread: the board's stepper. Owns nothing: who made the parts frees them.
 */
public final class Board
{
    private final AtomicBuffer sram;
    private final BoardGeometry geometry;
    private final HostMemory hostMemory;
    private final HostEngine hostEngine;
    private final Wire wire;
    private final BoardTimer timer;
    private final ActionMeter meter;
    private final InterruptLine interrupts;

    /**
     * Puts a board together.
     *
     * @param sram       the board's memory, with a header.
     * @param hostMemory that its contexts own.
     * @param hostEngine that moves bytes between both.
     * @param wire       to other boards.
     * @param timer      that says what time is.
     * @param meter      that its processor's actions are charged to.
     * @param interrupts towards the hosts' drivers.
     */
    public Board(
        final AtomicBuffer sram, final HostMemory hostMemory, final HostEngine hostEngine, final Wire wire,
        final BoardTimer timer, final ActionMeter meter, final InterruptLine interrupts)
    {
        this.sram = sram;
        geometry = BoardGeometry.read(sram);
        if (hostMemory.contextCount() < geometry.contextCount())
        {
            throw new IllegalArgumentException("host memory of " + hostMemory.contextCount() +
                " contexts, board has " + geometry.contextCount());
        }
        this.hostMemory = hostMemory;
        this.hostEngine = hostEngine;
        this.wire = wire;
        this.timer = timer;
        this.meter = meter;
        this.interrupts = interrupts;
    }

    /** {@return epoch of the firmware's next start; as the SRAM's header says} */
    public int epoch()
    {
        return BoardDescriptor.epoch(sram);
    }

    /** {@return the board's memory; big endian} */
    public AtomicBuffer sram()
    {
        return sram;
    }

    /** {@return where things stand in SRAM; as its header says} */
    public BoardGeometry geometry()
    {
        return geometry;
    }

    /** {@return the memory of its contexts; regions by context} */
    public HostMemory hostMemory()
    {
        return hostMemory;
    }

    /** {@return the engine between SRAM and host memory} */
    public HostEngine hostEngine()
    {
        return hostEngine;
    }

    /** {@return the engines to and from other boards} */
    public Wire wire()
    {
        return wire;
    }

    /** {@return the board's counter} */
    public BoardTimer timer()
    {
        return timer;
    }

    /** {@return what the processor's actions are charged to} */
    public ActionMeter meter()
    {
        return meter;
    }

    /** {@return the line to the hosts' drivers} */
    public InterruptLine interrupts()
    {
        return interrupts;
    }
}
