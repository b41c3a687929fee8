// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import org.agrona.CloseHelper;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

/**
 * The node that measures, and the processes beside it.
 * <p>Thread: one, the owner's of the host endpoint. Owns: the node, the processes and all files.
 */
final class Sides implements AutoCloseable
{
    final Grim grim;
    private final PrivateDirectory directory;
    private final Map<String, SecondJvm> processes = new LinkedHashMap<>();      // By name.

    /** Joins a cluster of its own. */
    Sides(final Path base)
    {
        directory = PrivateDirectory.create("grim-device-", base);
        Grim joined = null;
        try
        {
            joined = Grim.enable(DeviceSide.config(directory.path(), "first"));
        }
        finally
        {
            if (joined == null)
            {
                directory.close();
            }
        }
        grim = joined;
    }

    Path path()
    {
        return directory.path();
    }

    /** Starts a process, which is not ready yet. */
    void start(
        final String name, final NodeInfo.Device kind, final Map<String, String> options, final boolean hasSocket)
    {
        processes.put(name, SecondJvm.start(
            name, new DeviceSide.Task(directory.path(), name, kind.label(), options, hasSocket)));
    }

    /** Waits until all are ready. */
    void await()
    {
        processes.values().forEach(process -> process.awaitReady(() -> grim.endpoint().poll()));
    }

    /** Returns the number of a process. */
    long process(final String name)
    {
        return processes.get(name).processId();
    }

    /** Returns the device of a node. */
    EndpointId device(final String name)
    {
        return grim.nodes().stream().filter(node -> node.name().equals(name)).flatMap(node -> node.devices().stream())
            .filter(device -> device.endpoint().device() != 0).findFirst().orElseThrow(() -> new GrimException(
                GrimException.Reason.NOT_FOUND, "node " + name + " has no device")).endpoint();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(processes.values());
        CloseHelper.closeAll(grim, directory);
    }
}
