// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

/**
 * One who reaches a node's memory, as that node's directory knows it: while its counter is odd, pages that it may have
 * found before they were freed are not used again.
 * <p>Thread: the link's owner. Owns: a line of the directory, until {@link #close()}.
 */
final class InitiatorLine
{
    private final MemoryDirectory directory;
    private final int index;
    private long counter;

    private InitiatorLine(final MemoryDirectory directory, final int index)
    {
        this.directory = directory;
        this.index = index;
        final long found = directory.initiatorCounter(index);
        counter = found + (found & 1);          // Even, unless somebody scribbled on it.
    }

    /** Takes the first free line; null if there is none. */
    static InitiatorLine tryAttach(final MemoryDirectory directory, final long owner)
    {
        for (int i = 0; i < directory.layout().initiatorCountMax(); i++)
        {
            if (directory.initiatorOwner(i) == 0 && directory.tryOwnInitiator(i, owner))
            {
                return new InitiatorLine(directory, i);
            }
        }
        return null;
    }

    /** Before anything of the directory is looked at that says where to write. */
    void begin()
    {
        directory.beginOperation(index, counter + 1);
    }

    /** After the last store. */
    void end()
    {
        counter += 2;
        directory.endOperation(index, counter);
    }

    void close()
    {
        directory.freeInitiator(index);
    }
}
