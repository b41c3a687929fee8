// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.board.ChannelOwners;
import org.grim.ni.multicast.Trees;

/**
 * Limits of the messages that an NI has under way at a time.
 *
 * @param scoreboard   that has a token for each message in flight; used by nobody else.
 * @param quota        most messages of a channel taken and unsettled, a power of two.
 * @param isCutThrough whether messages are begun while their host still writes them.
 * @param firstOwnChannel from this channel on they are the NI's itself: their messages are from any endpoint that it
 *                     serves.
 * @param owners       of the channels, for whom they may speak.
 * @param trees        that say where multicasts go.
 */
public record IntakeLimits(
    Scoreboard scoreboard, int quota, boolean isCutThrough, int firstOwnChannel, ChannelOwners owners, Trees trees)
{
}
