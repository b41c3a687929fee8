// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.bench.process.BoundedSpin;
import org.grim.buffer.Buffers;
import org.grim.transport.Link;

/**
 * The asking side. The clock stands around the round trip only: from before the send to the first thing that the
 * reply's handler does. Payloads are written before and verified after.
 * <p>Thread: one, which polls. Allocates nothing while it measures.
 */
final class EchoClient
{
    private static final String ECHOED = "pingpong.echoed";
    private static final String ACKNOWLEDGED = "pingpong.acknowledged";
    private static final int WINDOW_COUNT = 16;
    private static final int WINDOW_DISTANCE = Long.BYTES;
    private static final int STREAM_BURST = 64;
    private static final int REQUEST_POLLS = 16;
    // Golden ratio: every bit of the pattern depends on the sequence number.
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final Grim grim;
    private final BoundedSpin spin;
    private final AtomicBuffer payload;
    // Two, because each remembers the memory that it saw last.
    private final Checksum sentChecksum = new Checksum();
    private final Checksum echoedChecksum = new Checksum();
    private final int[] windowChecksums = new int[WINDOW_COUNT];

    private Link link;
    private int echoHandler;
    private int streamHandler;
    private int streamEndHandler;
    private int rawHandler;
    private int switchHandler;
    private int echoedHandler;
    private int acknowledgedHandler;

    private int sequence;
    private int size;
    private int expectedChecksum;
    private long arrivalNs;
    private long verifiedCount;
    private boolean hasArrived;
    private boolean isMismatch;
    private int receivedCount;
    private int badCount;

    EchoClient(final Grim grim, final BoundedSpin spin, final int sizeMax)
    {
        this.grim = grim;
        this.spin = spin;
        payload = Buffers.allocate(sizeMax + WINDOW_COUNT * WINDOW_DISTANCE);
        grim.handlers().register(ECHOED, this::onEchoed);
        grim.handlers().register(ACKNOWLEDGED, this::onAcknowledged);
    }

    /** Finds the server. Its handlers must be registered. */
    void connect(final EndpointId server)
    {
        echoHandler = grim.handlers().resolve(EchoServer.ECHO);
        streamHandler = grim.handlers().resolve(EchoServer.STREAM);
        streamEndHandler = grim.handlers().resolve(EchoServer.STREAM_END);
        rawHandler = grim.handlers().resolve(EchoServer.RAW);
        switchHandler = grim.handlers().resolve(EchoServer.SWITCH);
        echoedHandler = grim.handlers().resolve(ECHOED);
        acknowledgedHandler = grim.handlers().resolve(ACKNOWLEDGED);
        link = grim.host().link(server);
    }

    int payloadLengthMax()
    {
        return link.payloadLengthMax();
    }

    /** Messages of the given size whose payload was compared since the last call. */
    long takeVerifiedCount()
    {
        final long count = verifiedCount;
        verifiedCount = 0;
        return count;
    }

    /** One message at a time, there and back. */
    void measure(final int newSize, final long durationNs, final Histogram roundTrips)
    {
        size = newSize;
        final long endNs = System.nanoTime() + durationNs;
        do
        {
            sequence++;
            writePattern(sequence, size);
            expectedChecksum = sentChecksum.of(payload, 0, size);
            hasArrived = false;
            final long startNs = System.nanoTime();
            send(echoHandler, sequence, 0, echoedHandler, 0, size);
            awaitArrival();
            roundTrips.recordValue(Math.min(arrivalNs - startNs, roundTrips.getHighestTrackableValue()));
            requireMatch();
        }
        while (arrivalNs - endNs < 0);
    }

    /** Messages as fast as back pressure lets them go; returns how many per second were verified there. */
    double stream(final int newSize, final long durationNs)
    {
        size = newSize;
        sequence++;
        writePattern(sequence, size + WINDOW_COUNT * WINDOW_DISTANCE);
        for (int window = 0; window < WINDOW_COUNT; window++)
        {
            windowChecksums[window] = sentChecksum.of(payload, window * WINDOW_DISTANCE, size);
        }
        int count = 0;
        final long startNs = System.nanoTime();
        do
        {
            for (int i = 0; i < STREAM_BURST; i++)
            {
                final int window = count % WINDOW_COUNT;
                send(streamHandler, count, windowChecksums[window], 0, window * WINDOW_DISTANCE, size);
                count++;
            }
        }
        while (System.nanoTime() - startNs < durationNs);
        hasArrived = false;
        send(streamEndHandler, 0, 0, acknowledgedHandler, 0, 0);
        awaitArrival();
        if (receivedCount != count || badCount != 0)
        {
            throw new GrimException("stream of size=" + size + " bytes is broken: sent=" + count + " received=" +
                receivedCount + " bad=" + badCount);
        }
        verifiedCount += count;
        return count * 1e9 / (arrivalNs - startNs);
    }

    /** Sends the server into the raw pass, from which only the raw pass brings it back. */
    void requestRaw()
    {
        request(rawHandler);
    }

    /** Sends the server to the other transport, from which only the client there brings it back. */
    void requestSwitch()
    {
        request(switchHandler);
    }

    /** Nobody polls here until the server is back: what has to be done for the request is done now. */
    private void request(final int handler)
    {
        send(handler, 0, 0, 0, 0, 0);
        for (int i = 0; i < REQUEST_POLLS; i++)
        {
            grim.poll();
        }
    }

    private void onEchoed(final ActiveMessage message)
    {
        arrivalNs = System.nanoTime();
        isMismatch = message.argument(0) != sequence || message.length() != size ||
            echoedChecksum.of(message.buffer(), message.offset(), message.length()) != expectedChecksum;
        verifiedCount++;
        hasArrived = true;
    }

    private void onAcknowledged(final ActiveMessage message)
    {
        arrivalNs = System.nanoTime();
        receivedCount = message.argument(0);
        badCount = message.argument(1);
        hasArrived = true;
    }

    private void awaitArrival()
    {
        while (!hasArrived)
        {
            if (grim.poll() == 0)
            {
                spin.spin();
            }
        }
        spin.reset();
    }

    private void send(
        final int handler, final int a0, final int a1, final int answerHandler, final int offset, final int length)
    {
        SendStatus status = link.send(handler, a0, a1, 0, answerHandler, payload, offset, length);
        while (status == SendStatus.BACK_PRESSURED)
        {
            if (grim.poll() == 0)
            {
                spin.spin();
            }
            status = link.send(handler, a0, a1, 0, answerHandler, payload, offset, length);
        }
        if (!status.isAccepted())
        {
            throw new GrimException("send to " + link.destination() + " failed: status=" + status);
        }
        spin.reset();
    }

    private void requireMatch()
    {
        if (isMismatch)
        {
            throw new GrimException("payload came back changed: size=" + size + " bytes sequence=" + sequence +
                " CRC32C=0x" + Integer.toHexString(expectedChecksum));
        }
    }

    /** Bytes that differ from message to message and from word to word. */
    private void writePattern(final int seed, final int length)
    {
        long value = seed * MULTIPLIER;
        int offset = 0;
        while (offset + Long.BYTES <= length)
        {
            payload.putLong(offset, value);
            value += MULTIPLIER;
            offset += Long.BYTES;
        }
        while (offset < length)
        {
            payload.putByte(offset, (byte)value);
            value >>>= Byte.SIZE;
            offset++;
        }
    }
}
