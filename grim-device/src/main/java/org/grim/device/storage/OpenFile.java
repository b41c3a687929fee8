// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.nio.channels.FileChannel;

import org.agrona.CloseHelper;
import org.grim.EndpointId;
import org.grim.MemoryRegion;

/**
 * A file that a client has open. Its window is its own: no other client's bytes stand there.
 * <p>Thread: the runner's; the channel belongs to the thread of the driver that does the file's jobs.
 */
final class OpenFile implements AutoCloseable
{
    final EndpointId owner;
    final FileChannel channel;
    /** Null for none. */
    final MemoryRegion window;

    /** Does the jobs of the file. */
    final int thread;

    OpenFile(final EndpointId owner, final FileChannel channel, final MemoryRegion window, final int thread)
    {
        this.thread = thread;
        this.owner = owner;
        this.channel = channel;
        this.window = window;
    }

    /** Returns whether an endpoint may use it: channels of an endpoint count as one. */
    boolean isOwnedBy(final EndpointId other)
    {
        return owner.node() == other.node() && owner.device() == other.device();
    }

    /** Not while a job of it is under way. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(channel, window);
    }
}
