// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/** A node whose memory stands in files, and another that reaches it. Thread: one. */
final class MemoryFixture implements AutoCloseable
{
    static final int OWNER = 1;
    static final int INITIATOR = 2;
    static final int OTHER = 3;
    static final MemorySettings SETTINGS = new MemorySettings(2048 * PAGE_LENGTH, 64 * PAGE_LENGTH, 32, 4);

    final MemberNode ownerNode = MemberNode.first();
    final MemberNode initiatorNode = ownerNode.other(INITIATOR);
    final NodeMemory owner;
    final NodeMemory initiator;
    final MemoryPeers ownerPeers;
    final MemoryPeers peers;
    final MemoryHop hop;
    final List<String> refused = new ArrayList<>();
    private final Path directory;

    MemoryFixture(final Path directory)
    {
        this(directory, SETTINGS);
    }

    MemoryFixture(final Path directory, final MemorySettings settings)
    {
        this.directory = directory;
        owner = newMemory(ownerNode, settings);
        initiator = newMemory(initiatorNode, settings);
        ownerPeers = new MemoryPeers(owner, ownerNode, this::path);
        peers = new MemoryPeers(initiator, initiatorNode, this::path);
        hop = connect();
    }

    NodeMemory newMemory(final MemberNode node, final MemorySettings settings)
    {
        return NodeMemory.inFiles(settings, node, this::path, null, (regions, registered, quarantined) ->
        {
        });
    }

    Path path(final int node, final int incarnation, final String kind)
    {
        return directory.resolve("node-" + node + "-" + incarnation + "." + kind);
    }

    MemoryHop connect()
    {
        return peers.connect(0, OWNER, new PathToNode(initiatorNode, OWNER));
    }

    SendStatus write(final boolean isPhysical, final long address, final byte[] bytes, final long wordAddress,
        final int word)
    {
        return hop.tryWrite(isPhysical, address, Buffers.wrap(bytes), 0, bytes.length, wordAddress, word, 7);
    }

    /** Returns the refusals since the last call, as text. */
    List<String> drain()
    {
        refused.clear();
        hop.drainRefusals((ticket, address, length, reason) -> refused.add(ticket + " " + length + " " + reason));
        return List.copyOf(refused);
    }

    RemoteRefusal reasonOf(final boolean isPhysical, final long address, final int length, final long wordAddress)
    {
        final RemoteRefusal[] reasons = new RemoteRefusal[1];
        final AtomicBuffer source = Buffers.wrap(new byte[length]);
        source.setMemory(0, length, (byte)-1);
        final SendStatus status = hop.tryWrite(isPhysical, address, source, 0, length, wordAddress, -1, 7);
        hop.drainRefusals((ticket, first, count, reason) -> reasons[0] = reason);
        return status == SendStatus.SENT ? reasons[0] : null;
    }

    @Override
    public void close()
    {
        peers.close();
        ownerPeers.close();
        initiator.close();
        owner.close();
    }
}
