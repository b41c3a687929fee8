// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/**
 * Devices of the far node, by a name that a test gives: {@code open NAME KIND CHANNEL COUNT}, {@code known NAME}
 * (whether its handlers have ids, without which it refuses messages), {@code state NAME STATE}, {@code pause NAME
 * CHANNEL}, {@code resume NAME CHANNEL}, {@code pause-after NAME COUNT}, {@code region NAME LENGTH}, {@code
 * region-of-file NAME FILE}, {@code send NAME ENDPOINT HANDLER}, {@code close NAME}; and endpoints: {@code endpoint
 * CHANNEL}.
 * <p>Thread: the far node's, which polls them all.
 */
final class FarDevices
{
    /** Replies to handler a0 with arguments a1 to a3 and the same payload, as the device. */
    static final String ECHO = "far.device-echo";
    /** Records the message, on a device only, and pauses the device's channel when the count has come. */
    static final String RECORD = "far.device-record";

    private final ActiveMessage.Handler record;
    private final Map<String, DeviceEndpoint> devices = new HashMap<>();
    private final List<Endpoint> polled = new ArrayList<>();
    private final AtomicBuffer payload = Buffers.allocate(8);
    private int pauseCount = Integer.MAX_VALUE;

    FarDevices(final ActiveMessage.Handler record)
    {
        this.record = record;
    }

    int step()
    {
        int count = 0;
        for (final Endpoint endpoint : polled)
        {
            count += endpoint.poll();
        }
        return count;
    }

    /** The node has left. */
    void forget()
    {
        devices.clear();
        polled.clear();
    }

    String run(final Grim grim, final String... words)
    {
        final String name = words[1];
        return switch (words[0])
        {
            case "open" -> open(grim, name, DeviceSpec.of(NodeInfo.Device.ofLabel(words[2]))
                .onChannels(Integer.parseInt(words[3]), Integer.parseInt(words[4])));
            case "endpoint" -> Boolean.toString(polled.add(grim.openEndpoint(Integer.parseInt(name))));
            case "known" -> Boolean.toString(devices.get(name).handlers().id(RECORD).isKnown() &&
                devices.get(name).handlers().id(ECHO).isKnown());
            case "state" -> state(devices.get(name), DeviceInfo.State.valueOf(words[2]));
            case "pause" -> pause(devices.get(name), Integer.parseInt(words[2]));
            case "resume" -> resume(devices.get(name), Integer.parseInt(words[2]));
            case "pause-after" -> pauseAfter(Integer.parseInt(words[2]));
            case "region" -> region(devices.get(name).memory().register(Integer.parseInt(words[2])).remote());
            case "region-of-file" -> regionOfFile(devices.get(name).memory(), Path.of(words[2]));
            case "send" -> devices.get(name).link(EndpointId.ofKey(Integer.parseInt(words[2])))
                .send(HandlerId.of(Integer.parseInt(words[3])), 7, 8, 9, 10, payload, 0, 8).toString();
            case "close" -> close(devices.remove(name));
            default -> throw new IllegalArgumentException("device command=" + words[0] + " is unknown");
        };
    }

    /** Returns the region that {@link #region} named. */
    static RemoteRegion region(final String hex)
    {
        final byte[] bytes = HexFormat.of().parseHex(hex);
        return RemoteRegion.readFrom(Buffers.wrap(bytes), 0, bytes.length);
    }

    private static String regionOfFile(final RemoteMemory memory, final Path file)
    {
        try
        {
            return region(memory.register(file, 4_096, 8_192, MemoryRegion.Rights.READ_WRITE).remote());
        }
        catch (final GrimException ex)
        {
            return ex.reason() + " " + ex.getMessage();
        }
    }

    private static String state(final DeviceEndpoint device, final DeviceInfo.State state)
    {
        device.state(state);
        return device.info().state().toString();
    }

    private static String pause(final DeviceEndpoint device, final int channel)
    {
        device.pause(channel);
        return "paused";
    }

    private String pauseAfter(final int count)
    {
        pauseCount = count;
        return "pauses";
    }

    private String resume(final DeviceEndpoint device, final int channel)
    {
        pauseCount = Integer.MAX_VALUE;
        device.resume(channel);
        return "resumed";
    }

    private String close(final DeviceEndpoint device)
    {
        polled.remove(device);
        device.close();
        return "closed";
    }

    private static String region(final RemoteRegion region)
    {
        final byte[] bytes = new byte[RemoteRegion.LENGTH];
        region.writeTo(Buffers.wrap(bytes), 0);
        return HexFormat.of().formatHex(bytes);
    }

    private String open(final Grim grim, final String name, final DeviceSpec spec)
    {
        final DeviceEndpoint device = grim.openDevice(spec);
        devices.put(name, device);
        polled.add(device);
        device.handlers().register(RECORD, message ->
        {
            record.onMessage(message);
            pauseCount--;
            if (pauseCount == 0)
            {
                device.pause(message.destination().channel());
            }
        });
        device.handlers().register(ECHO, message -> message.reply(HandlerId.of(message.argument(0)),
            message.argument(1), message.argument(2), message.argument(3), 0, message.buffer(), message.offset(),
            message.length()));
        return Integer.toString(device.id().key());
    }
}
