// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;
import java.util.Map;

import org.grim.board.counters.NiCounterKind;
import org.grim.tools.report.Counters;

/**
 * A board at one look.
 *
 * @param node     whose board it is.
 * @param header   of its memory; null if that cannot be read: then there are no contexts and channels.
 * @param contexts with an owner.
 * @param channels that have an owner, are being set up, or still hold something.
 * @param counters of its NI.
 * @param missing  what could not be read, in words.
 */
record BoardSample(
    SeenNode node, Header header, List<ContextSample> contexts, List<ChannelSample> channels,
    Counters counters, List<String> missing)
{
    /**
     * The board itself.
     *
     * @param lanaiModel   4 or 9.
     * @param epoch        its life.
     * @param channelCount NI channels, used or not.
     * @param contextCount contexts, used or not.
     * @param isAsleep     whether who steps it sleeps on a doorbell.
     */
    record Header(int lanaiModel, int epoch, int channelCount, int contextCount, boolean isAsleep)
    {
    }

    /** The NI's number, which is its node's. */
    int ni()
    {
        return node.number();
    }

    boolean isAsleep()
    {
        return header != null && header.isAsleep();
    }

    /** A channel that is shown; null for none. */
    ChannelSample channel(final int number)
    {
        return channels.stream().filter(channel -> channel.number() == number).findFirst().orElse(null);
    }

    /** Whether this is the same life of the same board. */
    boolean isSameIncarnation(final BoardSample other)
    {
        return other != null && node.incarnation() == other.node.incarnation() && header != null &&
            other.header != null && header.epoch() == other.header.epoch();
    }

    /** Whether it certainly made no step since an earlier look. */
    boolean stoodStillSince(final BoardSample earlier)
    {
        final Map<Integer, Long> steps = counters.values(NiCounterKind.STEPS);
        return !steps.isEmpty() && steps.equals(earlier.counters.values(NiCounterKind.STEPS));
    }
}
