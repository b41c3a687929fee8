// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.agrona.DirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.bench.process.BoundedSpin;
import org.grim.transport.Link;

/**
 * A client's messages to its server: sends that wait for room, and questions that wait for their answer.
 * <p>Thread: one, which polls. Allocates nothing per message.
 */
final class Requester
{
    private static final String ACKNOWLEDGED = "pingpong.acknowledged";
    private static final int REQUEST_POLLS = 16;

    private final Grim grim;
    private final BoundedSpin spin;
    private final byte[] answer = new byte[MemorySide.ADDRESSES_LENGTH];
    private Link link;
    private int rawHandler;
    private int switchHandler;
    private int acknowledgedHandler;
    private boolean isAnswered;
    private long answerNs;
    private int firstArgument;
    private int secondArgument;

    Requester(final Grim grim, final BoundedSpin spin)
    {
        this.grim = grim;
        this.spin = spin;
        grim.handlers().register(ACKNOWLEDGED, this::onAcknowledged);
    }

    void connect(final EndpointId server)
    {
        rawHandler = grim.handlers().resolve(EchoServer.RAW);
        switchHandler = grim.handlers().resolve(EchoServer.SWITCH);
        acknowledgedHandler = grim.handlers().resolve(ACKNOWLEDGED);
        link = grim.host().link(server);
    }

    /** Sends the server into the raw pass. */
    void requestRaw()
    {
        request(rawHandler);
    }

    /** Sends the server to the other transport. */
    void requestSwitch()
    {
        request(switchHandler);
    }

    void send(
        final int handler, final int a0, final int a1, final int a2, final int answerHandler,
        final DirectBuffer payload, final int offset, final int length)
    {
        SendStatus status = link.send(handler, a0, a1, a2, answerHandler, payload, offset, length);
        while (status == SendStatus.BACK_PRESSURED)
        {
            pollOrSpin();
            status = link.send(handler, a0, a1, a2, answerHandler, payload, offset, length);
        }
        if (!status.isAccepted())
        {
            throw new GrimException("send to " + link.destination() + " failed: status=" + status);
        }
        spin.reset();
    }

    /** Asks, and waits for the answer. */
    void ask(final int handler, final int a0, final int a1, final int a2)
    {
        isAnswered = false;
        send(handler, a0, a1, a2, acknowledgedHandler, null, 0, 0);
        while (!isAnswered)
        {
            pollOrSpin();
        }
        spin.reset();
    }

    /** As {@link #ask}, with a payload. */
    void ask(final int handler, final int a0, final DirectBuffer payload, final int length)
    {
        isAnswered = false;
        send(handler, a0, 0, 0, acknowledgedHandler, payload, 0, length);
        while (!isAnswered)
        {
            pollOrSpin();
        }
        spin.reset();
    }

    /** Of the last answer. */
    int firstArgument()
    {
        return firstArgument;
    }

    /** Of the last answer. */
    int secondArgument()
    {
        return secondArgument;
    }

    /** The last answer's payload. */
    byte[] answer()
    {
        return answer;
    }

    /** When the last answer came. */
    long answerNs()
    {
        return answerNs;
    }

    /** A moment of waiting for the server. */
    void pollOrSpin()
    {
        if (grim.poll() == 0)
        {
            spin.spin();
        }
    }

    /** Nobody polls here until the server is back: what has to be done for the request is done now. */
    private void request(final int handler)
    {
        send(handler, 0, 0, 0, 0, null, 0, 0);
        for (int i = 0; i < REQUEST_POLLS; i++)
        {
            grim.poll();
        }
    }

    private void onAcknowledged(final ActiveMessage message)
    {
        answerNs = System.nanoTime();
        firstArgument = message.argument(0);
        secondArgument = message.argument(1);
        message.buffer().getBytes(message.offset(), answer, 0, Math.min(answer.length, message.length()));
        isAnswered = true;
    }
}
