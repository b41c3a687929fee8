// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.device.DeviceRunner;

/** A store in a process of its own, until its standard input ends. */
final class StorageMain
{
    private StorageMain()
    {
    }

    /** Directory of clusters, and the root. */
    public static void main(final String[] args) throws IOException
    {
        try (Grim grim = Grim.enable(config(Path.of(args[0]), "store"));
            DeviceRunner runner =
                DeviceRunner.open(grim, DeviceSpec.of(NodeInfo.Device.STORAGE), Map.of("root", args[1])))
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
            .set("grim.handlers.resolve-timeout", "60s").build();
    }
}
