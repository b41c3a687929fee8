// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.peers.pair.SharedFile;

/** A peer that is a mapped file and nothing else. Owns: the file. */
abstract class MappedPeer implements Peer
{
    final AtomicBuffer outbound;
    final AtomicBuffer inbound;
    final MessageReceiver receiver;
    private final SharedFile file;

    MappedPeer(final Path path, final boolean isInitiator, final int length, final MessageReceiver receiver)
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
