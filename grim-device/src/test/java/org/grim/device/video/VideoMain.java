// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.device.DeviceRunner;

/** A video device in a process of its own, until its standard input ends. */
final class VideoMain
{
    private VideoMain()
    {
    }

    /** Directory of clusters, name of the node, kind of the device, and its options. */
    public static void main(final String[] args) throws IOException
    {
        final Map<String, String> options = new HashMap<>();
        for (int i = 3; i < args.length; i++)
        {
            options.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
        }
        try (Grim grim = Grim.enable(config(Path.of(args[0]), args[1]));
            DeviceRunner runner = DeviceRunner.open(grim, DeviceSpec.of(NodeInfo.Device.ofLabel(args[2])), options))
        {
            grim.startPolling();
            runner.start();
            grim.start();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    static GrimConfig config(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.channels.count", 4).build();
    }
}
