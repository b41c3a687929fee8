// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

/** The two boards that the original ran on, as they were set up. */
public enum LanaiModel
{
    /** 32 bit PCI only. */
    LANAI_4("lanai4", 1 << 20, 16 << 10, 1 << 10),
    /** 32 or 64 bit PCI. */
    LANAI_9("lanai9", 2 << 20, 64 << 10, 16 << 10);

    private final String label;
    private final int sramLength;
    private final int fragmentLength;
    private final int segmentLength;

    LanaiModel(final String label, final int sramLength, final int fragmentLength, final int segmentLength)
    {
        this.label = label;
        this.sramLength = sramLength;
        this.fragmentLength = fragmentLength;
        this.segmentLength = segmentLength;
    }

    /** Its name for people; {@code lanai4} or {@code lanai9}. */
    public String label()
    {
        return label;
    }

    /** Memory of the board. */
    public int sramLength()
    {
        return sramLength;
    }

    /** Payload of the parts into which the original cut large messages. */
    public int fragmentLength()
    {
        return fragmentLength;
    }

    /** Bytes that the host injected at a time. */
    public int segmentLength()
    {
        return segmentLength;
    }

    /** Its costs, scanning, in 32 bit PCI. */
    public LanaiTiming timing()
    {
        return this == LANAI_4 ? LanaiTiming.lanai4() : LanaiTiming.lanai9();
    }
}
