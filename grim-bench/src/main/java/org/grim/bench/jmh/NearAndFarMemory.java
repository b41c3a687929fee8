// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteRead;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.tools.process.PrivateDirectory;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Remote memory in one thread: of a node to itself over the null transport, or of a node to another one of the same JVM
 * over shared memory.
 * <p>Thread: one, the maker's. Owns: the nodes and their cluster.
 */
final class NearAndFarMemory implements AutoCloseable
{
    private static final int WORD_OFFSET = 0;
    private static final int DATA_OFFSET = SIZE_OF_LONG;

    private final PrivateDirectory directory = PrivateDirectory.create("grim-memory-", null);
    private final Grim near;
    private final Grim far;
    private final int size;
    private final MemoryRegion local;
    private final MemoryRegion remote;
    private final RemoteLink link;
    private final RemoteRead read;
    private final AtomicBuffer source;
    private int word;

    NearAndFarMemory(final String transport, final int size)
    {
        this.size = size;
        near = enable(transport, "near");
        far = "null".equals(transport) ? near : enable(transport, "far");
        local = near.memory().register(size);
        remote = far.memory().register(DATA_OFFSET + size);
        link = near.memory().link(far.endpoint().id());
        read = near.memory().newRead();
        source = Buffers.allocate(size);
    }

    /** Writes by virtual address, with a notification word; returns the word as it stands there. */
    int writeVirtual()
    {
        final long address = remote.virtualAddress();
        require(link.write(address + DATA_OFFSET, source, 0, size, address + WORD_OFFSET, ++word));
        return remote.buffer().getIntVolatile(WORD_OFFSET);
    }

    /** The same by physical address. */
    int writePhysical()
    {
        final long address = remote.physicalAddress();
        require(link.writePhysical(address + DATA_OFFSET, source, 0, size, address + WORD_OFFSET, ++word));
        return remote.buffer().getIntVolatile(WORD_OFFSET);
    }

    /** Reads, and waits until all bytes are there. */
    boolean read()
    {
        require(link.read(remote.virtualAddress() + DATA_OFFSET, local, 0, size, read));
        while (!read.isComplete())
        {
            near.poll();
        }
        return read.refusal() == null;
    }

    /** The last word that was written. */
    int word()
    {
        return word;
    }

    @Override
    public void close()
    {
        if (far != near)
        {
            far.close();
        }
        near.close();
        directory.close();
    }

    private Grim enable(final String transport, final String name)
    {
        return Grim.enable(GrimConfig.builder().nodeName(name).transports(transport).directory(directory.path())
            .set("grim.liveness.interval", "1m").build());
    }

    private static void require(final SendStatus status)
    {
        if (status != SendStatus.SENT)
        {
            throw new IllegalStateException("status=" + status);
        }
    }
}
