// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/** Type of a message. */
public enum Mode
{
    /** An active message into the arrival queue of its endpoint. */
    AM("AM", 0),
    /** A remote-memory write by virtual address. */
    RM_V("RM-V", 8),
    /** A remote-memory write by physical address. */
    RM_P("RM-P", 8),
    /**
     * Bytes of a socket: active messages of one fragment each, of which the receiving host copies all bytes, once, into
     * the reader's buffer.
     */
    SOCKETS("sockets", 0);

    private static final int HEADER_LENGTH = 32;

    private final String label;
    private final int extensionLength;

    Mode(final String label, final int extensionLength)
    {
        this.label = label;
        this.extensionLength = extensionLength;
    }

    /** Its name for people; {@code AM}, {@code RM-V}, {@code RM-P} or {@code sockets}. */
    public String label()
    {
        return label;
    }

    /** Whether messages go to the arrival queue of an endpoint, and not into registered memory. */
    public boolean isMessage()
    {
        return this == AM || this == SOCKETS;
    }

    /** Bytes that a payload takes in the board's memory and on the wire. */
    int messageLength(final int payloadLength)
    {
        return HEADER_LENGTH + extensionLength + payloadLength;
    }

    /** Bytes that the receiving board writes to its host: remote memory gets no header. */
    int deliveredLength(final int payloadLength)
    {
        return isMessage() ? HEADER_LENGTH + payloadLength : payloadLength;
    }
}
