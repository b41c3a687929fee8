// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.FarNode;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.ProcessCluster;
import org.grim.SendStatus;
import org.grim.TransportCluster;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Shared memory needs no native library: two processes whose class path has no jar of JNR. */
@Tag("process")
final class WithoutJnrIT
{
    private static final int MESSAGE_COUNT = 100;

    private final AtomicBuffer payload = Buffers.allocate(64);

    @TempDir
    private Path directory;

    @Test
    void shouldExchangeMessagesWithoutAnyJarOfJnr()
    {
        // The far process is started with the class path of this one.
        assertThrows(ClassNotFoundException.class, () -> Class.forName("jnr.ffi.LibraryLoader"));
        assertThrows(ClassNotFoundException.class, () -> Class.forName("com.kenai.jffi.Library"));
        assertFalse(System.getProperty("java.class.path").matches(".*/(jnr|jffi)[^/:]*\\.jar.*"));
        final Map<String, Object> settings = new HashMap<>();
        settings.put("grim.transports", List.of("shmem"));
        settings.put("grim.cluster.directory", directory.toString());

        try (TransportCluster cluster = ProcessCluster.start(settings, 0))
        {
            final Grim near = cluster.near();
            await(cluster, () -> near.handlers().tryResolve(FarNode.RECORD) != null);
            final HandlerId record = near.handlers().tryResolve(FarNode.RECORD);
            final Link link = near.endpoint().link(near.locate("far").onChannel(0));
            for (int i = 0; i < MESSAGE_COUNT; i++)
            {
                final int sequence = i;
                await(cluster, () -> link.send(record, sequence, 0, 0, 0, payload, 0, 0) == SendStatus.SENT);
            }
            await(cluster, () -> cluster.far("received 0").equals(Integer.toString(MESSAGE_COUNT)));

            assertEquals("count=100 outOfOrder=0 corrupt=0", cluster.far("history 0"));
        }
    }

    private static void await(final TransportCluster cluster, final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!isSo.getAsBoolean())
        {
            if (cluster.pollNear() == 0)
            {
                LockSupport.parkNanos(50_000);
            }
            assertTrue(System.nanoTime() - deadlineNs < 0, "waited in vain");
        }
    }
}
