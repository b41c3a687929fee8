// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Arrays;
import java.util.List;

/** What kind of device an endpoint belongs to. */
public enum DeviceKind
{
    /** The node has no device of this number. */
    NONE(0, "none"),
    /** The host's CPU: device 0 of every node. */
    HOST_CPU(1, "host-cpu"),
    /** A source of video frames. */
    VIDEO_CAPTURE(2, "video-capture"),
    /** A frame buffer. */
    VIDEO_DISPLAY(3, "video-display"),
    /** Reconfigurable logic. */
    FPGA(4, "fpga"),
    /** A disk or another block store. */
    STORAGE(5, "storage"),
    /** Any other device that an application stands for. */
    OTHER(6, "other");

    private static final DeviceKind[] VALUES = values();

    private final int code;
    private final String label;

    DeviceKind(final int code, final String label)
    {
        this.code = code;
        this.label = label;
    }

    /** {@return number of the kind in shared memory; 0 to 255} */
    public int code()
    {
        return code;
    }

    /** {@return name in configuration and command output; lower case with hyphens} */
    public String label()
    {
        return label;
    }

    /** Names that a configuration may use. */
    static List<String> labels()
    {
        return Arrays.stream(VALUES).filter(kind -> kind != NONE).map(DeviceKind::label).toList();
    }

    /**
     * The kind of a name.
     *
     * @param label from a configuration.
     * @return the kind.
     * @throws IllegalArgumentException if there is none of that name.
     */
    public static DeviceKind ofLabel(final String label)
    {
        for (final DeviceKind kind : VALUES)
        {
            if (kind.label.equals(label) && kind != NONE)
            {
                return kind;
            }
        }
        throw new IllegalArgumentException(
            "device kind=" + label + " is none of " + String.join(", ", labels()));
    }

    /**
     * The kind of a code in shared memory.
     *
     * @param code that a peer wrote.
     * @return the kind; {@link #OTHER} for a code that this version does not know.
     */
    public static DeviceKind ofCode(final int code)
    {
        for (final DeviceKind kind : VALUES)
        {
            if (kind.code == code)
            {
                return kind;
            }
        }
        return OTHER;
    }
}
