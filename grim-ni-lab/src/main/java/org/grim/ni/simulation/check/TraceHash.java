// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

/** One number for all that happened in a run, in its order: two runs with the same number went the same way. */
final class TraceHash
{
    private static final long FACTOR = 0xFF51_AFD7_ED55_8CCDL;
    private static final long OTHER_FACTOR = 0xC4CE_B9FE_1A85_EC53L;
    private static final int SHIFT = 32;

    private long value = OTHER_FACTOR;

    void add(final long word)
    {
        final long mixed = (value ^ word) * FACTOR;
        value = (mixed ^ mixed >>> SHIFT) * OTHER_FACTOR;
    }

    long value()
    {
        return value;
    }
}
