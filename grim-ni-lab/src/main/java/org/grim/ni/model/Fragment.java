// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/** A part of a message in flight, with the moments at which it passed the stages. */
final class Fragment
{
    final int payloadLength;
    final int segmentLength;
    final boolean isLast;
    final boolean isCopied;
    final long[] segmentNs;
    NextHop target;
    Runnable onAnswer;
    long injectStartNs;
    long visibleNs;
    long sendStartNs;
    long headerNs;
    long arrivedNs;
    long decodedNs;
    long judgedNs;
    long deliveredNs;
    long notifiedNs;
    long seenNs;
    boolean isDecoded;
    boolean isArrived;
    boolean isJudging;
    boolean isAdvanced;
    boolean isDelivered;
    boolean isAnswerMade;

    /**
     * A part of a message.
     *
     * @param payloadLength bytes.
     * @param segmentLength most payload bytes of an injection.
     * @param isLast        whether the message ends with it.
     * @param isCopied      whether the receiving host copies it into a reassembly buffer.
     */
    Fragment(final int payloadLength, final int segmentLength, final boolean isLast, final boolean isCopied)
    {
        this.payloadLength = payloadLength;
        this.segmentLength = segmentLength;
        this.isLast = isLast;
        this.isCopied = isCopied;
        segmentNs = new long[(payloadLength - 1) / segmentLength + 1];
    }

    /** Bytes of the segments of a range; the first one carries the header. */
    int lengthOf(final int fromSegment, final int toSegment, final Mode mode)
    {
        final int length = Math.min(toSegment * segmentLength, payloadLength) - fromSegment * segmentLength;
        return fromSegment == 0 ? mode.messageLength(length) : length;
    }
}
