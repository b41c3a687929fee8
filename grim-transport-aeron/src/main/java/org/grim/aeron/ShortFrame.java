// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.grim.wire.BigEndian;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * A small message without arguments whose header stands in the reserved value of Aeron's own, so that its frame is the
 * payload alone: 32 bytes shorter on a line where each frame of 32 bytes counts. 0 there says that the header stands in
 * the frame.
 * <pre>
 * bits 63 ........ 32 | 31 ............... 16 | 15 .......... 0
 * word 3 of the header | destination endpoint  | source endpoint
 * </pre>
 * Types, lengths and arguments follow from that it is one: {@link MessageHeader}.
 * <p>Thread: any; no state.
 */
final class ShortFrame
{
    /** Reserved value when the header stands in the frame. */
    static final long NONE = 0;
    /** Most bytes of a payload: beside longer ones a header counts little. */
    static final int PAYLOAD_LENGTH_MAX = 256;

    private static final int TYPE_WORD = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, 0);
    private static final int SHORT_MASK = 0xFFFF;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private ShortFrame()
    {
    }

    /** Returns the value that replaces a header; {@link #NONE} if this message cannot be sent so. */
    static long reservedValue(final int wordOne, final long extentWords, final long arguments, final int length)
    {
        final boolean isShort = arguments == 0 && length <= PAYLOAD_LENGTH_MAX &&
            (wordOne & ~SHORT_MASK) == (TYPE_WORD | MessageHeader.correction(length));
        return isShort ? (extentWords & INT_MASK) << Integer.SIZE |
            (extentWords >>> Integer.SIZE & SHORT_MASK) << Short.SIZE | (wordOne & SHORT_MASK) : NONE;
    }

    /** {@return words 0 and 1 of the header that a value stands for} */
    static long first(final long reservedValue, final int length)
    {
        return MessageHeader.first(MessageHeader.identityWord(0), BigEndian.order(
            TYPE_WORD | MessageHeader.correction(length) | ((int)reservedValue & SHORT_MASK)));
    }

    /** {@return words 2 and 3 of the header that a value stands for} */
    static long second(final long reservedValue, final int length)
    {
        return MessageHeader.extentWords(
            (int)(reservedValue >>> Short.SIZE), (int)(reservedValue >>> Integer.SIZE), length);
    }
}
