// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.wire.MessageHeader;

/**
 * The two channels in words 2 and 3 of a header: those of endpoints above, those of NIs on the wire.
 * <p>Thread: any; no state.
 */
final class NiChannels
{
    /** Where words 2 and 3 stand in a header. */
    static final int OFFSET = MessageHeader.EXTENT_OFFSET;

    private static final int SOURCE_SHIFT = 24;
    private static final int DESTINATION_SHIFT = 16;
    private static final long MASK = 0xFFFFL << DESTINATION_SHIFT;

    private NiChannels()
    {
    }

    /** Both channels as they stand in words 2 and 3. */
    static long bits(final int sourceChannel, final int destinationChannel)
    {
        return (long)sourceChannel << SOURCE_SHIFT | (long)destinationChannel << DESTINATION_SHIFT;
    }

    /** Words 2 and 3 with other channels. */
    static long replace(final long second, final long channels)
    {
        return (second & ~MASK) | channels;
    }
}
