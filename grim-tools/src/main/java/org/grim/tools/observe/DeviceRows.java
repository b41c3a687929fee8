// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.grim.DeviceInfo;
import org.grim.NodeInfo;
import org.grim.tools.report.Json;

/** Devices of a node, as reports show them. */
final class DeviceRows
{
    private DeviceRows()
    {
    }

    static List<Map<String, Object>> json(final NodeInfo node)
    {
        return node.devices().stream().map(device -> Json.object("device", device.endpoint().device(), "kind",
            device.kind().label(), "state", Json.label(device.state()), "firstChannel", device.endpoint().channel(),
            "channelCount", device.channelCount())).toList();
    }

    /** Returns the kinds, comma between; of peripheral devices also the state and the channels. */
    static String text(final NodeInfo node)
    {
        return node.devices().stream().map(DeviceRows::text).collect(Collectors.joining(","));
    }

    private static String text(final DeviceInfo device)
    {
        final int first = device.endpoint().channel();
        return device.endpoint().device() == 0 ? device.kind().label() : device.kind().label() + " " +
            Json.label(device.state()) + " on " + first +
            (device.channelCount() == 1 ? "" : "-" + (first + device.channelCount() - 1));
    }
}
