// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

/** Argument 0 of every answer of a device. An answer other than {@link #OK} and {@link #END} has a sentence as text. */
public enum DeviceCode
{
    /** The request was executed. */
    OK(0),
    /** The request is wrong, and would be wrong again. */
    BAD_REQUEST(1),
    /** There is no object of this name or number. */
    NOT_FOUND(2),
    /** Another endpoint has reserved the device: argument 1 says for how many milliseconds more at most. */
    BUSY(3),
    /** A bound is reached, or the disk is full: argument 1 says what was done before. */
    NO_ROOM(4),
    /** The driver has failed: {@code device.reset} opens it again. */
    FAILED(5),
    /** The operating system or the hardware refused the operation; the device goes on. */
    ERROR(6),
    /** There was less than the request asked for: argument 1 says how much, and the answer has it. */
    END(7);

    private static final DeviceCode[] VALUES = values();

    private final int number;

    DeviceCode(final int number)
    {
        this.number = number;
    }

    /** {@return number of the code in messages} */
    public int number()
    {
        return number;
    }

    /**
     * Returns the code of a number.
     *
     * @param number from an answer.
     * @return the code; {@link #ERROR} for a number that this version does not know.
     */
    public static DeviceCode ofNumber(final int number)
    {
        return number < 0 || number >= VALUES.length ? ERROR : VALUES[number];
    }
}
