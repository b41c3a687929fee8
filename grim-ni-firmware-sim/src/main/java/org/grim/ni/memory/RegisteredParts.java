// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.ni.board.HostMemory;
import org.grim.ni.guard.Guard;

/**
 * Where the addresses of RM-P lead: into the part of a context's region that its host has published as registered
 * memory, and nowhere else. An address names a byte of that part and the generation of a region, at which the board
 * does not look: it knows no generations.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
final class RegisteredParts
{
    /** What {@link #locate} says of bytes that do not all lie in the registered part. */
    static final long NOWHERE = -1;

    private final ContextRegisters[] contexts;
    private final HostMemory memory;
    private final boolean isAddressChecked;
    private final boolean isPartChecked;

    RegisteredParts(final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host)
    {
        contexts = new ContextRegisters[geometry.contextCount()];
        Arrays.setAll(contexts, context -> new ContextRegisters(sram, geometry, context));
        memory = host.memory();
        isAddressChecked = host.guards().has(Guard.ADDRESS_CHECK);
        isPartChecked = host.guards().has(Guard.REGISTERED_PART);
    }

    /** The board's physical address of bytes that an address of RM-P names in a context that exists. */
    long locate(final int context, final long address, final int length)
    {
        // What the host wrote is read once, checked and then used; what it says can harm nobody but itself.
        final long partLength = contexts[context].registeredLengthAcquire();
        final long partStart = contexts[context].registeredStart();
        final long offset = PhysicalAddress.registeredOffset(address);
        final boolean isInPart = offset >= 0 && partLength >= length && offset <= partLength - length;
        if (PhysicalAddress.registeredOffset(partStart) != partStart || (isPartChecked && !isInPart))
        {
            return NOWHERE;
        }
        final long physical = HostMemory.address(context, partStart + offset);
        return !isAddressChecked || memory.isReachable(context, physical, length) ? physical : NOWHERE;
    }
}
