// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

/** What a simulated host sends, and what must become of it if nothing is disturbed. */
public enum MessageKind
{
    /** Active message that must arrive. */
    ACTIVE(1, true, false, false),
    /** Remote write that must be executed. */
    WRITE(2, false, false, false),
    /** Remote read that must be executed. */
    READ(3, false, false, false),
    /** Remote write or read of a wrong address: must be refused. */
    MISGUIDED(4, false, true, false),
    /** Active message to a node that does not exist: must be undelivered. */
    LOST(5, false, false, true),
    /** Remote write to memory that may have been freed, or not grant it: may be executed or refused. */
    CHURN(6, false, false, false);

    private static final MessageKind[] BY_CODE = {null, ACTIVE, WRITE, READ, MISGUIDED, LOST, CHURN};

    private final int code;
    private final boolean isArriving;
    private final boolean mustBeRefused;
    private final boolean mustBeUndelivered;

    MessageKind(final int code, final boolean isArriving, final boolean mustBeRefused, final boolean mustBeUndelivered)
    {
        this.code = code;
        this.isArriving = isArriving;
        this.mustBeRefused = mustBeRefused;
        this.mustBeUndelivered = mustBeUndelivered;
    }

    static MessageKind ofCode(final int code)
    {
        return BY_CODE[code];
    }

    int code()
    {
        return code;
    }

    /** Whether a receiver reads it from its arrival queue. */
    boolean isArriving()
    {
        return isArriving;
    }

    boolean mustBeRefused()
    {
        return mustBeRefused;
    }

    boolean mustBeUndelivered()
    {
        return mustBeUndelivered;
    }
}
