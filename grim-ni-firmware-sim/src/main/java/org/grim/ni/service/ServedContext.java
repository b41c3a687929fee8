// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import org.grim.board.ContextRegisters;
import org.grim.buffer.MappedFile;

/**
 * The service's state of one context, kept where no host can write. The context's words in SRAM only inform its host.
 * <p>Thread: the board's stepper. Owns: the mapping of the region while attached.
 */
final class ServedContext
{
    final int index;
    final ContextRegisters registers;
    State state = State.FREE;
    int node;
    int incarnation;
    int firstChannel;
    int channelCount;
    MappedFile region;
    int mark;

    /** State of a context. */
    enum State
    {
        /** Nothing is given to anybody; a host may own the words and not have asked yet. */
        FREE,
        /** Region and channels are the owner's. */
        ATTACHED,
        /** The owner was refused, and has not given the context back. */
        REFUSED,
        /** The owner left or died, and something of it is under way. */
        DRAINING
    }

    ServedContext(final int index, final ContextRegisters registers)
    {
        this.index = index;
        this.registers = registers;
    }

    /** Takes note of who asks. */
    void owner(final long owner)
    {
        node = (int)(owner >>> Integer.SIZE);
        incarnation = (int)owner;
    }

    boolean hasOwner(final int otherNode, final int otherIncarnation)
    {
        return node == otherNode && incarnation == otherIncarnation;
    }
}
