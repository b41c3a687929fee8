// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.time.Duration;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.DeviceInfo;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.SendStatus;

/**
 * Requests to one device, one at a time, by an endpoint of this node; its handlers run while a call waits.
 * <p>Thread: the endpoint's owner, outside of handlers.
 */
public final class DeviceClient
{
    private final Grim grim;
    private final Endpoint endpoint;
    private final Link link;
    private final Duration timeout;
    private final Reply reply;
    private final IdleStrategy idle;

    /**
     * Makes a client of the host endpoint.
     *
     * @param grim    node.
     * @param device  to ask.
     * @param timeout longest wait of each call.
     * @throws GrimException if the device cannot be reached.
     */
    public DeviceClient(final Grim grim, final EndpointId device, final Duration timeout)
    {
        this(grim, grim.endpoint(), device, timeout);
    }

    /**
     * Makes a client.
     *
     * @param grim     node.
     * @param endpoint of the node.
     * @param device   to ask.
     * @param timeout  longest wait of each call.
     * @throws GrimException if the device cannot be reached.
     */
    public DeviceClient(final Grim grim, final Endpoint endpoint, final EndpointId device, final Duration timeout)
    {
        this.grim = grim;
        this.endpoint = endpoint;
        this.timeout = timeout;
        link = endpoint.link(device);
        reply = endpoint.newReply();
        idle = endpoint.idleStrategy();
    }

    /**
     * Says whether a device is there: its node is up, and the device not closed.
     *
     * @param grim   node that asks.
     * @param device on any of its channels.
     * @return whether messages find it.
     */
    public static boolean isPresent(final Grim grim, final EndpointId device)
    {
        return grim.nodes().stream().anyMatch(node -> node.state() == NodeInfo.State.UP &&
            node.devices().stream().anyMatch(each -> each.endpoint().address() == device.address()));
    }

    /**
     * Waits for a device that is up, and makes a client of the host endpoint, which is polled meanwhile.
     *
     * @param grim    node.
     * @param kind    of device.
     * @param timeout longest wait, and longest wait of each call.
     * @return client of the first such device.
     * @throws GrimException if there is none in time.
     */
    public static DeviceClient await(final Grim grim, final NodeInfo.Device kind, final Duration timeout)
    {
        final long startNs = System.nanoTime();
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (grim.devices(kind).stream().noneMatch(device -> device.state() == DeviceInfo.State.UP) &&
            System.nanoTime() - startNs < timeout.toNanos())
        {
            idle.idle(grim.endpoint().poll());
        }
        return new DeviceClient(grim, grim.locate(kind), timeout);
    }

    /** {@return endpoint that asks} */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    /** {@return device that is asked} */
    public EndpointId device()
    {
        return link.destination();
    }

    /**
     * Finds the id of a handler.
     *
     * @param name of the handler.
     * @return the id.
     */
    public HandlerId handler(final String name)
    {
        return grim.handlers().id(name);
    }

    /**
     * Sends a request, and waits for the answer.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param buffer  of the payload; null if the length is 0.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload.
     * @return the answer, whose code is {@link DeviceCode#OK} or {@link DeviceCode#END}, until the next call.
     * @throws DeviceException if the device refuses.
     * @throws GrimException   if there is no answer in time, or the device is gone.
     */
    public Reply call(
        final HandlerId handler, final int a0, final int a1, final int a2, final DirectBuffer buffer, final int offset,
        final int length)
    {
        begin(handler, a0, a1, a2, buffer, offset, length, reply);
        return await(handler, reply);
    }

    /**
     * Sends a request whose answer {@link #await} takes later: several can be under way. Waits for room only.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param buffer  of the payload; null if the length is 0.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload.
     * @param answer  that is not under way, of {@link Endpoint#newReply()}.
     * @throws GrimException if there is no room in time, or the device is gone.
     */
    public void begin(
        final HandlerId handler, final int a0, final int a1, final int a2, final DirectBuffer buffer, final int offset,
        final int length, final Reply answer)
    {
        final long startNs = System.nanoTime();
        SendStatus status = link.request(handler, a0, a1, a2, buffer, offset, length, timeout, answer);
        while (status == SendStatus.BACK_PRESSURED && System.nanoTime() - startNs < timeout.toNanos())
        {
            idle.idle(endpoint.poll());
            status = link.request(handler, a0, a1, a2, buffer, offset, length, timeout, answer);
        }
        if (!status.isAccepted())
        {
            throw noAnswer(
                handler, status == SendStatus.BACK_PRESSURED ? Reply.Outcome.TIMED_OUT : Reply.Outcome.PEER_GONE);
        }
    }

    /**
     * Waits for an answer.
     *
     * @param handler that was to run, for the text of an error.
     * @param answer  of a request that was begun.
     * @return it; its code is {@link DeviceCode#OK} or {@link DeviceCode#END}.
     * @throws DeviceException if the device refuses.
     * @throws GrimException   if there is no answer in time, or the device is gone.
     */
    public Reply await(final HandlerId handler, final Reply answer)
    {
        final Reply.Outcome outcome = answer.await().outcome();
        if (outcome != Reply.Outcome.ANSWERED)
        {
            throw noAnswer(handler, outcome);
        }
        final DeviceCode code = DeviceCode.ofNumber(answer.argument(0));
        if (code != DeviceCode.OK && code != DeviceCode.END)
        {
            throw new DeviceException(code, answer.argument(1), answer.text());
        }
        return answer;
    }

    private GrimException noAnswer(final HandlerId handler, final Reply.Outcome outcome)
    {
        final boolean isTimeOut = outcome == Reply.Outcome.TIMED_OUT;
        return new GrimException(isTimeOut ? GrimException.Reason.TIMED_OUT : GrimException.Reason.UNREACHABLE,
            "device " + link.destination() + " does not answer " + handler + ": " + outcome +
            (isTimeOut ? " after " + timeout.toMillis() + " ms" : ""));
    }

    /**
     * Asks for the device's description.
     *
     * @return text in HOCON: kind, name, version, handlers and their arguments, memory, limits.
     */
    public String describe()
    {
        return call(handler("device.describe"), 0, 0, 0, null, 0, 0).text();
    }

    /**
     * Asks for the device's state.
     *
     * @return text in HOCON: state, reason of a failure, requests that wait, were answered, refused, and whose answers
     *     were lost, and who has reserved it.
     */
    public String status()
    {
        return call(handler("device.status"), 0, 0, 0, null, 0, 0).text();
    }

    /** Has the driver closed and opened again, and waits until it is open. Other requests that wait are refused. */
    public void reset()
    {
        call(handler("device.reset"), 0, 0, 0, null, 0, 0);
    }

    /**
     * Reserves the device for this endpoint, or renews its reservation. All others are refused until the lease is over,
     * this endpoint releases it, or this node is gone.
     *
     * @param lease 1 ms to 1 h.
     * @return number of the reservation.
     * @throws DeviceException ({@link DeviceCode#BUSY}) if another endpoint has reserved it.
     */
    public int reserve(final Duration lease)
    {
        return call(handler("device.reserve"), (int)Math.min(Integer.MAX_VALUE, lease.toMillis()), 0, 0, null, 0, 0)
            .argument(1);
    }

    /**
     * Ends the reservation of this endpoint.
     *
     * @param number of the reservation.
     * @throws DeviceException if this endpoint does not have it any more.
     */
    public void release(final int number)
    {
        call(handler("device.release"), number, 0, 0, null, 0, 0);
    }
}
