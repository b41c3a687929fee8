// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.grim.buffer.SegmentHeader;

/**
 * Name and header of the file of a host's DMA region: a segment header. The board maps the whole file: physical offset
 * 0 is the header's first byte, and the region is as long as the file.
 * <p>Thread: any; no state.
 */
public final class DmaRegionHeader
{
    /** "GRIMDMA_". */
    public static final long MAGIC = SegmentHeader.magic("GRIMDMA_");
    /** Bytes that the header takes; what the host uses begins behind it. */
    public static final int LENGTH = SegmentHeader.LENGTH;
    /** Least bytes of a region: its header, and a line that can hold something. */
    public static final int REGION_LENGTH_MIN = LENGTH * 2;

    private static final String KIND_PREFIX = "dma-";

    private DmaRegionHeader()
    {
    }

    /**
     * Kind of the node file that holds a region.
     *
     * @param generation 1 or more: a new one for each time that the node attaches.
     * @return for {@link org.grim.transport.TransportContext#nodeFile}.
     */
    public static String fileKind(final int generation)
    {
        return KIND_PREFIX + generation;
    }
}
