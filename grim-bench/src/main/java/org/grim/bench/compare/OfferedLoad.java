// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import org.HdrHistogram.Histogram;

/**
 * What became of an {@link Offer}.
 *
 * @param times     from the moment when a message was to be sent until its echo was there, in ns. The moment is that of
 *                  the schedule, also where the sender was late.
 * @param perSecond echoes.
 * @param lateShare messages that left much later than planned, 0 to 1: the peer, or the machine, held the sender up.
 * @param isKept    whether the sender sent all that was planned, about in time.
 */
public record OfferedLoad(Histogram times, double perSecond, double lateShare, boolean isKept)
{
}
