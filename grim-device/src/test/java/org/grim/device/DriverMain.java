// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.CloseHelper;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.NodeInfo;

/** A device of each kind in a process of its own, until its standard input ends. */
final class DriverMain
{
    static final int WIDTH = 64;
    static final int HEIGHT = 48;
    static final List<NodeInfo.Device> KINDS = List.of(NodeInfo.Device.STORAGE, NodeInfo.Device.BRIDGE,
        NodeInfo.Device.VIDEO_CAPTURE, NodeInfo.Device.VIDEO_DISPLAY, NodeInfo.Device.ACCELERATOR);

    private DriverMain()
    {
    }

    /** Directory of clusters, hop, and the root of the store. */
    public static void main(final String[] args) throws IOException
    {
        try (Grim grim = Grim.enable(DriverContract.config(
            Path.of(args[0]), DriverContract.Hop.valueOf(args[1]), DriverContract.NODE)))
        {
            final List<DeviceRunner> runners = serve(grim, Path.of(args[2]));
            grim.startPolling();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
            CloseHelper.closeAll(runners);
        }
    }

    /** Opens the devices, each on a thread of its own. */
    static List<DeviceRunner> serve(final Grim grim, final Path root)
    {
        final List<DeviceRunner> runners = new ArrayList<>();
        for (final NodeInfo.Device kind : KINDS)
        {
            final DeviceRunner runner = DeviceRunner.open(grim, DeviceSpec.of(kind).onChannels(
                DeviceSpec.ANY_CHANNEL, kind == NodeInfo.Device.ACCELERATOR ? 2 : 1), options(kind, root));
            runner.start();
            runners.add(runner);
        }
        return runners;
    }

    private static Map<String, String> options(final NodeInfo.Device kind, final Path root)
    {
        final String size = WIDTH + "x" + HEIGHT;
        return switch (kind)
        {
            case STORAGE -> Map.of("root", root.toString(), "window", "65536");
            case BRIDGE -> Map.of("allow", DriverContract.NOTE);
            case VIDEO_CAPTURE -> Map.of("size", size, "format", "mono", "rate", "0");
            case VIDEO_DISPLAY -> Map.of("size", size);
            default -> Map.of();
        };
    }
}
