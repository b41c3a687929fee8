// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;

import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;

/**
 * Owners of channels, kept where no host can write. Hosts also name the owner in their channels' registers; this holds
 * only if it is the assigned owner, or if no owner was assigned, as on a board that serves one host only.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
public final class ChannelOwners
{
    /** Neither context nor endpoint. */
    public static final int NOBODY = -1;

    private static final int NOT_GIVEN = -1;

    private final ChannelRegisters[] registers;
    private final int[] contexts;
    private final int[] addresses;

    /** Nothing is given yet. */
    @SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
    public ChannelOwners(final AtomicBuffer sram, final BoardGeometry geometry)
    {
        registers = new ChannelRegisters[geometry.channelCount()];
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
        contexts = new int[registers.length];
        addresses = new int[registers.length];
        Arrays.fill(contexts, NOT_GIVEN);
        Arrays.fill(addresses, NOT_GIVEN);
    }

    /**
     * Gives channels to a host.
     *
     * @param context      that it has.
     * @param address      of its endpoint: node (12), device (4).
     * @param firstChannel the first of them.
     * @param count        how many in a row.
     */
    public void give(final int context, final int address, final int firstChannel, final int count)
    {
        Arrays.fill(contexts, firstChannel, firstChannel + count, context);
        Arrays.fill(addresses, firstChannel, firstChannel + count, address);
    }

    /**
     * Context of a channel.
     *
     * @param channel of the board.
     * @return {@link #NOBODY} if the channel's host names another than it was given.
     */
    public int context(final int channel)
    {
        return agreed(registers[channel].get(CONTEXT), contexts[channel]);
    }

    /**
     * Endpoint that a channel speaks for.
     *
     * @param channel of the board.
     * @return {@link #NOBODY} if the channel's host names another than it was given.
     */
    public int address(final int channel)
    {
        return agreed(registers[channel].get(OWNER_ADDRESS), addresses[channel]);
    }

    private static int agreed(final int said, final int given)
    {
        return given == NOT_GIVEN || said == given ? said : NOBODY;
    }
}
