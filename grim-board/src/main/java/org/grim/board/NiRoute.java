// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/**
 * The path to a node through network interfaces: one word of its {@link NiRecord}.
 * <pre>
 *  31   30            19 18            11 10                     0
 *  +---+----------------+----------------+------------------------+
 *  | 1 | NI number (12) | channel (8)    | payload max / 32 (11)  |   0 in all bits: by none
 *  +---+----------------+----------------+------------------------+
 * </pre>
 * The NI's number is that of the node whose board serves this one; the channel is the NI channel of the node's channel
 * 0, and the others follow it.
 * <p>Thread: any; no state.
 */
public final class NiRoute
{
    /** The node is reached through no NI. */
    public static final int NONE = 0;
    /** Payload lengths in a route are multiples of this. */
    public static final int PAYLOAD_UNIT = 32;

    private static final int EXISTS = 1 << 31;
    private static final int NI_SHIFT = 19;
    private static final int NI_MASK = 0xFFF;
    private static final int CHANNEL_SHIFT = 11;
    private static final int CHANNEL_MASK = 0xFF;
    private static final int PAYLOAD_MASK = 0x7FF;

    private NiRoute()
    {
    }

    /**
     * Makes a route.
     *
     * @param ni               NI number, 0 to 4,095.
     * @param firstChannel     NI channel of channel 0, 0 to 255.
     * @param payloadLengthMax bytes that the node's arrival queues take, 0 to 65,504; rounded down to the unit.
     * @return the word.
     * @throws IllegalArgumentException if a value is out of range.
     */
    public static int of(final int ni, final int firstChannel, final int payloadLengthMax)
    {
        final int units = payloadLengthMax / PAYLOAD_UNIT;
        if (ni < 0 || ni > NI_MASK || firstChannel < 0 || firstChannel > CHANNEL_MASK || payloadLengthMax < 0 ||
            units > PAYLOAD_MASK)
        {
            throw new IllegalArgumentException("route to NI=" + ni + " channel=" + firstChannel + " payload length=" +
                payloadLengthMax + " exceeds max=" + NI_MASK + ", " + CHANNEL_MASK + ", " +
                PAYLOAD_MASK * PAYLOAD_UNIT);
        }
        return EXISTS | ni << NI_SHIFT | firstChannel << CHANNEL_SHIFT | units;
    }

    /**
     * The NI that serves the node.
     *
     * @param route from the directory, not {@link #NONE}.
     * @return NI number, which is a node number.
     */
    public static int ni(final int route)
    {
        return route >>> NI_SHIFT & NI_MASK;
    }

    /**
     * NI channel of the node's channel 0.
     *
     * @param route from the directory, not {@link #NONE}.
     * @return 0 to 255.
     */
    public static int firstChannel(final int route)
    {
        return route >>> CHANNEL_SHIFT & CHANNEL_MASK;
    }

    /**
     * Most payload bytes that the node takes in one message.
     *
     * @param route from the directory, not {@link #NONE}.
     * @return bytes.
     */
    public static int payloadLengthMax(final int route)
    {
        return (route & PAYLOAD_MASK) * PAYLOAD_UNIT;
    }
}
