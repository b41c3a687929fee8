// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/** A part of a message on its way, with the moments at which it came through the stages. */
final class Fragment
{
    final int payloadLength;
    final boolean isFirst;
    final boolean isLast;
    final boolean isByDma;
    long injectStartNs;
    long injectEndNs;
    long visibleNs;
    long sendStartNs;
    long headerNs;
    long arrivedNs;
    long decodedNs;
    long judgedNs;
    long deliveredNs;
    long toldNs;
    long seenNs;
    boolean isDecoded;
    boolean isArrived;
    boolean isJudging;
    boolean isAdvanced;
    boolean isDelivered;

    Fragment(final int payloadLength, final boolean isFirst, final boolean isLast, final boolean isByDma)
    {
        this.payloadLength = payloadLength;
        this.isFirst = isFirst;
        this.isLast = isLast;
        this.isByDma = isByDma;
    }
}
