// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.FrameReceiver;
import org.grim.FrameSender;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRegion;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkContext;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.RemotePath;
import org.grim.memory.ForeignMemory;
import org.grim.memory.NodeMemory;

/**
 * Remote memory of one endpoint: registration, links and handles of reads.
 * <p>Thread: as {@link RemoteMemory} says.
 */
public final class EndpointMemory implements RemoteMemory
{
    private final EndpointState state;
    private final EndpointId owner;
    private final LinkTable links;
    private final NodeMemory regions;
    private final RemoteRefusals refusals;
    private final ReadHandles handles;
    private final Function<LinkContext, RemotePath> maker;

    /** Makes the remote memory of an endpoint. */
    public EndpointMemory(
        final EndpointState state, final IntSupplier poll, final LinkTable links, final NodeMemory regions,
        final RemoteRefusals refusals)
    {
        this.state = state;
        this.links = links;
        this.regions = regions;
        this.refusals = refusals;
        owner = state.id().device() == 0 ? EndpointId.of(state.id().node(), 0, 0) : state.id();
        handles = new ReadHandles(state, regions);
        maker = link -> links.naming(link.destination().node(),
            () -> new EndpointRemoteLink(link, poll, regions, handles, refusals));
    }

    @Override
    public MemoryRegion register(final long bytes)
    {
        return register(bytes, MemoryRegion.Rights.READ_WRITE);
    }

    @Override
    public MemoryRegion register(final long bytes, final MemoryRegion.Rights rights)
    {
        state.requireOpen();
        return ofOpen(regions.register(bytes, rights, owner));
    }

    @Override
    public MemoryRegion register(
        final Path file, final long offset, final int length, final MemoryRegion.Rights rights)
    {
        state.requireOpen();
        return ofOpen(regions.register(ForeignMemory.ofFile(file, offset, length), rights, owner));
    }

    @Override
    public MemoryRegion register(final AtomicBuffer memory, final MemoryRegion.Rights rights)
    {
        state.requireOpen();
        return ofOpen(regions.register(ForeignMemory.ofProcess(memory), rights, owner));
    }

    @Override
    public RemoteLink link(final EndpointId destination)
    {
        return remote(links.sourceChannelTo(destination), destination);
    }

    @Override
    public RemoteLink link(final int sourceChannel, final EndpointId destination)
    {
        return remote(sourceChannel, destination);
    }

    @Override
    public FrameReceiver receiveFrames(final int slotCount, final int frameLength)
    {
        state.checkOwner();
        state.requireOpen();
        return new WindowReceiver(this, slotCount, frameLength);
    }

    @Override
    public FrameSender sendFrames(final RemoteRegion window, final int frameLength)
    {
        final EndpointId destination = Objects.requireNonNull(window, "window").endpoint();
        final EndpointLink path = links.get(links.sourceChannelTo(destination), destination.key());
        return new WindowSender(state, this, refusals, path::isPeerGone, window, frameLength);
    }

    @Override
    public RemoteMemory.Read newRead()
    {
        return newAtomic();
    }

    @Override
    public RemoteMemory.Atomic newAtomic()
    {
        state.checkOwner();
        state.requireOpen();
        return handles.add();
    }

    @Override
    public void onRefused(final RemoteMemory.RefusalListener listener)
    {
        refusals.listener(listener);
    }

    /** The endpoint is closed, and its node stays. */
    public void close()
    {
        handles.close();
    }

    /** Any thread registers: a region that the owner's close may have missed is freed here. */
    private MemoryRegion ofOpen(final MemoryRegion region)
    {
        if (state.isClosed())
        {
            region.close();
            state.requireOpen();
        }
        return region;
    }

    private EndpointRemoteLink remote(final int sourceChannel, final EndpointId destination)
    {
        Objects.requireNonNull(destination, "destination");
        return (EndpointRemoteLink)links.get(sourceChannel, destination.key()).remote(maker);
    }
}
