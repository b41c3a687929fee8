// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.ReceivedMessage;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * The endpoints of this node that handle multicasts of groups in the host endpoint's place: they put fragments together
 * and run the handlers, which see the sender as the source, and the receiver as the destination.
 * <p>Thread: the host endpoint's owner adds and removes; messages come on the thread of each receiver's owner.
 */
final class Receivers
{
    private final GroupTraffic traffic;
    private final HandlerTable handlers;
    private final HandlerErrors errors;
    private volatile Int2ObjectHashMap<Receiver> byGroup = new Int2ObjectHashMap<>();   // Copied to be changed.

    Receivers(final GroupTraffic traffic, final HandlerTable handlers, final HandlerErrors errors)
    {
        this.traffic = traffic;
        this.handlers = handlers;
        this.errors = errors;
    }

    /** Has an endpoint handle the multicasts of a membership from now on. */
    void add(final Roster first, final EndpointId id, final int lengthMax)
    {
        final Int2ObjectHashMap<Receiver> next = new Int2ObjectHashMap<>(byGroup);
        next.put(first.id(), new Receiver(first.epoch(), id, new Fragments(traffic, first, lengthMax)));
        byGroup = next;
    }

    /** The node has left the group: drops what was handed over and has not been handled. */
    void remove(final int groupId)
    {
        final Int2ObjectHashMap<Receiver> next = new Int2ObjectHashMap<>(byGroup);
        next.remove(groupId);
        byGroup = next;
    }

    /** A message that the host endpoint has handed over, on the receiver's thread. */
    void onMessage(final ReceivedMessage message)
    {
        final EndpointId source = message.source();
        if (source.node() != traffic.self() || source.device() != 0 || source.channel() != 0)
        {
            throw new GrimException(BAD_DATA, "multicast handed over by " + source + ", which is not this node's host");
        }
        final Receiver receiver = byGroup.get(message.argument(0));
        if (receiver != null && receiver.firstEpoch == message.argument(1) &&
            receiver.id.equals(message.destination()))
        {
            onFrame(receiver, message);
        }
    }

    private void onFrame(final Receiver receiver, final ReceivedMessage message)
    {
        final int length = message.length() - Multicasts.PREFIX_LENGTH;
        if (length < 0)
        {
            throw new GrimException(BAD_DATA, "multicast of length=" + message.length() + " is below " +
                Multicasts.PREFIX_LENGTH);
        }
        final MutableDirectBuffer prefix = receiver.prefix;
        prefix.putBytes(0, message.buffer(), message.offset(), Multicasts.PREFIX_LENGTH);
        if (prefix.getInt(Multicasts.HANDLER_OFFSET) != GroupTraffic.MULTICAST)
        {
            run(receiver, message, message.buffer(), message.offset() + Multicasts.PREFIX_LENGTH, length);
            return;
        }
        receiver.fragments.dropGone(System.nanoTime());
        final DirectBuffer whole = receiver.fragments.onFragment(prefix.getInt(Multicasts.ORIGIN_OFFSET),
            prefix.getInt(MessageHeader.ARGUMENTS_TWO_OFFSET + Integer.BYTES, ByteOrder.BIG_ENDIAN), message.buffer(),
            message.offset() + Multicasts.PREFIX_LENGTH, length);
        if (whole != null)
        {
            prefix.putBytes(0, whole, 0, Multicasts.PREFIX_LENGTH);
            run(receiver, message, whole, Multicasts.PREFIX_LENGTH, whole.capacity() - Multicasts.PREFIX_LENGTH);
        }
    }

    private void run(
        final Receiver receiver, final ReceivedMessage carrier, final DirectBuffer payload, final int offset,
        final int length)
    {
        final int id = receiver.prefix.getInt(Multicasts.HANDLER_OFFSET);
        final int origin = receiver.prefix.getInt(Multicasts.ORIGIN_OFFSET);
        final ActiveMessage.Handler handler = id < 0 ? null : handlers.handler(receiver.id.device(), id);
        if (handler == null || origin < 0 || origin >= traffic.directory().nodeCountMax())
        {
            throw new GrimException(BAD_DATA, "multicast of node=" + origin + " for handler=" + id +
                ", which nobody has registered at " + receiver.id);
        }
        final int sourceKey = GroupTraffic.key(origin);
        final ReceivedMessage carried =
            carrier.openCarried(receiver.prefix, 0, payload, offset, length, sourceKey, id);
        try
        {
            handler.onMessage(carried);
        }
        catch (final Throwable ex)          // Of the application's handler: the group goes on.
        {
            errors.onError(ex, id, FlowKey.of(sourceKey, receiver.id.key()));
        }
        finally
        {
            carried.close();
        }
    }

    /** An endpoint of one membership; fragments and prefix are its thread's. */
    private static final class Receiver
    {
        private final int firstEpoch;
        private final EndpointId id;
        private final Fragments fragments;
        private final MutableDirectBuffer prefix = Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH]);

        Receiver(final int firstEpoch, final EndpointId id, final Fragments fragments)
        {
            this.firstEpoch = firstEpoch;
            this.id = id;
            this.fragments = fragments;
        }
    }
}
