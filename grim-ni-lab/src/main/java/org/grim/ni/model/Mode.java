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
    RM_P("RM-P", 8);

    private static final int HEADER_LENGTH = 32;

    private final String label;
    private final int extensionLength;

    Mode(final String label, final int extensionLength)
    {
        this.label = label;
        this.extensionLength = extensionLength;
    }

    /** Its name for people; {@code AM}, {@code RM-V} or {@code RM-P}. */
    public String label()
    {
        return label;
    }

    /** Bytes that a payload takes in the board's memory and on the wire. */
    int messageLength(final int payloadLength)
    {
        return HEADER_LENGTH + extensionLength + payloadLength;
    }

    /** Bytes that the receiving board writes to its host: remote memory gets no header. */
    int deliveredLength(final int payloadLength)
    {
        return this == AM ? HEADER_LENGTH + payloadLength : payloadLength;
    }
}
