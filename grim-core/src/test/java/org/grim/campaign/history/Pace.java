// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

/** Rates of sends and polls of a campaign's nodes. */
public enum Pace
{
    /** So that two cores have room for a dozen nodes and for new processes. */
    FULL(200_000, 1_000_000, 4, 1_000_000, 30_000_000_000L),
    /** Some dozen messages per second and node: what is awaited is not the processor, but time-outs of networks. */
    EASY(2_000_000, 2_000_000, 100, 500_000_000, 30_000_000_000L);

    /** Pause of a node after work. */
    final long pauseNs;
    /** Pause of a node without work. */
    final long idlePauseNs;
    /** One step in so many sends a burst. */
    final int burstOdds;
    /** Pause of the thread that sends on a shared link. */
    final long sharedPauseNs;
    /** A peer that is up and takes nothing for so long hangs. */
    final long hungNs;

    Pace(
        final long pauseNs, final long idlePauseNs, final int burstOdds, final long sharedPauseNs, final long hungNs)
    {
        this.pauseNs = pauseNs;
        this.idlePauseNs = idlePauseNs;
        this.burstOdds = burstOdds;
        this.sharedPauseNs = sharedPauseNs;
        this.hungNs = hungNs;
    }
}
