// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.ni.board.HostMemory;

import static org.grim.board.ContextRegisters.REGISTERED_LENGTH;
import static org.grim.board.ContextRegisters.REGISTERED_START;

/**
 * Where the addresses of RM-P lead: into the part of a context's region that its host has published as registered
 * memory, and nowhere else. An address names a byte of that part and the generation of a region, at which the board
 * does not look: it knows no generations.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public class RegisteredParts
{
    /** Value of {@link #locate} for bytes that do not all lie in the registered part. */
    public static final long NOWHERE = -1;

    private final ContextRegisters[] contexts;
    private final HostMemory memory;

    /** The parts that contexts publish. */
    public RegisteredParts(final AtomicBuffer sram, final BoardGeometry geometry, final HostMemory memory)
    {
        contexts = new ContextRegisters[geometry.contextCount()];
        Arrays.setAll(contexts, context -> new ContextRegisters(sram, geometry, context));
        this.memory = memory;
    }

    /**
     * The board's physical address of bytes that an address of RM-P names.
     *
     * @param context that exists.
     * @param address of the first byte, as the operation carries it.
     * @param length  bytes, not negative.
     * @return {@link #NOWHERE} if they do not all lie in the registered part.
     */
    public long locate(final int context, final long address, final int length)
    {
        // The host's words are read once, checked and then used; wrong ones harm only the host itself.
        final long partLength = contexts[context].getAcquire(REGISTERED_LENGTH);
        final long partStart = contexts[context].get(REGISTERED_START);
        final long offset = PhysicalAddress.registeredOffset(address);
        final boolean isInPart = offset >= 0 && partLength >= length && offset <= partLength - length;
        if (PhysicalAddress.registeredOffset(partStart) != partStart || !isInPart)
        {
            return NOWHERE;
        }
        final long physical = HostMemory.address(context, partStart + offset);
        return memory.isReachable(context, physical, length) ? physical : NOWHERE;
    }
}
