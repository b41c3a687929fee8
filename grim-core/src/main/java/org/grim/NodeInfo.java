// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Arrays;
import java.util.List;

/**
 * State of a node in the directory at one moment.
 *
 * @param number         virtual node number (VNN), from 0.
 * @param name           unique among the nodes that are not gone.
 * @param state          joining, up or gone.
 * @param incarnation    which life of this number, from 1.
 * @param processId      for display only.
 * @param channelCount   logical channels.
 * @param transports     names of the transports that it has opened.
 * @param devices        devices that are not gone, by number; device 0 is the host CPU.
 * @param heartbeatMs    when it last did its housekeeping, ms since the epoch.
 * @param host           label of its host ({@code grim.node.host}).
 * @param goneReason     why it is gone; {@link GoneReason#NONE} unless it is.
 */
public record NodeInfo(
    int number,
    String name,
    NodeInfo.State state,
    int incarnation,
    long processId,
    int channelCount,
    List<String> transports,
    List<DeviceInfo> devices,
    long heartbeatMs,
    String host,
    NodeInfo.GoneReason goneReason)
{
    /**
     * Checks that the state and the reason fit together.
     *
     * @param number         virtual node number (VNN), from 0.
     * @param name           of the node.
     * @param state          joining, up or gone.
     * @param incarnation    which life of this number, from 1.
     * @param processId      for display only.
     * @param channelCount   logical channels.
     * @param transports     names of the transports that it has opened.
     * @param devices        devices that are not gone, by number.
     * @param heartbeatMs    when it last did its housekeeping, ms since the epoch.
     * @param host           label of its host.
     * @param goneReason     why it is gone.
     * @throws IllegalArgumentException if a node is gone without a reason, or has a reason and is not gone.
     */
    public NodeInfo
    {
        if ((state == State.GONE) == (goneReason == GoneReason.NONE))
        {
            throw new IllegalArgumentException("goneReason=" + goneReason + " does not fit state=" + state);
        }
    }

    /** {@return what the node's host CPU is reached by: its endpoint on channel 0} */
    public EndpointId endpoint()
    {
        return EndpointId.of(number, 0, 0);
    }

    /** Where a node is in its life. */
    public enum State
    {
        /** The number was never used. */
        FREE(0),
        /** It has its number and opens its transports; nobody can send to it yet. */
        JOINING(1),
        /** It can be sent to. */
        UP(2),
        /** It left or died, see {@link GoneReason}; its number and name can be taken again, by a new incarnation. */
        GONE(3);

        private final int code;

        State(final int code)
        {
            this.code = code;
        }

        /** {@return number of the state in shared memory; 0 to 15} */
        public int code()
        {
            return code;
        }

        /**
         * The state of a number from shared memory.
         *
         * @param code that a peer wrote.
         * @return the state; {@link #GONE} for a number that means nothing.
         */
        public static State ofCode(final int code)
        {
            return switch (code)
            {
                case 0 -> FREE;
                case 1 -> JOINING;
                case 2 -> UP;
                default -> GONE;
            };
        }
    }

    /** Why a node is gone, as far as the host of the node that asks knows it. */
    public enum GoneReason
    {
        /** It is not gone. */
        NONE(0),
        /** Its process ended or was killed without {@link Grim#close()}: the kernel of its host says so. */
        DIED(State.GONE.code()),
        /** It left in order, by {@link Grim#close()}. */
        LEFT(4),
        /**
         * The other hosts of the cluster gave up its host, which is this node's host, too. It may be alive, but is no
         * member any more.
         */
        FENCED(5),
        /**
         * Its host cannot be reached and was given up: the host, its last agent or the network to it failed, or the
         * other hosts gave up this node's host. Whether its process is alive is not known here.
         */
        UNREACHABLE(6),
        /** Not known any more: its number has had several further incarnations since, or its host did not say. */
        UNKNOWN(7);

        private static final GoneReason[] VALUES = values();

        private final int code;

        GoneReason(final int code)
        {
            this.code = code;
        }

        /** {@return number of the state in shared memory that says both gone and why; 0 for none} */
        public int code()
        {
            return code;
        }

        /**
         * The reason of a state's number from shared memory.
         *
         * @param code that a peer wrote.
         * @return the reason; {@link #NONE} if the state is not gone, {@link #UNKNOWN} for a number that means nothing.
         */
        public static GoneReason ofCode(final int code)
        {
            if (State.ofCode(code) != State.GONE)
            {
                return NONE;
            }
            for (final GoneReason reason : VALUES)
            {
                if (reason.code == code)
                {
                    return reason;
                }
            }
            return UNKNOWN;
        }
    }

    /** Kind of an endpoint's device. */
    public enum Device
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
        OTHER(6, "other"),
        /** A connection to programs outside of the cluster. */
        BRIDGE(7, "bridge"),
        /** A processor that runs kernels on what arrives. */
        ACCELERATOR(8, "accelerator");

        private static final Device[] VALUES = values();

        private final int code;
        private final String label;

        Device(final int code, final String label)
        {
            this.code = code;
            this.label = label;
        }

        /** {@return number of the kind in shared memory; 0 to 255} */
        public int code()
        {
            return code;
        }

        /** {@return name in commands and their output; lower case with hyphens} */
        public String label()
        {
            return label;
        }

        /** Names that a command may use. */
        static List<String> labels()
        {
            return Arrays.stream(VALUES).filter(kind -> kind != NONE).map(Device::label).toList();
        }

        /**
         * The kind of a name.
         *
         * @param label from a command.
         * @return the kind.
         * @throws IllegalArgumentException if there is none of that name.
         */
        public static Device ofLabel(final String label)
        {
            for (final Device kind : VALUES)
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
        public static Device ofCode(final int code)
        {
            for (final Device kind : VALUES)
            {
                if (kind.code == code)
                {
                    return kind;
                }
            }
            return OTHER;
        }
    }
}
