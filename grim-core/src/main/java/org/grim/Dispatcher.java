// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.ErrorHandler;
import org.agrona.MutableDirectBuffer;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.fragment.Transfer;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.grim.wire.HeaderWords;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the handler of each message that arrives, and refuses what names none.
 * <p>Thread: the endpoint's owner.
 */
final class Dispatcher implements MessageSink
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Dispatcher.class);

    private static final int ACTIVE_MESSAGE_CODE = MessageType.ACTIVE_MESSAGE.code();

    private final Endpoint endpoint;
    private final HandlerRegistry registry;
    private final NodeCounters counters;
    private final ErrorHandler errorHandler;
    private final ActiveMessage message;
    private final int hostAddress;
    private final int deviceCount;
    private final int nodeCountMax;
    private final int channelCount;
    private boolean isInHandler;

    Dispatcher(
        final Endpoint endpoint, final HandlerRegistry registry, final NodeCounters counters,
        final ErrorHandler errorHandler, final int deviceCount, final int nodeCountMax)
    {
        this.endpoint = endpoint;
        this.registry = registry;
        this.counters = counters;
        this.errorHandler = errorHandler;
        this.deviceCount = deviceCount;
        this.nodeCountMax = nodeCountMax;
        channelCount = counters.channelCount();
        hostAddress = EndpointId.of(endpoint.id().node(), 0, 0).address();
        message = new ActiveMessage(endpoint);
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        final int destination = HeaderWords.destinationAddress(second);
        final int source = HeaderWords.sourceAddress(first);
        final int handlerId = HeaderWords.handler(second);
        final int channel = HeaderWords.destinationChannel(second);
        final ActiveMessageHandler handler = registry.handler(destination & EndpointId.DEVICE_MAX, handlerId);
        if (HeaderWords.typeCode(first) != ACTIVE_MESSAGE_CODE)
        {
            reject(RejectReason.UNKNOWN_TYPE, "code=", HeaderWords.typeCode(first));
            return;
        }
        if (destination != hostAddress && !isDevice(destination))
        {
            reject(RejectReason.WRONG_DESTINATION, "address=", destination);
            return;
        }
        if (channel >= channelCount)
        {
            reject(RejectReason.WRONG_CHANNEL, "channel=", channel);
            return;
        }
        if (source >>> 4 >= nodeCountMax)
        {
            reject(RejectReason.WRONG_SOURCE, "address=", source);
            return;
        }
        if (handler == null)
        {
            dispatchWithoutHandler(handlerId, buffer, headerOffset, payloadOffset, payloadLength,
                (long)(source << 8 | HeaderWords.sourceChannel(second)) << Integer.SIZE | destination << 8 | channel);
            return;
        }
        counters.channel(channel).received(payloadLength);
        message.open(buffer, headerOffset, payloadOffset, payloadLength,
            source << 8 | HeaderWords.sourceChannel(second), destination << 8 | channel, handlerId);
        run(handler);
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        final long newsCount = count(reason);
        if (newsCount > 0)
        {
            tell(reason, "channel=" + queue.channel() + " source node=" + queue.sourceNode(), newsCount);
        }
    }

    /** The device that a message came for on a way. */
    static int device(final long way)
    {
        return (int)way >>> Byte.SIZE & EndpointId.DEVICE_MAX;
    }

    /** Why a message that came on a way is refused when nothing runs for its id there. */
    static RejectReason noHandler(final long way)
    {
        return device(way) == 0 ? RejectReason.UNKNOWN_HANDLER : RejectReason.NO_DEVICE_HANDLER;
    }

    boolean isInHandler()
    {
        return isInHandler;
    }

    /** Runs the listener as a handler is run. */
    void tell(
        final RemoteRefusalListener listener, final EndpointId destination, final long remoteAddress,
        final long length, final RemoteRefusal reason)
    {
        isInHandler = true;
        try
        {
            listener.onRefused(destination, remoteAddress, length, reason);
        }
        catch (final Throwable ex)          // As of a handler.
        {
            onHandlerError(ex);
        }
        finally
        {
            isInHandler = false;
        }
    }

    /** Runs what is no message: a handler learns that there will be none. */
    void runGuarded(final Runnable handler)
    {
        final boolean isInside = isInHandler;
        isInHandler = true;
        try
        {
            handler.run();
        }
        catch (final Throwable ex)
        {
            onHandlerError(ex);
        }
        finally
        {
            isInHandler = isInside;
        }
    }

    private boolean isDevice(final int address)
    {
        return (address ^ hostAddress) >>> 4 == 0 && (address & EndpointId.DEVICE_MAX) < deviceCount;
    }

    private void run(final ActiveMessageHandler handler)
    {
        isInHandler = true;
        try
        {
            handler.onMessage(message);
        }
        catch (final Throwable ex)          // Whatever an application's handler throws: other messages are not harmed.
        {
            onHandlerError(ex);
        }
        finally
        {
            isInHandler = false;
            message.close();
        }
    }

    /** Parts of long messages are dispatched here, so that short ones pay nothing for them. */
    private void dispatchWithoutHandler(
        final int handlerId, final MutableDirectBuffer buffer, final int headerOffset, final int payloadOffset,
        final int payloadLength, final long way)
    {
        if (!LargeMessageIds.isBuiltIn(handlerId))
        {
            reject(noHandler(way), "handler=", handlerId);
            return;
        }
        isInHandler = true;
        try
        {
            final RejectReason reason =
                endpoint.arrivals().onPart(handlerId, buffer, headerOffset, payloadOffset, payloadLength, way);
            final long newsCount = reason == null ? 0 : count(reason);
            if (newsCount > 0)
            {
                tell(reason, "built-in handler=" + handlerId + " source node=" + Transfer.nodeOf(way), newsCount);
            }
        }
        catch (final Throwable ex)
        {
            onHandlerError(ex);
        }
        finally
        {
            isInHandler = false;
        }
    }

    private void onHandlerError(final Throwable ex)
    {
        counters.node(CounterKind.HANDLER_ERRORS).increment();
        counters.errorLog().record(ex);
        errorHandler.onError(ex);
    }

    private void reject(final RejectReason reason, final String name, final int value)
    {
        final long newsCount = count(reason);
        if (newsCount > 0)
        {
            tell(reason, name + value, newsCount);
        }
    }

    /** Counts each. Gives the count of the first of each reason, and then each time it has doubled; otherwise 0. */
    private long count(final RejectReason reason)
    {
        final long count = counters.rejected(reason).increment() + 1;
        return Long.bitCount(count) == 1 ? count : 0;
    }

    /** Only what is news is put into words: to refuse a message allocates nothing. */
    private void tell(final RejectReason reason, final String what, final long count)
    {
        final String text = "refused a message: " + reason + " " + what + " count=" + count;
        LOGGER.warn(text);
        counters.errorLog().record(new GrimException("refused: " + reason));
    }
}
