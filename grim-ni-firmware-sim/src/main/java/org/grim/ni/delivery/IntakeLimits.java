// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.board.ChannelOwners;

/**
 * How much an NI has under way at a time, and for whom.
 *
 * @param scoreboard   that has a token for each message in flight; used by nobody else.
 * @param quota        most messages of a channel taken and unsettled, a power of two.
 * @param isCutThrough whether messages are begun while their host still writes them.
 * @param ownChannel   channel of the NI itself, whose messages are from any endpoint that it serves; -1 for none.
 * @param owners       of the channels, for whom they may speak.
 */
public record IntakeLimits(
    Scoreboard scoreboard, int quota, boolean isCutThrough, int ownChannel, ChannelOwners owners)
{
}
