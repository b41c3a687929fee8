// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.transport.MemoryHop;

/**
 * A process that writes to one region of another node over and over, as fast as it can, until it is killed or its
 * standard input ends.
 */
public final class WriterMain
{
    static final byte BYTE = 7;

    private WriterMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory, number of the owner, its region's physical address and length.
     */
    public static void main(final String[] arguments)
    {
        final ClusterFiles files = new ClusterFiles(Path.of(arguments[0]));
        final ClusterDirectory membership = join(files, "writer");
        final NodeMemory own = newMemory(membership, files);
        final int owner = Integer.parseInt(arguments[1]);
        final long address = Long.parseLong(arguments[2]);
        final int length = Integer.parseInt(arguments[3]);
        final MemoryHop hop = new MemoryPeers(own, membership, files::ofNode)
            .connect(0, owner, new PathToNode(membership, owner));
        final AtomicBuffer source = Buffers.allocate(length);
        source.setMemory(0, length, BYTE);
        startWatch();
        while (true)
        {
            hop.tryWrite(true, address, source, 0, length, MemoryHop.NO_NOTIFICATION, 0, 0);
            hop.drainRefusals((ticket, remoteAddress, count, reason) ->
            {
            });
        }
    }

    static ClusterDirectory join(final ClusterFiles files, final String name)
    {
        final ClusterDirectory directory = ClusterDirectory.join(
            files, 4, new NodeDescription("local", name, 1, List.of("shmem")));
        directory.up();
        return directory;
    }

    static NodeMemory newMemory(final ClusterDirectory membership, final ClusterFiles files)
    {
        return NodeMemory.inFiles(StoppedWriterIT.SETTINGS, membership, files::ofNode, null,
            (regions, registered, quarantined) ->
            {
            });
    }

    private static void startWatch()
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                final BufferedReader input = new BufferedReader(
                    new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
                while (input.readLine() != null)
                {
                    Thread.onSpinWait();
                }
            }
            catch (final IOException ex)
            {
                Runtime.getRuntime().halt(1);
            }
            Runtime.getRuntime().halt(0);
        });
        thread.setDaemon(true);
        thread.start();
    }
}
