// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

/** What goes there and back. */
public enum Mode
{
    /** Active messages of any length. */
    AM("am", 2),
    /** Remote writes by virtual address, each with a notification word that the other side looks at. */
    RM_V("rm-v", 2),
    /** The same by physical address. */
    RM_P("rm-p", 2),
    /** Remote reads, of which the other side learns nothing: what is timed is a read, not half of one. */
    READ("read", 1);

    /** Most bytes of a payload in every mode. */
    public static final int SIZE_MAX = 64 << 20;

    private final String label;
    private final int waysPerTime;

    Mode(final String label, final int waysPerTime)
    {
        this.label = label;
        this.waysPerTime = waysPerTime;
    }

    /**
     * Least bytes of a payload.
     *
     * @return 0 for messages; remote memory refuses to move nothing.
     */
    public int sizeMin()
    {
        return isRemote() ? 1 : 0;
    }

    /**
     * Payload sizes unless others are asked for.
     *
     * @return bytes, ascending.
     */
    public int[] defaultSizes()
    {
        return isRemote() ? new int[] {8, 32, 256, 2048, 16384, 65536, 1 << 20} :
            new int[] {0, 8, 32, 256, 2048, 16384, 65504};
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return label;
    }

    /** Whether memory is written or read, and no handler runs. */
    boolean isRemote()
    {
        return this != AM;
    }

    /** One-way times in one time that was taken: a round trip has two. */
    int waysPerTime()
    {
        return waysPerTime;
    }
}
