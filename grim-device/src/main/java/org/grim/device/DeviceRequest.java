// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.KeptMessage;
import org.grim.RemoteMemory;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A request to a device, from its handler until its answer. A message that is no request ({@link #isRequest()}) is
 * handled the same; its answers go nowhere, and its refusal is a message for {@code device.refused} at its sender:
 * arguments code, value and handler, and a sentence.
 * <p>Thread: the runner's. Others may read the payload of a kept request in {@link #buffer()}, which they are given,
 * until its answer.
 */
public final class DeviceRequest
{
    /** A sender that takes no answer for so long gets none: others wait for its place in the queue. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int CORRELATION_INDEX = 3;

    private final KeptRequests requests;
    private final EndpointId source;
    private final EndpointId destination;
    private final int handler;
    private final boolean isRequest;
    private ActiveMessage message;
    private KeptMessage kept;
    private DeviceException refusal;
    private boolean isEnded;
    private boolean isWaiting;              // For room, since:
    private long waitStartNs;

    DeviceRequest(final ActiveMessage message, final KeptRequests requests)
    {
        this.message = message;
        this.requests = requests;
        source = message.source();
        destination = message.destination();
        handler = message.handler().number();
        isRequest = message.argument(CORRELATION_INDEX) != 0;
    }

    /** {@return the sender} */
    public EndpointId source()
    {
        return source;
    }

    /** {@return the device, with the channel that the request came on} */
    public EndpointId destination()
    {
        return destination;
    }

    /** {@return whether the sender waits for an answer} */
    public boolean isRequest()
    {
        return isRequest;
    }

    /**
     * One of the three arguments.
     *
     * @param index 0 to 2.
     * @return the argument.
     */
    public int argument(final int index)
    {
        return kept == null ? message.argument(index) : kept.argument(index);
    }

    /** {@return where the payload lies; another buffer after {@link #keep()}} */
    public DirectBuffer buffer()
    {
        return kept == null ? message.buffer() : kept.buffer();
    }

    /** {@return first byte of the payload} */
    public int offset()
    {
        return kept == null ? message.offset() : kept.offset();
    }

    /** {@return bytes of the payload} */
    public int length()
    {
        return kept == null ? message.length() : kept.length();
    }

    /** {@return payload as a text: a new string} */
    public String text()
    {
        return buffer().getStringWithoutLengthUtf8(offset(), length());
    }

    /**
     * Keeps the request beyond the handler's return, to be answered in a later duty cycle. When the bound of the
     * device is reached, its channel is paused. Only in the handler.
     *
     * @throws DeviceException if there is no room for its payload: the answer.
     */
    public void keep()
    {
        if (kept == null)
        {
            kept = message.keep();
            if (kept == null)
            {
                throw new DeviceException(
                    DeviceCode.NO_ROOM, "device has no room for length=" + length() + " more (message.kept-length)");
            }
            requests.add(this, destination.channel());
        }
    }

    /**
     * Answers without content.
     *
     * @return as {@link #answer(int, int, DirectBuffer, int, int)}.
     */
    public boolean answer()
    {
        return answer(0, 0, null, 0, 0);
    }

    /**
     * Answers with a text.
     *
     * @param text of the answer.
     * @return as {@link #answer(int, int, DirectBuffer, int, int)}.
     */
    public boolean answer(final String text)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        return answer(0, 0, Buffers.wrap(bytes), 0, bytes.length);
    }

    /**
     * Answers with {@link DeviceCode#OK}.
     *
     * @param a1     argument 1 of the answer.
     * @param a2     argument 2.
     * @param buffer of the payload; null if the length is 0.
     * @param offset first byte of the payload.
     * @param length bytes of the payload.
     * @return whether the request has ended; false if there is no room on the path back: call again. Never in the
     *     handler, nor longer than 5 s: then the answer is given up, and counted.
     */
    public boolean answer(final int a1, final int a2, final DirectBuffer buffer, final int offset, final int length)
    {
        return answer(DeviceCode.OK, a1, a2, buffer, offset, length);
    }

    /**
     * Answers with a code.
     *
     * @param code   argument 0 of the answer.
     * @param a1     argument 1.
     * @param a2     argument 2.
     * @param buffer of the payload; null if the length is 0.
     * @param offset first byte of the payload.
     * @param length bytes of the payload.
     * @return as {@link #answer(int, int, DirectBuffer, int, int)}.
     */
    public boolean answer(
        final DeviceCode code, final int a1, final int a2, final DirectBuffer buffer, final int offset,
        final int length)
    {
        if (isEnded)
        {
            return true;
        }
        if (!isRequest)
        {
            return end(code, true);
        }
        final SendStatus status;
        try
        {
            status = send(code, a1, a2, buffer, offset, length);
        }
        catch (final IllegalArgumentException ex)           // Longer than a message can be.
        {
            return refuse(new DeviceException(DeviceCode.NO_ROOM, "answer cannot be sent: " + ex.getMessage()));
        }
        return endIf(code, status);
    }

    /**
     * Refuses.
     *
     * @param reason of the refusal.
     * @return as {@link #answer(int, int, DirectBuffer, int, int)}.
     */
    public boolean refuse(final DeviceException reason)
    {
        final byte[] bytes = reason.getMessage().getBytes(UTF_8);
        final DirectBuffer text = Buffers.wrap(bytes);
        return (isRequest || isEnded) ? answer(reason.code(), reason.value(), 0, text, 0, bytes.length) :
            endIf(reason.code(), sendRefusal(reason, text, bytes.length));
    }

    /**
     * Says whether to wait for room on the path to the sender for what goes before the answer, such as a remote write.
     *
     * @return true for 5 s from the first time on that there was no room.
     */
    public boolean mayWait()
    {
        final long nowNs = requests.clock.getAsLong();
        waitStartNs = isWaiting ? waitStartNs : nowNs;
        isWaiting = true;
        return nowNs - waitStartNs <= PATIENCE_NS;
    }

    /** Memory of the device, to write to the sender's. */
    RemoteMemory memory()
    {
        return requests.device.memory();
    }

    /** The handler has returned, and the message is no more. */
    void leaveHandler()
    {
        if (kept == null && !isEnded)
        {
            answer();
        }
        message = null;
    }

    /** Keeps the reason of a refusal that found no room. */
    DeviceRequest refusedBy(final DeviceException reason)
    {
        refusal = reason;
        return this;
    }

    boolean refuseAgain()
    {
        return refuse(refusal);
    }

    private SendStatus send(
        final DeviceCode code, final int a1, final int a2, final DirectBuffer buffer, final int offset,
        final int length)
    {
        try
        {
            return kept == null ? message.reply(code.number(), a1, a2, buffer, offset, length) :
                kept.reply(code.number(), a1, a2, buffer, offset, length);
        }
        catch (final GrimException | IllegalStateException ex)      // No path back, or no room for ever.
        {
            return SendStatus.CLOSED;
        }
    }

    private SendStatus sendRefusal(final DeviceException reason, final DirectBuffer text, final int length)
    {
        try
        {
            return requests.device.link(destination.channel(), source).send(
                requests.refused, reason.code().number(), reason.value(), handler, 0, text, 0, length);
        }
        catch (final GrimException | IllegalStateException ex)      // As above.
        {
            return SendStatus.CLOSED;
        }
    }

    private boolean endIf(final DeviceCode code, final SendStatus status)
    {
        final boolean isEnding = status != SendStatus.BACK_PRESSURED || !mayWait();
        return isEnding && end(code, status.isAccepted());
    }

    private boolean end(final DeviceCode code, final boolean isSent)
    {
        isEnded = true;
        requests.ended(code, isSent);
        if (kept != null)
        {
            kept.release();
            requests.remove(this, destination.channel());
        }
        return true;
    }
}
