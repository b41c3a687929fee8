// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.DirectBuffer;
import org.grim.board.QueueFormat;
import org.grim.ni.board.Action;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.ReceiveEngine;
import org.grim.ni.board.Routes;
import org.grim.ni.control.SynchroniseMessage;
import org.grim.ni.delivery.ReceiveTriple;
import org.grim.ni.delivery.ReliableDelivery;
import org.grim.ni.delivery.ReliableReceiver;
import org.grim.ni.event.DropReason;
import org.grim.ni.event.NiListener;
import org.grim.ni.memory.Delivery;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Takes packets from the wire, one at a time: judges the header as soon as it is there, hands the message to its
 * delivery while the rest arrives (cut-through), and answers. The packet's room is freed when the host has its bytes.
 * <p>Thread: the board's stepper.
 */
final class Receiver
{
    private static final int NODE_SHIFT = 4;

    private final ReceiveEngine engine;
    private final HostEngine hostEngine;
    private final ActionMeter meter;
    private final ReliableDelivery delivery;
    private final ReliableReceiver receiver;
    private final Deliveries deliveries;
    private final Routes routes;
    private final NiListener listener;
    private final int niNumber;
    private final long[] dropCounts = new long[DropReason.count()];
    private State state = State.IDLE;
    private Delivery current;
    private ReceiveTriple triple;
    private long first;
    private long second;
    private int sourceNi;
    private int passedLength;
    private boolean isAcceptPending;

    /** Message under way. */
    private enum State
    {
        /** No packet, or one that was not looked at. */
        IDLE,
        /** A message is handed to the host while it arrives. */
        DELIVERING,
        /** A message was handed over, and the host engine still reads it. */
        DRAINING
    }

    Receiver(
        final ReceiveEngine engine, final HostEngine hostEngine, final ActionMeter meter,
        final ReliableDelivery delivery, final Deliveries deliveries, final Routes routes, final int niNumber,
        final NiListener listener)
    {
        this.engine = engine;
        this.hostEngine = hostEngine;
        this.meter = meter;
        this.delivery = delivery;
        receiver = delivery.receiver();
        this.deliveries = deliveries;
        this.routes = routes;
        this.niNumber = niNumber;
        this.listener = listener;
    }

    int receive(final long nowNs)
    {
        return switch (state)
        {
            case IDLE -> engine.hasPacket() && judge(nowNs) ? 1 : 0;
            case DELIVERING -> deliver();
            case DRAINING -> drain();
        };
    }

    /** Whether a message for one of some channels, or from them, is in the host engine's hands. */
    boolean isServing(final int firstChannel, final int count)
    {
        final int channel = MessageHeader.destinationChannel(second);
        return state != State.IDLE && (deliveries.isMulticast(current) ||
            (channel >= firstChannel && channel < firstChannel + count));
    }

    /** Whether no message is being handed to a host, and no transfer of one under way. */
    boolean isIdle()
    {
        return state == State.IDLE;
    }

    /** Packets that were dropped for a reason. */
    long dropCount(final DropReason reason)
    {
        return dropCounts[reason.code()];
    }

    private boolean judge(final long nowNs)
    {
        final DirectBuffer packet = engine.buffer();
        final int offset = engine.offset();
        final int length = engine.length();
        if (engine.arrivedLength() < neededLength(packet, offset, length))
        {
            if (!engine.isCut())
            {
                return false;
            }
            drop(-1, DropReason.CUT);
            return true;
        }
        meter.spend(Action.DECODE_HEADER);
        if (length < SIZE_OF_LONG)
        {
            drop(-1, DropReason.MALFORMED);
            return true;
        }
        first = packet.getLong(offset, BIG_ENDIAN);
        if (length == ControlMessage.LENGTH)
        {
            onAnswer(nowNs);
            return true;
        }
        if (length < MessageHeader.LENGTH)
        {
            drop(-1, DropReason.MALFORMED);
            return true;
        }
        second = packet.getLong(offset + SIZE_OF_LONG, BIG_ENDIAN);
        final int payloadLength = MessageHeader.payloadLength(first, second);
        final int paddedLength = (payloadLength + QueueFormat.ALIGNMENT - 1) & -QueueFormat.ALIGNMENT;
        if (MessageHeader.invalid(first, second, MessageHeader.PAYLOAD_LENGTH_MAX) != null ||
            length != MessageHeader.LENGTH + paddedLength)
        {
            drop(-1, DropReason.MALFORMED);
            return true;
        }
        sourceNi = routes.sourceNiOf(MessageHeader.sourceAddress(first) >>> NODE_SHIFT);
        if (sourceNi == Routes.NONE ||
            !routes.isServed(MessageHeader.destinationAddress(second) >>> NODE_SHIFT, niNumber))
        {
            drop(sourceNi, DropReason.UNKNOWN_ENDPOINT);
            return true;
        }
        onMessage(packet, offset, length, nowNs);
        return true;
    }

    /** Bytes that must be there to judge a message: a multicast is kept before it is handed on, so all of it. */
    private int neededLength(final DirectBuffer packet, final int offset, final int length)
    {
        final int judgedLength = Math.min(length, RemoteMemoryFormat.JUDGED_LENGTH);
        return engine.arrivedLength() >= judgedLength && length >= MessageHeader.LENGTH &&
            MulticastFormat.isMulticast(MessageHeader.typeCode(packet.getLong(offset, BIG_ENDIAN))) ?
            length : judgedLength;
    }

    private void onMessage(final DirectBuffer packet, final int offset, final int length, final long nowNs)
    {
        final int typeCode = MessageHeader.typeCode(first);
        if (typeCode == MessageType.SYNCHRONISE.code())
        {
            onSynchronise(packet, offset, length, nowNs);
            return;
        }
        if (!MessageType.isData(typeCode))
        {
            drop(sourceNi, DropReason.MALFORMED);
            return;
        }
        if (!delivery.synchroniser().isConfirmed(sourceNi))
        {
            drop(sourceNi, DropReason.NOT_SYNCHRONISED);
            return;
        }
        meter.spend(Action.VERIFY_SEQUENCE);
        final int sequence = MessageHeader.sequence(first);
        triple = receiver.triple(sourceNi, MessageHeader.sourceChannel(second),
            MessageHeader.destinationChannel(second));
        switch (triple.window().judge(sequence))
        {
            case LATER -> drop(sourceNi, DropReason.LATER);
            case EARLIER ->
            {
                receiver.acceptAgain(triple, MessageHeader.token(first), sequence, answeringAddress());
                drop(sourceNi, DropReason.COPY);
            }
            case DENIED ->
            {
                receiver.denyAgain(triple, MessageHeader.token(first), sequence, answeringAddress());
                drop(sourceNi, DropReason.COPY);
            }
            case EXPECTED -> begin(packet, offset, length, typeCode);
        }
    }

    private void begin(final DirectBuffer packet, final int offset, final int length, final int typeCode)
    {
        current = deliveries.of(typeCode);
        switch (deliveries.begin(current, second, packet, offset, length))
        {
            case TAKE ->
            {
                state = State.DELIVERING;
                passedLength = 0;
                deliver();
                if (state == State.DRAINING)
                {
                    drain();                // An engine that moves bytes at once has done so: no step in between.
                }
            }
            case NO_ROOM -> refuse();
            case REFUSE ->
            {
                receiver.deny(triple, MessageHeader.token(first), MessageHeader.sequence(first), answeringAddress());
                engine.release();
            }
        }
    }

    private void refuse()
    {
        receiver.refuse(triple, MessageHeader.token(first), MessageHeader.sequence(first), answeringAddress());
        drop(sourceNi, DropReason.NO_ROOM);
    }

    private int deliver()
    {
        // Whole words, as the host engine moves them; the message's own length is one.
        final int arrivedLength = engine.arrivedLength() & -QueueFormat.ALIGNMENT;
        if (engine.isCut())
        {
            current.cancel();
            count(sourceNi, DropReason.CUT);
            state = State.DRAINING;
            return 1;
        }
        final boolean hasMore = arrivedLength != passedLength;
        passedLength = arrivedLength;
        current.advance(arrivedLength);
        if (current.isComplete())
        {
            state = State.DRAINING;
            isAcceptPending = true;
            return 1;
        }
        return hasMore ? 1 : 0;
    }

    private int drain()
    {
        if (!hostEngine.isIdle())
        {
            return 0;
        }
        if (isAcceptPending)
        {
            // Not before: an NI that is reset now loses what its engine has not moved, and must not have denied it.
            isAcceptPending = false;
            final int sequence = MessageHeader.sequence(first);
            receiver.accept(triple, MessageHeader.token(first), sequence, answeringAddress());
            listener.onAccepted(sourceNi, MessageHeader.sourceChannel(second), MessageHeader.destinationChannel(second),
                sequence);
        }
        engine.release();
        state = State.IDLE;
        return 1;
    }

    private void onAnswer(final long nowNs)
    {
        final int fromNi = routes.sourceNiOf(MessageHeader.sourceAddress(first) >>> NODE_SHIFT);
        if (!ControlMessage.isValid(first) || fromNi == Routes.NONE)
        {
            drop(fromNi, DropReason.MALFORMED);
            return;
        }
        meter.spend(Action.SETTLE);
        if (delivery.sender().onAnswer(first, fromNi, nowNs))
        {
            engine.release();
        }
        else
        {
            drop(fromNi, DropReason.STALE_ANSWER);
        }
    }

    private void onSynchronise(final DirectBuffer packet, final int offset, final int length, final long nowNs)
    {
        if (engine.arrivedLength() < length || length != SynchroniseMessage.LENGTH)
        {
            drop(sourceNi, DropReason.MALFORMED);
            return;
        }
        final DropReason reason = delivery.synchroniser().onSynchronise(sourceNi, packet, offset, nowNs);
        if (reason == null)
        {
            engine.release();
        }
        else
        {
            drop(sourceNi, reason);
        }
    }

    private int answeringAddress()
    {
        return MessageHeader.destinationAddress(second);
    }

    private void drop(final int fromNi, final DropReason reason)
    {
        count(fromNi, reason);
        engine.release();
    }

    private void count(final int fromNi, final DropReason reason)
    {
        dropCounts[reason.code()]++;
        listener.onDropped(fromNi, reason);
    }
}
