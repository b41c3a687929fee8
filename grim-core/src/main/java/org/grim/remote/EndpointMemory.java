// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.function.IntSupplier;

import org.grim.EndpointId;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkTable;
import org.grim.memory.NodeMemory;

/**
 * Remote memory of one endpoint: registration, links and handles of reads.
 * <p>Thread: as {@link RemoteMemory} says.
 */
public final class EndpointMemory implements RemoteMemory
{
    private final EndpointState state;
    private final IntSupplier poll;
    private final LinkTable links;
    private final NodeMemory regions;
    private final RemoteRefusals refusals;
    private final ReadHandles handles;

    /** Makes the remote memory of an endpoint. */
    public EndpointMemory(
        final EndpointState state, final IntSupplier poll, final LinkTable links, final NodeMemory regions,
        final RemoteRefusals refusals)
    {
        this.state = state;
        this.poll = poll;
        this.links = links;
        this.regions = regions;
        this.refusals = refusals;
        handles = new ReadHandles(state, regions);
    }

    @Override
    public MemoryRegion register(final long bytes)
    {
        return register(bytes, MemoryRegion.Rights.READ_WRITE);
    }

    @Override
    public MemoryRegion register(final long bytes, final MemoryRegion.Rights rights)
    {
        return regions.register(bytes, rights);
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

    private EndpointRemoteLink remote(final int sourceChannel, final EndpointId destination)
    {
        final EndpointLink link = links.get(sourceChannel, destination.key());
        return link.remote() instanceof final EndpointRemoteLink known ? known : attach(link);
    }

    private EndpointRemoteLink attach(final EndpointLink link)
    {
        final EndpointRemoteLink made = new EndpointRemoteLink(link, poll, regions, handles, refusals);
        link.attach(made);
        return made;
    }
}
