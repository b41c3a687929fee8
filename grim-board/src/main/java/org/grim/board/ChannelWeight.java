// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.grim.GrimConfig;

/**
 * Limits of a channel's weight, for the configuration and the firmware alike.
 * <p>Thread: any; no state.
 */
public final class ChannelWeight
{
    /** Smallest weight. */
    public static final int MIN = GrimConfig.CHANNEL_WEIGHT_MIN;
    /** Largest weight. */
    public static final int MAX = GrimConfig.CHANNEL_WEIGHT_MAX;

    private ChannelWeight()
    {
    }

    /**
     * The weight that a board obeys: a host can write one into its registers that no configuration allows.
     *
     * @param weight as the host wrote it.
     * @return {@value #MIN} to {@value #MAX}.
     */
    public static int limited(final int weight)
    {
        return Math.min(Math.max(weight, MIN), MAX);
    }
}
