// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.MappedFile;

/** A ring that this board reads. Thread: the board's stepper. Owns: the mapping. */
final class InboundRing
{
    final int sourceNi;
    final AtomicBuffer buffer;
    final RingReader reader;
    int notedPosition;
    boolean isFaultCounted;
    private final MappedFile file;

    /** The file is null for the ring of a board to itself. */
    InboundRing(final int sourceNi, final AtomicBuffer buffer, final MappedFile file, final int packetLengthMax)
    {
        this.sourceNi = sourceNi;
        this.buffer = buffer;
        this.file = file;
        reader = new RingReader(buffer, packetLengthMax);
    }

    /** Removes the file; the memory stays mapped. */
    void delete()
    {
        if (file != null)
        {
            file.identity().delete();
        }
    }

    void closeAndDelete()
    {
        if (file != null)
        {
            file.closeAndDelete();
        }
    }
}
