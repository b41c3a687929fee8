// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.ni.board.ChannelOwners;

/**
 * Which channels take messages, and for whom: those that a host has enabled and that are not being taken out of
 * service.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
public final class ServedChannels
{
    private static final int NODE_SHIFT = 4;

    private final ChannelRegisters[] registers;
    private final ChannelOwners owners;
    private final boolean[] isClosed;

    /** None is closed. */
    @SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
    public ServedChannels(final AtomicBuffer sram, final BoardGeometry geometry, final ChannelOwners owners)
    {
        this.owners = owners;
        registers = new ChannelRegisters[geometry.channelCount()];
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
        isClosed = new boolean[registers.length];
    }

    /**
     * Returns why a channel does not take a message: a sender knows the channel's owner, and that it was enabled.
     *
     * @param channel            from a header.
     * @param destinationAddress from a header: the channel takes what is for any device of its owner's node, for the
     *                           host knows which has handlers.
     * @return null if it takes it.
     */
    public RefuseReason whyRefused(final int channel, final int destinationAddress)
    {
        if (channel >= registers.length)
        {
            return RefuseReason.NO_CHANNEL;
        }
        if (isClosed[channel] || !registers[channel].isEnabledAcquire())
        {
            return RefuseReason.CHANNEL_CLOSED;
        }
        return owners.address(channel) >> NODE_SHIFT == destinationAddress >> NODE_SHIFT ? null :
            RefuseReason.WRONG_OWNER;
    }

    /**
     * Takes nothing more for a channel.
     *
     * @param channel of the board.
     */
    public void close(final int channel)
    {
        isClosed[channel] = true;
    }

    /**
     * The channel is as new.
     *
     * @param channel of the board.
     */
    public void reset(final int channel)
    {
        isClosed[channel] = false;
    }
}
