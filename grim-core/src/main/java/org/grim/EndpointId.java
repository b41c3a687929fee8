// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * The name of a communication endpoint on one logical channel: node (0 to 4,095), device (0 to 15, 0 is the host CPU)
 * and channel (0 to 255). Immutable; any thread.
 */
public final class EndpointId
{
    /** Largest node number. */
    public static final int NODE_MAX = (1 << 12) - 1;
    /** Largest device number. */
    public static final int DEVICE_MAX = (1 << 4) - 1;
    /** Largest channel number. */
    public static final int CHANNEL_MAX = (1 << 8) - 1;

    private final int node;
    private final int device;
    private final int channel;

    private EndpointId(final int node, final int device, final int channel)
    {
        this.node = node;
        this.device = device;
        this.channel = channel;
    }

    /**
     * Names an endpoint.
     *
     * @param node    virtual node number, 0 to {@value #NODE_MAX}.
     * @param device  device of that node, 0 (host CPU) to {@value #DEVICE_MAX}.
     * @param channel logical channel of that device, 0 to {@value #CHANNEL_MAX}.
     * @return the name.
     * @throws IllegalArgumentException if a number is out of its range.
     */
    public static EndpointId of(final int node, final int device, final int channel)
    {
        checkRange("node", node, NODE_MAX);
        checkRange("device", device, DEVICE_MAX);
        checkRange("channel", channel, CHANNEL_MAX);
        return new EndpointId(node, device, channel);
    }

    /**
     * The endpoint that a {@link #key()} names.
     *
     * @param key 24 bits: node (12), device (4), channel (8).
     * @return the name.
     */
    public static EndpointId ofKey(final int key)
    {
        return of(key >>> 12, key >>> 8 & DEVICE_MAX, key & CHANNEL_MAX);
    }

    /** {@return virtual node number; 0 to {@value #NODE_MAX}} */
    public int node()
    {
        return node;
    }

    /** {@return device of the node; 0 to {@value #DEVICE_MAX}} */
    public int device()
    {
        return device;
    }

    /** {@return logical channel of the device; 0 to {@value #CHANNEL_MAX}} */
    public int channel()
    {
        return channel;
    }

    /** {@return node and device as they stand in the message format; 16 bits: node (12), device (4)} */
    public int address()
    {
        return node << 4 | device;
    }

    /** {@return the whole name in an int, for tables; 24 bits: node (12), device (4), channel (8)} */
    public int key()
    {
        return address() << 8 | channel;
    }

    /**
     * The same endpoint on another channel.
     *
     * @param otherChannel 0 to {@value #CHANNEL_MAX}.
     * @return the name.
     */
    public EndpointId onChannel(final int otherChannel)
    {
        return of(node, device, otherChannel);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final EndpointId id && id.key() == key();
    }

    @Override
    public int hashCode()
    {
        return key();
    }

    @Override
    public String toString()
    {
        return "endpoint(node=" + node + " device=" + device + " channel=" + channel + ")";
    }

    private static void checkRange(final String what, final int value, final int max)
    {
        if (value < 0 || value > max)
        {
            throw new IllegalArgumentException(what + "=" + value + " is outside 0 to " + max);
        }
    }
}
