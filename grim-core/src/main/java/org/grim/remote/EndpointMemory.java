// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.EndpointId;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRead;
import org.grim.SendStatus;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkTable;
import org.grim.memory.NodeMemory;

/**
 * Remote memory of one endpoint: registration, links, blocking writes and handles of reads.
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
    private final MemoryTransfer blocking = new MemoryTransfer();

    /**
     * Makes the remote memory of an endpoint.
     *
     * @param state    of the endpoint.
     * @param poll     of the endpoint.
     * @param links    of the endpoint.
     * @param regions  of the node.
     * @param refusals of the endpoint.
     */
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
    public SendStatus write(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination).write(remoteAddress, source, offset, length, notificationAddress, notificationValue);
    }

    @Override
    public SendStatus writePhysical(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination)
            .writePhysical(remoteAddress, source, offset, length, notificationAddress, notificationValue);
    }

    @Override
    public SendStatus read(
        final EndpointId destination, final long remoteAddress, final MemoryRegion target, final long targetOffset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination)
            .read(remoteAddress, target, targetOffset, length, notificationAddress, notificationValue);
    }

    @Override
    public SendStatus read(
        final EndpointId destination, final long remoteAddress, final MemoryRegion target, final long targetOffset,
        final int length, final RemoteRead completion)
    {
        return link(destination).read(remoteAddress, target, targetOffset, length, completion);
    }

    @Override
    public SendStatus writeBlocking(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final IdleStrategy idleStrategy)
    {
        state.requireOutsideHandler("writeBlocking");
        return writeBlocking(false, destination, remoteAddress, source, offset, length, notificationAddress,
            notificationValue, idleStrategy);
    }

    @Override
    public SendStatus writePhysicalBlocking(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final IdleStrategy idleStrategy)
    {
        state.requireOutsideHandler("writePhysicalBlocking");
        return writeBlocking(true, destination, remoteAddress, source, offset, length, notificationAddress,
            notificationValue, idleStrategy);
    }

    @Override
    public RemoteRead newRead()
    {
        state.checkOwner();
        return handles.add();
    }

    @Override
    public void onRefused(final RemoteMemory.RefusalListener listener)
    {
        refusals.listener(listener);
    }

    private SendStatus writeBlocking(
        final boolean isPhysical, final EndpointId destination, final long remoteAddress, final DirectBuffer source,
        final int offset, final int length, final long notificationAddress, final int notificationValue,
        final IdleStrategy idleStrategy)
    {
        final EndpointRemoteLink link = remote(links.sourceChannelTo(destination), destination);
        link.beginBlocking(blocking, isPhysical, remoteAddress, source, offset, length);
        blocking.notification(notificationAddress, notificationValue);
        try
        {
            SendStatus status = link.tryAdvance(blocking);
            while (status == SendStatus.BACK_PRESSURED)
            {
                idleStrategy.idle(poll.getAsInt());
                status = link.tryAdvance(blocking);
            }
            return status;
        }
        finally
        {
            blocking.end();
        }
    }

    private EndpointRemoteLink remote(final int sourceChannel, final EndpointId destination)
    {
        final EndpointLink link = links.get(sourceChannel, destination.key());
        return link.remote() instanceof final EndpointRemoteLink known ? known : attach(link);
    }

    private EndpointRemoteLink attach(final EndpointLink link)
    {
        final EndpointRemoteLink made = new EndpointRemoteLink(link, regions, handles, refusals);
        link.attach(made);
        return made;
    }
}
