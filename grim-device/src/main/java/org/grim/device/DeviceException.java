// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.Objects;

/** Refusal of a request: thrown by a handler of a driver, it is the answer, and thrown again at the client. */
public final class DeviceException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Never null. */
    private final DeviceCode code;
    /** Argument 1 of the answer. */
    private final int value;

    /**
     * Makes a refusal.
     *
     * @param code    of the answer.
     * @param message one sentence, naming value and limit.
     */
    public DeviceException(final DeviceCode code, final String message)
    {
        this(code, 0, message);
    }

    /**
     * Makes a refusal with a number.
     *
     * @param code    of the answer.
     * @param value   argument 1 of the answer, whose meaning the code has.
     * @param message one sentence, naming value and limit.
     */
    public DeviceException(final DeviceCode code, final int value, final String message)
    {
        super(message);
        this.code = Objects.requireNonNull(code, "code");
        this.value = value;
    }

    /** {@return reason of the refusal} */
    public DeviceCode code()
    {
        return code;
    }

    /** {@return argument 1 of the answer} */
    public int value()
    {
        return value;
    }
}
