// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.Arrays;

import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.RejectReason;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.counters.NodeCounters;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.grim.wire.FlowKey;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Runs the handler of each message that arrives, and refuses what names none.
 * <p>Thread: the endpoint's owner.
 */
public final class Dispatcher implements MessageSink
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Dispatcher.class);

    private static final int ROUTE_COUNT = 16;          // A power of 2.
    private static final int ACTIVE_MESSAGE_CODE = MessageType.ACTIVE_MESSAGE.code();

    private final EndpointState state;
    private final HandlerTable handlers;
    private final NodeCounters counters;
    private final HandlerErrors errors;
    private final ReceivedMessage message;
    private final LinkTable links;
    private final int address;
    private final int nodeCountMax;
    private final Route[] routes = new Route[ROUTE_COUNT];
    private Route route = new Route();
    private Parts parts;

    /** Takes the parts of large messages. */
    @FunctionalInterface
    public interface Parts
    {
        /**
         * Takes a message for one of the built-in handlers.
         *
         * @param id            of the handler.
         * @param buffer        holding the message.
         * @param headerOffset  first byte of the header.
         * @param payloadOffset first byte of the payload.
         * @param payloadLength bytes of the payload.
         * @param flowKey       of the message, as {@link FlowKey}.
         * @return null, or why the message is refused.
         */
        RejectReason onPart(
            int id, MutableDirectBuffer buffer, int headerOffset, int payloadOffset, int payloadLength, long flowKey);
    }

    /**
     * Makes the dispatcher of one endpoint.
     *
     * @param links        that replies go to.
     * @param resources    of the endpoint's links.
     * @param handlers     of the node.
     * @param errors       of the application's handlers.
     * @param nodeCountMax nodes of the cluster.
     */
    public Dispatcher(
        final LinkTable links, final LinkResources resources, final HandlerTable handlers,
        final HandlerErrors errors, final int nodeCountMax)
    {
        this.handlers = handlers;
        this.errors = errors;
        this.links = links;
        this.nodeCountMax = nodeCountMax;
        state = resources.state();
        counters = resources.counters();
        address = state.id().address();
        message = new ReceivedMessage(links);
        Arrays.setAll(routes, i -> new Route());
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        if (!route.isOf(first, second) && !findRoute(first, second))
        {
            return;
        }
        final Route current = route;
        final int handlerId = MessageHeader.handler(second);
        final ActiveMessage.Handler handler = handlers.handlerAt(current.flowKey(), handlerId);
        if (handler == null)
        {
            dispatchWithoutHandler(handlerId, buffer, headerOffset, payloadOffset, payloadLength, current.flowKey());
            return;
        }
        current.counters().received(payloadLength);
        message.open(current, buffer, headerOffset, payloadOffset, payloadLength, handlerId);
        run(handler, handlerId, current);
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

    @Override
    public boolean isLastOfPoll()
    {
        return state.isLastOfPoll();
    }

    /**
     * Says who takes the parts of large messages.
     *
     * @param newParts run as a handler is run.
     */
    public void parts(final Parts newParts)
    {
        parts = newParts;
    }

    /**
     * Runs the listener as a handler is run.
     *
     * @param listener      of refusals.
     * @param destination   whose memory the operation was for.
     * @param remoteAddress first byte there.
     * @param length        bytes of the operation.
     * @param reason        of the refusal.
     */
    public void tell(
        final RemoteMemory.RefusalListener listener, final EndpointId destination, final long remoteAddress,
        final long length, final RemoteRefusal reason)
    {
        state.inHandler(true);
        try
        {
            listener.onRefused(destination, remoteAddress, length, reason);
        }
        catch (final Throwable ex)          // As of a handler.
        {
            errors.onError(ex, "refused remote-memory operations");
        }
        finally
        {
            state.inHandler(false);
        }
    }

    /**
     * Runs a handler for what is no message.
     *
     * @param handlerId of the handler.
     * @param flowKey   of the messages that it is about, as {@link FlowKey}.
     * @param handler   to run.
     */
    public void runGuarded(final int handlerId, final long flowKey, final Runnable handler)
    {
        final boolean isInside = state.isInHandler();
        state.inHandler(true);
        try
        {
            handler.run();
        }
        catch (final Throwable ex)
        {
            errors.onError(ex, handlerId, flowKey);
        }
        finally
        {
            state.inHandler(isInside);
        }
    }

    /** {@return where errors of the application's handlers go} */
    public HandlerErrors errors()
    {
        return errors;
    }

    /** Returns false if the message is refused for a property of its route. */
    private boolean findRoute(final long first, final long second)
    {
        final Route found = routes[Route.hash(first, second) & ROUTE_COUNT - 1];
        if (!found.isOf(first, second))
        {
            final int channel = MessageHeader.destinationChannel(second);
            if (!isGood(MessageHeader.typeCode(first), MessageHeader.destinationAddress(second), channel,
                MessageHeader.sourceAddress(first)))
            {
                return false;
            }
            found.set(first, second, counters.channel(channel));
        }
        route = found;
        return true;
    }

    private boolean isGood(final int typeCode, final int destination, final int channel, final int source)
    {
        if (typeCode != ACTIVE_MESSAGE_CODE)
        {
            reject(RejectReason.UNKNOWN_TYPE, "code=", typeCode);
        }
        else if ((destination ^ address) >>> 4 != 0)
        {
            reject(RejectReason.WRONG_DESTINATION, "address=", destination);
        }
        else if (destination != address || !links.hasChannel(channel))
        {
            reject(RejectReason.WRONG_CHANNEL, "channel=", channel);
        }
        else if (source >>> 4 >= nodeCountMax)
        {
            reject(RejectReason.WRONG_SOURCE, "address=", source);
        }
        else
        {
            return true;
        }
        return false;
    }

    private void run(final ActiveMessage.Handler handler, final int handlerId, final Route current)
    {
        state.inHandler(true);
        try
        {
            handler.onMessage(message);
        }
        catch (final Throwable ex)          // From an application's handler: other messages are not harmed.
        {
            errors.onError(ex, handlerId, current.flowKey());
        }
        finally
        {
            state.inHandler(false);
            message.close();
        }
    }

    /** Parts of long messages are dispatched here, so that short ones pay nothing for them. */
    private void dispatchWithoutHandler(
        final int handlerId, final MutableDirectBuffer buffer, final int headerOffset, final int payloadOffset,
        final int payloadLength, final long flowKey)
    {
        if (!LargeMessageIds.isBuiltIn(handlerId))
        {
            reject(HandlerTable.noHandler(flowKey), "handler=", handlerId);
            return;
        }
        state.inHandler(true);
        try
        {
            final RejectReason reason =
                parts.onPart(handlerId, buffer, headerOffset, payloadOffset, payloadLength, flowKey);
            final long newsCount = reason == null ? 0 : count(reason);
            if (newsCount > 0)
            {
                tell(
                    reason, "built-in handler=" + handlerId + " source node=" + FlowKey.sourceNode(flowKey), newsCount);
            }
        }
        catch (final Throwable ex)
        {
            errors.onError(ex, handlerId, flowKey);
        }
        finally
        {
            state.inHandler(false);
        }
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
        counters.errorLog().record(new GrimException(BAD_DATA, "refused: " + reason));
    }
}
