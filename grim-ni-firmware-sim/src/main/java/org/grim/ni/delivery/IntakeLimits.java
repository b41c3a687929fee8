// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/**
 * How much an NI has under way at a time.
 *
 * @param tokenCount   most messages in flight, 1 to 256.
 * @param quota        most messages of a channel taken and unsettled, a power of two.
 * @param isCutThrough whether messages are begun while their host still writes them.
 * @param ownChannel   channel of the NI itself, whose messages are from any endpoint that it serves; -1 for none.
 */
public record IntakeLimits(int tokenCount, int quota, boolean isCutThrough, int ownChannel)
{
}
