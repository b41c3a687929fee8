// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Objects;

/**
 * A device that {@link Grim#openDevice} opens. Any thread; immutable.
 *
 * @param kind         of device.
 * @param firstChannel of the device; {@value #ANY_CHANNEL} for the first free run of channels.
 * @param channelCount channels of the device, in a row: 1 to {@value DeviceInfo#CHANNEL_COUNT_MAX}.
 */
public record DeviceSpec(NodeInfo.Device kind, int firstChannel, int channelCount)
{
    /** Leaves the choice of channels to the node. */
    public static final int ANY_CHANNEL = -1;

    /**
     * Checks a specification.
     *
     * @param kind         of device.
     * @param firstChannel of the device, or {@link #ANY_CHANNEL}.
     * @param channelCount channels of the device.
     * @throws IllegalArgumentException if the kind is no peripheral device's, or a number is out of its range.
     */
    public DeviceSpec
    {
        Objects.requireNonNull(kind, "kind");
        if (kind == NodeInfo.Device.NONE || kind == NodeInfo.Device.HOST_CPU)
        {
            throw new IllegalArgumentException("device kind=" + kind.label() + " cannot be opened");
        }
        if (firstChannel < ANY_CHANNEL || firstChannel > EndpointId.CHANNEL_MAX)
        {
            throw new IllegalArgumentException(
                "device channel=" + firstChannel + " is outside 0 to " + EndpointId.CHANNEL_MAX);
        }
        if (channelCount < 1 || channelCount > DeviceInfo.CHANNEL_COUNT_MAX)
        {
            throw new IllegalArgumentException(
                "device channel count=" + channelCount + " is outside 1 to " + DeviceInfo.CHANNEL_COUNT_MAX);
        }
    }

    /**
     * Names a device of one channel, which the node chooses.
     *
     * @param kind of device.
     * @return the specification.
     * @throws IllegalArgumentException if the kind is no peripheral device's.
     */
    public static DeviceSpec of(final NodeInfo.Device kind)
    {
        return new DeviceSpec(kind, ANY_CHANNEL, 1);
    }

    /**
     * Names the same device on other channels.
     *
     * @param first of the channels, or {@link #ANY_CHANNEL}.
     * @param count of channels.
     * @return the specification.
     * @throws IllegalArgumentException if a number is out of its range.
     */
    public DeviceSpec onChannels(final int first, final int count)
    {
        return new DeviceSpec(kind, first, count);
    }
}
