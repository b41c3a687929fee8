// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.SharedFile;

/** A peer that is a mapped file and nothing else. Owns: the file. */
public abstract class MappedPeer implements Peer
{
    /** The queue that the other side reads. */
    protected final AtomicBuffer outbound;
    /** The queue that the other side writes. */
    protected final AtomicBuffer inbound;
    /** Takes what comes. */
    protected final MessageReceiver receiver;
    private final SharedFile file;

    /**
     * Maps the file.
     *
     * @param path        of the file.
     * @param isInitiator whether this is the first process, which makes it.
     * @param length      bytes of one direction.
     * @param receiver    of what comes.
     */
    protected MappedPeer(
        final Path path, final boolean isInitiator, final int length, final MessageReceiver receiver)
    {
        file = new SharedFile(path, isInitiator, length);
        outbound = file.outbound();
        inbound = file.inbound();
        this.receiver = receiver;
    }

    @Override
    public final void close()
    {
        file.close();
    }
}
