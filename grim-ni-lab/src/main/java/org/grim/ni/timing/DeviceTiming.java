// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

/**
 * Costs of moving bytes to another card of the host, such as an accelerator; stated for the P3-550 alone. Each constant
 * is a stated figure, none is fitted. Nothing else about other cards is stated: neither what a transfer of another
 * length costs, nor how long a card takes to load a configuration.
 */
public final class DeviceTiming
{
    /** Bytes of the transfer whose time is stated. */
    public static final int BLOCK_LENGTH = 4 << 10;
    /** Bytes of the large message whose time is stated. */
    public static final int LARGE_LENGTH = 2 << 20;
    /** A block, moved by the host's processor. */
    public static final long BLOCK_BY_HOST_NS = 69_000;
    /** A block, moved by the DMA engine of a board. */
    public static final long BLOCK_BY_BOARD_NS = 32_000;
    /** The large message, from and to another card, through a buffer in the host's memory. */
    public static final long LARGE_ONE_COPY_NS = 43_500_000;
    /** The large message, from and to another card, without a copy. */
    public static final long LARGE_ZERO_COPY_NS = 17_900_000;

    private DeviceTiming()
    {
    }
}
