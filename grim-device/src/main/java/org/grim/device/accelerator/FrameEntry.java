// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Request to set an entry of a directory: what a stage does with the items of one connection on one path. The
 * payload of {@code frame.set} has the numbers in this order, 4 bytes each, little endian; the device knows the owner
 * from the message.
 *
 * @param owner         key of the endpoint that set it.
 * @param incarnation   of the owner's node.
 * @param stream        number of the connection at its owner; 16 bits.
 * @param attempt       number of the attempt to set the path.
 * @param flags         {@link #RECYCLE}, {@link #STOP}.
 * @param kernel        handler of the kernel that runs here.
 * @param nextEndpoint  key of the endpoint that gets the result; of the device itself if recycled.
 * @param nextHandler   kernel or sink there.
 * @param nextA0        argument 0 of the result.
 * @param nextConstant  argument 2 of the result.
 * @param window        most items of the connection that are under way.
 * @param itemLengthMax most bytes of an item and of its result.
 * @param operands      addresses of operands in pages; the payload has a, b, c, length and space.
 */
public record FrameEntry(
    int owner, int incarnation, int stream, int attempt, int flags, int kernel, int nextEndpoint, int nextHandler,
    int nextA0, int nextConstant, int window, int itemLengthMax, PageOperands operands)
{
    /** Flag: the result is the next item that this device takes. */
    public static final int RECYCLE = 1;
    /** Flag: after a failure all further items fail. */
    public static final int STOP = 1 << 1;
    /** Name of the handler. */
    public static final String SET = "frame.set";
    /**
     * Name of the handler that frees an entry: argument 0 its slot, or {@link #ALL}; then arguments 1 and 2 are stream
     * and attempt of those entries of the sender that are freed.
     */
    public static final String CLEAR = "frame.clear";
    /** In the place of a slot: all entries of a stream and an attempt. */
    public static final int ALL = -1;
    /** Argument 1 of {@link #STATUS}: an entry that has ended, and was not set again, is an entry, too. */
    public static final int ALSO_ENDED = 1;
    /** Name of the handler that answers with the items of an entry: argument 0 its slot. */
    public static final String STATUS = "frame.status";
    /** Bytes of the payload. */
    public static final int LENGTH = 15 * SIZE_OF_INT;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /**
     * Writes the payload.
     *
     * @param buffer to write to, from index 0.
     */
    public void writeTo(final MutableDirectBuffer buffer)
    {
        final int[] numbers = {
            stream, attempt, flags, kernel, nextEndpoint, nextHandler, nextA0, nextConstant, window, itemLengthMax,
            operands.a(), operands.b(), operands.c(), operands.length(), operands.space()};
        for (int i = 0; i < numbers.length; i++)
        {
            buffer.putInt(i * SIZE_OF_INT, numbers[i], ORDER);
        }
    }

    /** Reads a payload. */
    static FrameEntry readFrom(
        final int owner, final int incarnation, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length != LENGTH)
        {
            throw new IllegalArgumentException("frame.set of length=" + length + ", expected " + LENGTH);
        }
        final int[] numbers = new int[LENGTH / SIZE_OF_INT];
        for (int i = 0; i < numbers.length; i++)
        {
            numbers[i] = buffer.getInt(offset + i * SIZE_OF_INT, ORDER);
        }
        return new FrameEntry(owner, incarnation, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
            numbers[5], numbers[6], numbers[7], numbers[8], numbers[9],
            new PageOperands(0, numbers[10], numbers[11], numbers[12], numbers[13], 0).inSpace(numbers[14]));
    }
}
