// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Objects;

/**
 * A device of a node in the directory at one moment. Any thread; immutable.
 *
 * @param endpoint     of the device on its first channel; links and replies go there.
 * @param kind         of device.
 * @param state        of the device.
 * @param channelCount channels of the device, from the first one on: 1 to {@value #CHANNEL_COUNT_MAX}.
 */
public record DeviceInfo(EndpointId endpoint, NodeInfo.Device kind, DeviceInfo.State state, int channelCount)
{
    /** Most channels of a device. */
    public static final int CHANNEL_COUNT_MAX = 16;

    /**
     * Checks a description.
     *
     * @param endpoint     of the device on its first channel.
     * @param kind         of device.
     * @param state        of the device.
     * @param channelCount channels of the device.
     * @throws IllegalArgumentException if the number of channels is out of its range.
     */
    public DeviceInfo
    {
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(state, "state");
        if (channelCount < 1 || channelCount > CHANNEL_COUNT_MAX)
        {
            throw new IllegalArgumentException(
                "device channel count=" + channelCount + " is outside 1 to " + CHANNEL_COUNT_MAX);
        }
    }

    /** State of a device. */
    public enum State
    {
        /** The device was closed, or its node has none of this number. */
        GONE(0),
        /** The device is being made ready: messages to it wait in its queues. */
        STARTING(1),
        /** The device handles messages. */
        UP(2),
        /** The device's driver has failed: the device answers, and does no work. */
        FAILED(3);

        private static final State[] VALUES = values();

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
            return code < 0 || code >= VALUES.length ? GONE : VALUES[code];
        }
    }
}
