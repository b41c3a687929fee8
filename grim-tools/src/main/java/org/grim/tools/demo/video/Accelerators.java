// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;

/**
 * Devices of the nodes of {@link DemoVideo}, by the nodes' names.
 * <p>Thread: the owner's.
 */
final class Accelerators
{
    private final Grim grim;
    private final Map<EndpointId, String> names = new HashMap<>();

    Accelerators(final Grim grim)
    {
        this.grim = grim;
    }

    /** Returns the accelerator of a node; null if it is not up. */
    EndpointId find(final String node)
    {
        final EndpointId device = find(node, NodeInfo.Device.ACCELERATOR, true);
        if (device != null)
        {
            names.put(device, node);
        }
        return device;
    }

    /** Returns the accelerator of a node; that of another one while it is not up. */
    EndpointId findAny(final String node)
    {
        final EndpointId device = find(node);
        return device != null ? device : DemoVideo.GPU_NAMES.stream().map(this::find).filter(Objects::nonNull)
            .findFirst().orElseThrow(() -> new GrimException(
                GrimException.Reason.UNREACHABLE, "no accelerator is up: " + DemoVideo.GPU_NAMES));
    }

    /** Returns the endpoint of a node's streams. */
    EndpointId streams(final String node)
    {
        final EndpointId device = find(node, NodeInfo.Device.OTHER, false);
        if (device == null)
        {
            throw new GrimException(GrimException.Reason.UNREACHABLE, "node " + node + " has no streams");
        }
        return device;
    }

    /** Returns the name of the node whose accelerator it is or was. */
    String name(final EndpointId device)
    {
        return names.getOrDefault(device, device.toString());
    }

    private EndpointId find(final String node, final NodeInfo.Device kind, final boolean isUp)
    {
        return grim.nodes().stream()
            .filter(each -> each.name().equals(node) && each.state() == NodeInfo.State.UP)
            .flatMap(each -> each.devices().stream())
            .filter(device -> device.kind() == kind && device.state() != DeviceInfo.State.GONE &&
                (!isUp || device.state() == DeviceInfo.State.UP))
            .map(DeviceInfo::endpoint).findFirst().orElse(null);
    }
}
